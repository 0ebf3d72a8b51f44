import type { HarvestRecord, HarvestSet, RecordSource } from '#src/discovery/oai/record_source.ts'

/** A record source that a test fills by hand; records stand in the order of their positions. */
export type MemorySource = RecordSource & {
  /** Puts a record at the end, in the place of one with the same ARK. */
  put(record: Omit<HarvestRecord, 'position'>): void
  /** How long it does not know yet what has happened, in seconds. */
  lagSeconds: number
}

export function memorySource(earliest: number, organizations: readonly HarvestSet[]): MemorySource {
  let records: HarvestRecord[] = []
  let position = 0
  const inRange = ({ from, until, set }: Parameters<RecordSource['count']>[0]) =>
    records.filter(
      ({ datestamp, sets }) =>
        datestamp >= from && datestamp <= until && (set === undefined || sets.includes(set)),
    )
  return {
    earliest,
    lagSeconds: 0,
    put(record) {
      records = [...records.filter(({ ark }) => ark !== record.ark), { ...record, position }]
      position += 1
    },
    async settle(now) {
      const until = Math.max(records.at(-1)?.datestamp ?? earliest, now - this.lagSeconds)
      return { at: Math.min(now, until), until }
    },
    record: async (ark) => records.find((record) => record.ark === `ark:/${ark}`),
    async records(range, { after = -1, limit, bytesEnough }) {
      const rest = inRange(range).filter((record) => record.position > after)
      let bytes = 0
      const found = rest.slice(0, limit).filter((record, index) => {
        const isIn = index === 0 || bytes < bytesEnough
        bytes += record.work?.metadata.length ?? 0
        return isIn
      })
      return { records: found, hasMore: found.length < rest.length }
    },
    count: async (range) => inRange(range).length,
    setName: (slug) => organizations.find((organization) => organization.slug === slug)?.name,
    sets: async ({ after = '', limit }) =>
      organizations.filter(({ slug }) => slug > after).slice(0, limit),
  }
}
