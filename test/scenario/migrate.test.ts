import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import test from 'ava'

import { killOnceNoted } from '#test/scenario/_killed_import.ts'
import {
  call,
  firstKey,
  newDataDir,
  runArklog,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'

type Report = {
  readonly registered: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly left_out: number
  readonly fields: { readonly carried: Readonly<Record<string, number>> }
}

/** A record as DataCite's dumps have it, related to the one that stands after it. */
function record(number: number, title = `Tides, part ${number}`) {
  const doi = (which: number) => `10.5555/migrated.${which}`
  const related = {
    relationType: 'IsContinuedBy',
    relatedIdentifierType: 'DOI',
    relatedIdentifier: doi(number + 1).toUpperCase(),
  }
  const attributes = {
    doi: doi(number),
    state: 'findable',
    titles: [{ title, lang: 'en' }],
    creators: [{ name: 'Quillmark, Ada', givenName: 'Ada', familyName: 'Quillmark' }],
    publisher: 'A Press',
    publicationYear: 2024,
    types: { resourceTypeGeneral: 'Dataset' },
    subjects: [{ subject: 'tides' }, { subject: 'bays' }],
    descriptions: [
      {
        descriptionType: 'Abstract',
        // So long that a dump is many calls: a kill finds most of them still to come.
        description: 'Levels of one station, by the hour. '.repeat(240),
      },
    ],
    relatedIdentifiers: [related],
    url: `https://press.example/${number}`,
  }
  const client = { data: { id: number % 2 === 0 ? 'even.repo' : 'odd.repo', type: 'clients' } }
  return { id: attributes.doi, type: 'dois', attributes, relationships: { client } }
}

/** A dump of so many records, in parts, and the names of its clients beside it. */
async function writeDump(folder: string, records: readonly object[]): Promise<readonly string[]> {
  const partOf = 700
  await fs.rm(path.join(folder, 'dois'), { recursive: true, force: true })
  await fs.mkdir(path.join(folder, 'dois'), { recursive: true })
  for (let first = 0; first < records.length; first += partOf) {
    const lines = records.slice(first, first + partOf).map((each) => `${JSON.stringify(each)}\n`)
    const file = path.join(folder, 'dois', `part_${String(first).padStart(6, '0')}.jsonl.gz`)
    await fs.writeFile(file, gzipSync(lines.join('')))
  }
  const dump = path.join(folder, 'dump.tar')
  execFileSync('tar', ['-cf', dump, '-C', folder, 'dois'])
  const names = path.join(folder, 'names.json')
  const client = { id: 'even.repo', attributes: { name: 'Even Repository' } }
  await fs.writeFile(names, JSON.stringify({ data: [client] }))
  return ['migrate', dump, '--from', 'datacite', '--names', names, '--owner', 'org:demo']
}

test.serial(
  'a dump is migrated, killed twice: none is there twice, and none is lost',
  async (t) => {
    const settings: Settings = { DATA_DIR: await newDataDir(t) }
    const server = await startServer(t, settings)
    const count = 2_000
    const records = Array.from({ length: count }, (_, index) => record(index))
    const dump = path.join(settings['DATA_DIR'] ?? '', 'dump')
    const args = await writeDump(dump, records)
    const first = await killOnceNoted(t, args, settings, 0)
    const second = await killOnceNoted(t, args, settings, first)
    t.true(first > 0 && second > first && second < count, `${first}, ${second}`)

    const report = await runJson<Report>(t, args, settings)
    t.like(report, { registered: count, changed: 0, failed: 0, left_out: 0 })
    t.is(report.fields.carried['work_title'], count)

    const key = firstKey(server)
    const find = async (number: number) => {
      const found = await call<{
        works: readonly { ark_identifier: string; registrant: { id: string } }[]
      }>(server, `/v1/works/by-doi/10.5555/migrated.${number}`, { key })
      t.is(found.body.works.length, 1, String(number))
      return found.body.works[0]
    }
    for (const number of [0, 1, 699, 700, 1_422, count - 1]) {
      const found = await find(number)
      t.is(found?.registrant.id, number % 2 === 0 ? 'even-repo' : 'demo')
      const { body } = await call<{
        related_identifiers: readonly { identifier: string; relation: string; scheme: string }[]
      }>(server, `/v1/works/${found?.ark_identifier}`, { key })
      const related = number + 1 === count ? undefined : await find(number + 1)
      const next = related?.ark_identifier.replace('ark:/', 'ark:')
      const doi = `10.5555/migrated.${number + 1}`
      t.deepEqual(body.related_identifiers, [
        { identifier: doi, relation: 'IsContinuedBy', scheme: 'DOI' },
        ...(next ? [{ identifier: next, relation: 'IsContinuedBy', scheme: 'ARK' }] : []),
      ])
    }

    const mended = records.map((each, index) => (index === 5 ? record(5, 'Tides, mended') : each))
    const again = await runJson<Report>(t, await writeDump(dump, mended), settings)
    t.like(again, { registered: 0, changed: 1, unchanged: count - 1, failed: 0 })
    const other = await runArklog(t, [...args, '--from', 'crossref', '--dry-run'], settings)
    t.regex(other.stdout, /record 1: The record is one of datacite, not of crossref\./)
    t.regex(other.stdout, /\n0 works would be registered, 2000 lines failed/)
    const done = await runArklog(t, args, settings)
    t.regex(done.stdout, /was imported before/)
  },
)
