import { Stride } from '#actors/kernel/stride.ts'
import type { Store } from '#log/base/store.ts'
import type {
  HarvestRange,
  HarvestRecord,
  HarvestSet,
  RecordSlice,
  RecordSource,
  Settled,
  SlicePage,
} from '#src/discovery/oai/record_source.ts'
import { planPage } from '#src/discovery/oai_adapter/copy_plan.ts'
import {
  allRecords,
  blockPositions,
  type CopyState,
  countKey,
  countRows,
  decodeJson,
  encodeJson,
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
} from '#src/discovery/oai_adapter/copy_rows.ts'
import type { FeedPage } from '#src/discovery/oai_adapter/feed_page.ts'

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
  #catchUp = () => Promise.resolve()

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

  /** Notes that there is every change before a time of the registry, in seconds since 1970. */
  noteSettled(second: number): void {
    this.#settled = Math.max(this.#settled, second)
  }

  /** Notes that the feed had nothing more at a time of the registry, in seconds since 1970. */
  noteSilence(second: number): void {
    this.noteSettled(second - settledSeconds)
  }

  /** Has a reply wait for what there is to copy; `catchUp` resolves when it is there, or soon. */
  followedBy(catchUp: () => Promise<void>): void {
    this.#catchUp = catchUp
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

  /** What the copy can tell: it knows nothing of what came after its horizon. */
  async settle(nowSeconds: number): Promise<Settled> {
    if (this.horizon() < nowSeconds) await this.#catchUp()
    const until = this.horizon()
    return { at: Math.min(nowSeconds, until), until }
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
    { after, limit, bytesEnough }: SlicePage,
  ): Promise<RecordSlice> {
    const list = set === undefined ? allRecords : setList(set)
    const first = await this.#firstPosition(from)
    if (first === undefined) return { records: [], hasMore: false }
    const records: HarvestRecord[] = []
    let bytes = 0
    for await (const record of this.#recordsFrom(list, Math.max(first, (after ?? -1) + 1))) {
      if (record.datestamp > until) break
      const isFull = records.length === limit || (records.length > 0 && bytes >= bytesEnough)
      if (isFull) return { records, hasMore: true }
      records.push(record)
      bytes += record.work?.metadata.length ?? 0
    }
    return { records, hasMore: false }
  }

  /** The records of a list from a position on; those that move meanwhile are left out. */
  async *#recordsFrom(list: string, start: number): AsyncGenerator<HarvestRecord> {
    const stride = new Stride()
    const range = { gte: placeKey(list, start), lt: listEnd(list) }
    for await (const [key, row] of this.#store.scan(range)) {
      const position = keyPosition(list, key)
      const record = list === allRecords ? decodeRecord(position, row) : this.#recordAt(position)
      if (record === undefined) continue
      yield record
      await stride.step(record.work?.metadata.length ?? 0)
    }
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

function decodeRecord(position: number, row: Uint8Array): HarvestRecord {
  const { work, ...header } = decodeJson<StoredRecord>(row)
  if (work === undefined) return { ...header, position }
  // As the feed has it, which is how the registry keeps it.
  return { ...header, position, work: { ...work, metadata: encodeJson(work.metadata) } }
}
