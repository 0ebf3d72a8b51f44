// Jobs of any size for what renders.

import type { HarvestRecord } from '#src/discovery/oai/record_source.ts'
import type { WantedRepresentation } from '#src/use_cases/landing_record.ts'
import type { RenderingJob } from '#src/cli/start/rendering/rendering_job.ts'
import { metadata, workOf } from '#test/src/discovery/oai/_repository.ts'
import { orderedJson } from '#actors/values/serialization.ts'

/** A job of so many records, each of a work of so many authors. */
export function recordsJob({
  prefix,
  count,
  authors = 2,
}: {
  readonly prefix: string
  readonly count: number
  readonly authors?: number
}): RenderingJob<'records'> {
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

// What some formats must have of a work.
const told = { published_date: '2026', access: { right: 'open' } }
const baseUrl = 'https://registry.example'
const ark = 'ark:/12345/k2w'
const at = '2026-01-01T00:00:00.500Z'
const source = { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' } as const
const links = {
  resolve: `${baseUrl}/api/v1/resolve/${ark}`,
  history: `${baseUrl}/api/v1/resolve/${ark}/history`,
  receipt: `${baseUrl}/api/v1/receipts/${ark}/v1`,
  proofs: `${baseUrl}/api/v1/proofs/${ark}/v1`,
}

/** A job of one work of so many authors. */
export function workJob(wanted: WantedRepresentation, authors: number): RenderingJob<'work'> {
  const names = namesOf(authors)
  const described = { ...metadata, authors: names, existing_doi: '10.1234/ox', ...told }
  const resolution = {
    ark,
    status: 'registered',
    version: 1,
    latest_version: 1,
    is_latest: true,
    created_at: at,
    updated_at: at,
    registered_at: at,
    content: {
      url: 'https://press.example/things',
      fixity_status: 'pending',
      media_type: null,
      size: null,
      checked_at: null,
    },
    authors: names.split('; ').map((name) => ({ name, claims: [] })),
    source,
    links,
    metadata: JSON.parse(orderedJson(described)) as unknown,
    receipt: {
      statement: 'registered',
      timestamp: at,
      content_hash: null,
      signature: { public_key: 'cd'.repeat(32) },
      chain_proof: { leaf_index: 4, tree_size: 9, merkle_root: 'ef'.repeat(32) },
    },
  }
  return {
    type: 'work',
    resolution: bytesOf(resolution),
    place: { baseUrl, isPinned: false, registrant: 'A Press' },
    wanted,
  }
}

/** The page of a work that was registered, and nothing else. */
export const wantedPage: WantedRepresentation = {
  name: 'html',
  landing: {
    sources: {
      environment: 'live',
      owner: source,
      related: [],
      versionsTotal: 1,
      versions: bytesOf({
        versions: [{ version: 1, kind: 'registered', created_at: at, changed_fields: [], source }],
      }),
      history: bytesOf({ events: [], next: null }),
      receipt: undefined,
      fixity: undefined,
      files: [],
    },
    site: { branding: { name: 'Arklog' }, baseUrl, accounts: { authUrl: `${baseUrl}/auth` } },
    nowMs: Date.parse('2026-03-01T12:00:00.000Z'),
    language: 'en',
  },
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

function namesOf(authors: number): string {
  return Array.from({ length: authors }, (_, index) => `Ox${index}, Ada`).join('; ')
}
