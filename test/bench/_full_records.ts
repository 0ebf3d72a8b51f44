// Works of which much is told, as bodies of our interface and as records of DataCite's dumps.

import type { Metadata } from '#actors/works/metadata.ts'
import { formatDataciteJson, formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { createWork } from '#test/bench/_works.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const each = <T>(count: number, item: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => item(nth))

const { contributors = [], related_identifiers: related = [], subjects = [] } = wholeMetadata
const { descriptions: texts = [] } = wholeMetadata
const methods = [0, 1].map((n) => `${createWork(n)['description']}`).join(' ')

/** All that a record of DataCite can say, and as much of it as long records have: 12 kB. */
const long: Metadata = {
  ...wholeMetadata,
  descriptions: [...texts, { description: methods, kind: 'methods', language: 'en' }],
  contributors: [
    ...contributors,
    ...each(8, (nth) => ({
      name: `Mira Okafor ${nth}`,
      given: 'Mira',
      family: `Okafor ${nth}`,
      name_type: 'person' as const,
      role: 'researcher' as const,
      affiliation: `Institute of Inland Waters, Department ${nth}`,
    })),
  ],
  related_identifiers: [
    ...related,
    ...each(24, (nth) => ({
      identifier: `10.1234/lake.source.${nth}`,
      relation: 'References' as const,
      resource_type: 'article' as const,
      scheme: 'DOI' as const,
    })),
  ],
  subjects: [
    ...subjects,
    ...each(12, (nth) => ({ subject: `inland waters, part ${nth}`, scheme: 'Example terms' })),
  ],
}

/** The n-th body of a long work, 12 kB of JSON, under a name of its own as `createWork` has it. */
export function createFullWork(n: number, name = String(n)): Metadata {
  const { work_title = '', description = '' } = createWork(n, name)
  const work_url = `https://papers.example.org/full/${name}.pdf`
  return { ...long, work_title, description, work_url, existing_doi: `10.5555/full.${name}` }
}

const written = formatDataciteJson(describedWork(long))
const record = JSON.parse(written) as Readonly<Record<string, unknown>>
const xml = Buffer.from(formatDataciteXml(describedWork(wholeMetadata))).toString('base64')

/** The same as a record of a dump, about 25 kB, of which a third is DataCite's own XML. */
export function createFullRecord(n: number, version: string): object {
  const { work_title, description, work_url: url, existing_doi: doi } = createFullWork(n)
  const [, ...titles] = record['titles'] as readonly object[]
  const [, ...descriptions] = record['descriptions'] as readonly object[]
  const attributes = {
    ...record,
    doi,
    url,
    version,
    state: 'findable',
    titles: [{ title: work_title }, ...titles],
    descriptions: [{ descriptionType: 'Abstract', description, lang: 'en' }, ...descriptions],
    xml,
  }
  return { id: doi, type: 'dois', attributes }
}
