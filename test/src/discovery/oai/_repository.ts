// A repository over records that a test puts there by hand, and what it answers.

import { sha256 } from '#log/tlog/hash.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { recordFormats, writeRecords } from '#src/discovery/oai/record_formats.ts'
import type { HarvestedWork, HarvestSet } from '#src/discovery/oai/record_source.ts'
import { OaiRepository, type RepositoryOptions } from '#src/discovery/oai/repository.ts'
import { type MemorySource, memorySource } from '#test/src/discovery/oai/_memory_source.ts'
import { child, type ReadElement, readXml } from '#test/src/_xml.ts'
import { orderedJson } from '#actors/values/serialization.ts'

export const baseUrl = 'https://registry.example/api/v1/oai'

/** When the repository began: 2026-01-01. */
export const earliest = Date.UTC(2026, 0, 1) / 1_000

/** An hour after that. */
const now = earliest + 3_600

const organizations: readonly HarvestSet[] = [
  { slug: 'press', name: 'A Press & Sons' },
  { slug: 'uni', name: 'Universität' },
]

export const metadata: Metadata = {
  work_title: 'On the order of <things>',
  work_type: 'article',
  authors: 'Ox, Ada; Pen, Bo',
  work_url: 'https://press.example/things?a=1&b=2',
}

/** The newest version of a work with this metadata. */
export function workOf(described: Metadata = metadata): HarvestedWork {
  const hash = Buffer.from(sha256(Buffer.from(orderedJson(described)))).toString('hex')
  return {
    version: 1,
    metadata: Buffer.from(orderedJson(described)),
    createdAt: '2026-01-01T00:00:00.500Z',
    writtenAt: '2026-01-01T00:00:00.500Z',
    receiptId: 'rcpt_2026_01_01_bcdfghjkmnpq',
    metadataHash: `sha256:${hash}`,
    contentHash: null,
    source: { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' },
  }
}

export type TestRepository = {
  readonly source: MemorySource
  /** The time that it believes, in seconds. */
  nowSeconds: number
  /** The text of a reply, and the reply as it is read. */
  answer(query: string): Promise<string>
  ask(query: string): Promise<ReadElement>
  /** The element of a reply that is named after its verb. */
  payload(query: string): Promise<ReadElement>
}

/** What a repository at an address works with, but for its records and their time. */
export function optionsAt(address: string): Omit<RepositoryOptions, 'source' | 'nowMs'> {
  return {
    baseUrl: address,
    registryUrl: 'https://registry.example',
    repositoryName: 'Registry <of> works',
    adminEmail: 'oai@registry.example',
    tokenKey: Buffer.alloc(32, 7),
    tokenTtlSeconds: 86_400,
    recordsMax: 10,
    formats: recordFormats(address),
    enableSets: true,
    write: (task) => Promise.resolve(writeRecords(task)),
  }
}

/** Opens a repository without records, 10 of which would fill a page. */
export function openRepository(changes: Partial<RepositoryOptions> = {}): TestRepository {
  const source = memorySource(earliest, organizations)
  const repository = new OaiRepository({
    ...optionsAt(baseUrl),
    source,
    nowMs: () => opened.nowSeconds * 1_000,
    ...changes,
  })
  const answer = async (query: string) =>
    Buffer.from(await repository.answer(new URLSearchParams(query))).toString('utf8')
  const opened: TestRepository = {
    source,
    nowSeconds: now,
    answer,
    ask: async (query) => readXml(await answer(query)),
    async payload(query) {
      const verb = new URLSearchParams(query).get('verb') ?? ''
      return child(readXml(await answer(query)), verb)
    },
  }
  return opened
}

/** Puts works there, `count` from the `first` on, each a second after the one before. */
export function putWorks({ source }: TestRepository, count: number, first = 0): void {
  for (let index = first; index < first + count; index += 1) {
    const sets = [index % 2 === 0 ? 'press' : 'uni']
    source.put({ ark: arkOf(index), datestamp: earliest + index, sets, work: workOf() })
  }
}

export function arkOf(index: number): string {
  return `ark:/12345/k2w${index}`
}
