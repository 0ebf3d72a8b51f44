import {
  decodeRow,
  encodeRow,
  keyPosition,
  positionPart,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { Stride } from '#actors/kernel/stride.ts'
import { parseArk } from '#actors/values/ark.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation, Store } from '#log/store/store.ts'
import type {
  HarvestedWork,
  HarvestRange,
  HarvestRecord,
  HarvestSet,
  RecordSlice,
  RecordSource,
  Settled,
  SlicePage,
} from '#src/discovery/oai/record_source.ts'
import type { FeedPage, WorkChange } from '#src/cli/oai_adapter/change_source.ts'

/** What a stored record says; its position is in the key. */
type StoredRecord = Omit<HarvestRecord, 'position' | 'work'> & {
  readonly work?: StoredWork
}

/** A work in a stored record, all of which is one JSON text. */
type StoredWork = Omit<HarvestedWork, 'metadata'> & { readonly metadata: Metadata }

/** How far the copy is; it changes in the batch that changes the records. */
type CopyState = {
  readonly schema: 1
  /** What `after` takes for the next page of the feed, and what it takes at the end of the feed. */
  readonly next: number
  readonly end: number
  /** Time of the first change of the registry, by which it is known again. */
  readonly first?: string
  /** Seconds since 1970 of the newest change that was read. */
  readonly newest: number
  /** Whether the copy was ever complete: before that, nothing of it is shown. */
  readonly complete: boolean
}

const stateKey = 'state'

/** The list of all records, whose rows are the records themselves. */
const allRecords = 'record/'

/** The list of an organization's records, whose rows are empty. */
function setList(slug: string): string {
  return `set/${slug}/`
}

/** The place of a record in a list. Positions are in hexadecimal, and sort as numbers do. */
function placeKey(list: string, position: number): string {
  return list + positionPart(position)
}

/** The key after all places of a list: `0` follows the slash. */
function listEnd(list: string): string {
  return `${list.slice(0, -1)}0`
}

/** The row that has the position of a work's record; `ark` is `naan/name`. */
function workKey(ark: string): string {
  return `work/${ark}`
}

/** The rows that have the first position of each second in which a record changed. */
const secondRows = 'second/'

/** Key of a second since 1970. */
function secondKey(second: number): string {
  return secondRows + positionPart(second)
}

/** The rows of organizations, by slug. */
const organizationRows = 'organization/'

/** Positions that are counted together. */
const blockPositions = 1_024

/** The rows that have how many records of a list are in each block of positions. */
function countRows(list: string): string {
  return `count/${list}`
}

/** Key of the count of a block, which holds the positions from `block * blockPositions` on. */
function countKey(list: string, block: number): string {
  return countRows(list) + positionPart(block)
}

/** The rows that a page of the feed changes, and how far the copy is then. */
type CopyPlan = { readonly operations: readonly Operation[]; readonly state: CopyState }

type Placed = { readonly position: number; readonly record: StoredRecord }

/**
 * What a page of the feed, the one after `state.next`, makes of a copy. Of several changes of a
 * work the last is kept. Changes that the copy knows are passed over: a page may come twice.
 */
function planPage(state: CopyState, page: FeedPage, read: ReadRow): CopyPlan {
  const draft = new Draft(read)
  let { first, newest } = state
  for (const change of page.changes) {
    first ??= change.at
    if (change.seq <= state.next) continue
    const second = Math.floor(Date.parse(change.at) / 1_000)
    newest = Math.max(newest, second)
    if ('organization' in change) {
      draft.put(organizationRows + change.organization.slug, change.organization.name)
    } else if ('ark' in change && change.ark !== undefined) {
      draft.change(change, second)
    }
  }
  const next = Math.max(state.next, page.next)
  const complete = state.complete || (next >= page.end && first !== undefined)
  const after: CopyState = {
    schema: 1,
    next,
    end: page.end,
    newest,
    complete,
    ...(first !== undefined && { first }),
  }
  draft.put(stateKey, after)
  return { operations: draft.operations(), state: after }
}

/** The rows that change, by key, and the works whose records do. */
class Draft {
  readonly #read: ReadRow
  readonly #puts = new Map<string, unknown>()
  readonly #works = new Map<string, { readonly old: Placed | undefined; now: Placed }>()

  constructor(read: ReadRow) {
    this.#read = read
  }

  put(key: string, value: unknown): void {
    this.#puts.set(key, value)
  }

  change(change: WorkChange, datestamp: number): void {
    const parsed = parseArk(change.ark)
    assert(parsed.type === 'ark', `the registry names its works by ARKs, not ${change.ark}`)
    const known = this.#works.get(parsed.ark)
    const old = known === undefined ? this.#stored(parsed.ark) : known.old
    const record = changedRecord((known?.now ?? old)?.record, change, datestamp)
    if (record === undefined) return
    const now = { position: change.seq, record }
    this.#works.set(parsed.ark, { old, now })
    const key = secondKey(datestamp)
    if (!this.#puts.has(key) && this.#read(key) === undefined) this.put(key, change.seq)
  }

  #stored(ark: string): Placed | undefined {
    const row = this.#read(workKey(ark))
    if (row === undefined) return undefined
    const position = decodeRow<number>(row)
    const stored = this.#read(placeKey(allRecords, position))
    assert(stored !== undefined, 'a work has a record at its position')
    return { position, record: decodeRow<StoredRecord>(stored) }
  }

  operations(): Operation[] {
    const moves = new Map<string, number>()
    const deletes: Operation[] = []
    for (const [ark, { old, now }] of this.#works) {
      for (const list of listsOf(old)) {
        deletes.push({ type: 'del', key: placeKey(list, old?.position ?? 0) })
        count(moves, list, old?.position ?? 0, -1)
      }
      for (const list of listsOf(now)) {
        this.put(placeKey(list, now.position), list === allRecords ? now.record : 0)
        count(moves, list, now.position, 1)
      }
      this.put(workKey(ark), now.position)
    }
    for (const [key, moved] of moves) {
      const row = this.#read(key)
      this.put(key, (decodeRow<number>(row) ?? 0) + moved)
    }
    const puts = Array.from(
      this.#puts,
      ([key, value]): Operation => ({ type: 'put', key, value: encodeRow(value) }),
    )
    return [...deletes, ...puts]
  }
}

function listsOf(placed: Placed | undefined): readonly string[] {
  return placed === undefined ? [] : [allRecords, ...placed.record.sets.map(setList)]
}

function count(moves: Map<string, number>, list: string, position: number, by: 1 | -1): void {
  const key = countKey(list, Math.floor(position / blockPositions))
  moves.set(key, (moves.get(key) ?? 0) + by)
}

/** The record after a change; undefined if harvesters see nothing of it. */
function changedRecord(
  before: StoredRecord | undefined,
  change: WorkChange,
  datestamp: number,
): StoredRecord | undefined {
  const { ark, sets, status, metadata, version, content_hash: contentHash, content_file } = change
  const record = { ark, datestamp, sets }
  // The metadata of a work that was erased later is gone from the feed, too.
  if (status === 'withdrawn' || metadata === null) {
    return before !== undefined && before.work === undefined ? undefined : record
  }
  // A check is by the registry itself, and the version is still its writer's.
  if (change.type === 'work.fixity_changed') {
    const isNews = before?.work?.version === version && before.work.contentHash !== contentHash
    return isNews
      ? { ...record, work: { ...before.work, contentHash, ...fetchedOf(change) } }
      : undefined
  }
  const isSameContent = contentHash !== null && before?.work?.contentHash === contentHash
  const work: StoredWork = {
    version,
    metadata,
    createdAt: change.created_at,
    writtenAt: change.at,
    receiptId: change.receipt_id,
    metadataHash: change.metadata_hash,
    contentHash,
    ...(content_file !== undefined && { content_file }),
    ...(isSameContent && before.work.fetched && { fetched: before.work.fetched }),
    source: change.source,
  }
  return { ...record, work }
}

function fetchedOf({ content_type: mediaType = null, content_size: size }: WorkChange) {
  return size === undefined ? undefined : { fetched: { mediaType, size } }
}

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
    this.#state = decodeRow<CopyState>(row) ?? emptyState
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
      const record = this.#recordAt(decodeRow<number>(row))
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
      const position = keyPosition(key)
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
    for await (const [, row] of this.#store.scan(counts)) records += decodeRow<number>(row)
    return records
  }

  setName(slug: string): string | undefined {
    const row = this.#store.get(organizationRows + slug)
    return decodeRow<string>(row)
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
      sets.push({ slug: key.slice(organizationRows.length), name: decodeRow<string>(row) })
    }
    return sets
  }

  /** The first position of records that changed in a second or after it; undefined if none did. */
  async #firstPosition(second: number): Promise<number | undefined> {
    const range = { gte: secondKey(Math.max(0, second)), lt: listEnd(secondRows), limit: 1 }
    for await (const [, row] of this.#store.scan(range)) return decodeRow<number>(row)
    return undefined
  }

  #recordAt(position: number): HarvestRecord | undefined {
    const row = this.#store.get(placeKey(allRecords, position))
    return row === undefined ? undefined : decodeRecord(position, row)
  }
}

function decodeRecord(position: number, row: Uint8Array): HarvestRecord {
  const { work, ...header } = decodeRow<StoredRecord>(row)
  if (work === undefined) return { ...header, position }
  // As the feed has it, which is how the registry keeps it.
  return { ...header, position, work: { ...work, metadata: encodeRow(work.metadata) } }
}
