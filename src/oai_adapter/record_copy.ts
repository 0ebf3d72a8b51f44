import type { Store } from '#log/store.ts'
import type {
  HarvestRange,
  HarvestRecord,
  HarvestSet,
  RecordSource,
} from '#src/oai/record_source.ts'
import { planPage } from '#src/oai_adapter/copy_plan.ts'
import {
  allRecords,
  blockPositions,
  type CopyState,
  countKey,
  countRows,
  decodeJson,
  keyPosition,
  listEnd,
  organizationRows,
  placeKey,
  secondKey,
  secondRows,
  setList,
  stateKey,
  type StoredRecord,
  workKey,
} from '#src/oai_adapter/copy_rows.ts'
import type { FeedPage } from '#src/oai_adapter/feed_page.ts'

const emptyState: CopyState = { schema: 1, next: 0, end: 0, newest: 0, complete: false }

/** How long a change may take from its time to the feed: a commit, on a disk that stalls. */
const settledSeconds = 60

/** A record may move while it is looked up; twice in a row is more than can be waited for. */
const lookUpsMax = 5

/**
 * The adapter's copy of all records of a registry, in a store of its own. Who follows the feed is
 * its only writer; what of a batch is read while it is written is of before or of after it.
 */
export class RecordCopy implements RecordSource {
  readonly #store: Store
  #state: CopyState
  #settled = 0

  constructor(store: Store) {
    this.#store = store
    const row = store.get(stateKey)
    this.#state = row === undefined ? emptyState : decodeJson<CopyState>(row)
  }

  get state(): CopyState {
    return this.#state
  }

  /** Takes over a page of the feed, durably, and whole or not at all. Errors as `Store.commit`. */
  async apply(page: FeedPage): Promise<void> {
    const { operations, state } = planPage(this.#state, page, (key) => this.#store.get(key))
    await this.#store.commit(operations)
    this.#state = state
  }

  /** Notes that the feed had nothing more at a time of the registry, in seconds since 1970. */
  settle(second: number): void {
    this.#settled = Math.max(this.#settled, second - settledSeconds)
  }

  get earliest(): number {
    return Math.floor(Date.parse(this.#state.first ?? '1970-01-01') / 1_000)
  }

  /**
   * A later change may still have the second of the newest that was read; its position is later, so
   * lists that end with that second, and those that begin with it, have it.
   */
  horizon(): number {
    return Math.max(this.#state.newest, this.#settled)
  }

  record(ark: string): Promise<HarvestRecord | undefined> {
    for (let lookUp = 1; ; lookUp += 1) {
      const row = this.#store.get(workKey(ark))
      if (row === undefined) return Promise.resolve(undefined)
      const record = this.#recordAt(decodeJson<number>(row))
      if (record !== undefined || lookUp === lookUpsMax) return Promise.resolve(record)
    }
  }

  async records(
    { from, until, set }: HarvestRange,
    { after, limit }: { readonly after?: number; readonly limit: number },
  ): Promise<readonly HarvestRecord[]> {
    const list = set === undefined ? allRecords : setList(set)
    const first = await this.#firstPosition(from)
    if (first === undefined) return []
    let start = Math.max(first, (after ?? -1) + 1)
    const records: HarvestRecord[] = []
    for (;;) {
      const wanted = limit - records.length
      const page = await this.#readPlaces(list, start, wanted)
      for (const { position, record } of page) {
        if (record !== undefined && record.datestamp > until) return records
        if (record !== undefined) records.push(record)
        start = position + 1
      }
      // Records that moved while the list was read leave fewer than there were.
      if (page.length < wanted || records.length === limit) return records
    }
  }

  async #readPlaces(list: string, start: number, limit: number): Promise<readonly Place[]> {
    const places: Place[] = []
    const range = { gte: placeKey(list, start), lt: listEnd(list), limit }
    for await (const rows of this.#store.scanBatches(range)) {
      for (const [key, row] of rows) {
        const position = keyPosition(list, key)
        const record = list === allRecords ? decodeRecord(position, row) : this.#recordAt(position)
        places.push({ position, record })
      }
    }
    return places
  }

  async count({ from, until, set }: HarvestRange): Promise<number> {
    const list = set === undefined ? allRecords : setList(set)
    const start = await this.#firstPosition(from)
    const end = await this.#firstPosition(until + 1)
    if (start === undefined) return 0
    const counted = await this.#countFrom(list, start)
    return Math.max(0, end === undefined ? counted : counted - (await this.#countFrom(list, end)))
  }

  /** Records of a list from a position on: what is left of its block, and the blocks after it. */
  async #countFrom(list: string, start: number): Promise<number> {
    const block = Math.ceil(start / blockPositions)
    let records = 0
    const rest = { gte: placeKey(list, start), lt: placeKey(list, block * blockPositions) }
    for await (const rows of this.#store.scanBatches(rest)) records += rows.length
    const counts = { gte: countKey(list, block), lt: listEnd(countRows(list)) }
    for await (const [, row] of this.#store.scan(counts)) records += decodeJson<number>(row)
    return records
  }

  setName(slug: string): string | undefined {
    const row = this.#store.get(organizationRows + slug)
    return row === undefined ? undefined : decodeJson<string>(row)
  }

  async sets({
    after = '',
    limit,
  }: {
    readonly after?: string
    readonly limit: number
  }): Promise<readonly HarvestSet[]> {
    const sets: HarvestSet[] = []
    const range = { gt: organizationRows + after, lt: listEnd(organizationRows), limit }
    for await (const [key, row] of this.#store.scan(range)) {
      sets.push({ slug: key.slice(organizationRows.length), name: decodeJson<string>(row) })
    }
    return sets
  }

  /** The first position of records that changed in a second or after it; undefined if none did. */
  async #firstPosition(second: number): Promise<number | undefined> {
    const range = { gte: secondKey(Math.max(0, second)), lt: listEnd(secondRows), limit: 1 }
    for await (const [, row] of this.#store.scan(range)) return decodeJson<number>(row)
    return undefined
  }

  #recordAt(position: number): HarvestRecord | undefined {
    const row = this.#store.get(placeKey(allRecords, position))
    return row === undefined ? undefined : decodeRecord(position, row)
  }
}

/** A place of a list; its record is gone if it moved since the place was read. */
type Place = { readonly position: number; readonly record: HarvestRecord | undefined }

function decodeRecord(position: number, row: Uint8Array): HarvestRecord {
  return { ...decodeJson<StoredRecord>(row), position }
}
