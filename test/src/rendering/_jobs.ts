// Jobs of any size for what renders.

import { canonicalMetadata } from '#actors/metadata.ts'
import type { HarvestRecord } from '#src/oai/record_source.ts'
import type { FormatTask, RenderingJob } from '#src/rendering/rendering_job.ts'
import { metadata, workOf } from '#test/src/oai/_repository.ts'

type Job<T extends RenderingJob['type']> = Extract<RenderingJob, { type: T }>

/** A job of so many records, each of a work of so many authors. */
export function recordsJob({
  prefix,
  count,
  authors = 2,
}: {
  readonly prefix: string
  readonly count: number
  readonly authors?: number
}): Job<'records'> {
  const records = Array.from({ length: count }, (_, index): HarvestRecord => {
    const work = workOf({ ...metadata, authors: namesOf(authors), work_title: `Work ${index}` })
    return {
      ark: `ark:/12345/k2w${index}`,
      datestamp: 1_767_225_600,
      position: index,
      sets: [],
      work,
    }
  })
  return {
    type: 'records',
    verb: 'ListRecords',
    prefix,
    oaiUrl: 'https://registry.example/api/v1/oai',
    registryUrl: 'https://registry.example',
    enableSets: true,
    records,
    setNames: {},
    bytesEnough: 2 ** 30,
  }
}

/** A job of one work of so many authors. */
export function formatJob({
  authors,
  ...wish
}: Pick<FormatTask, 'format' | 'style'> & { readonly authors: number }): Job<'format'> {
  const names = namesOf(authors)
  const described = { ...metadata, authors: names }
  const resolution = {
    ark: 'ark:/12345/k2w',
    status: 'registered',
    version: 1,
    latest_version: 1,
    created_at: '2026-01-01T00:00:00.500Z',
    updated_at: '2026-01-01T00:00:00.500Z',
    links: { receipt: 'https://registry.example/api/v1/receipts/ark:/12345/k2w/v1' },
    authors: names.split('; ').map((name) => ({ name, claims: [] })),
    metadata: JSON.parse(canonicalMetadata(described)) as unknown,
  }
  return {
    type: 'format',
    resolution: Buffer.from(JSON.stringify(resolution)),
    place: { baseUrl: 'https://registry.example', isPinned: false, registrant: 'A Press' },
    ...wish,
  }
}

function namesOf(authors: number): string {
  return Array.from({ length: authors }, (_, index) => `Ox${index}, Ada`).join('; ')
}
