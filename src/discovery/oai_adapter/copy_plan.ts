import { parseArk } from '#actors/values/ark.ts'
import { assert } from '#log/base/errors.ts'
import type { Operation } from '#log/base/store.ts'
import {
  allRecords,
  blockPositions,
  type CopyState,
  countKey,
  decodeJson,
  encodeJson,
  organizationRows,
  placeKey,
  secondKey,
  setList,
  stateKey,
  type StoredRecord,
  type StoredWork,
  workKey,
} from '#src/discovery/oai_adapter/copy_rows.ts'
import type { FeedPage, WorkChange } from '#src/discovery/oai_adapter/feed_page.ts'

/** Reads a row of the copy. */
type Read = (key: string) => Uint8Array | undefined

/** The rows that a page of the feed changes, and how far the copy is then. */
export type CopyPlan = { readonly operations: readonly Operation[]; readonly state: CopyState }

type Placed = { readonly position: number; readonly record: StoredRecord }

/**
 * What a page of the feed, the one after `state.next`, makes of a copy. Of several changes of a
 * work the last is kept. Changes that the copy knows are passed over: a page may come twice.
 */
export function planPage(state: CopyState, page: FeedPage, read: Read): CopyPlan {
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
  readonly #read: Read
  readonly #puts = new Map<string, unknown>()
  readonly #works = new Map<string, { readonly old: Placed | undefined; now: Placed }>()

  constructor(read: Read) {
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
    const position = decodeJson<number>(row)
    const stored = this.#read(placeKey(allRecords, position))
    assert(stored !== undefined, 'a work has a record at its position')
    return { position, record: decodeJson<StoredRecord>(stored) }
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
      this.put(key, (row === undefined ? 0 : decodeJson<number>(row)) + moved)
    }
    const puts = Array.from(
      this.#puts,
      ([key, value]): Operation => ({ type: 'put', key, value: encodeJson(value) }),
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
  const { ark, sets, status, metadata, version, content_hash: contentHash } = change
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
    ...(isSameContent && before.work.fetched && { fetched: before.work.fetched }),
    source: change.source,
  }
  return { ...record, work }
}

function fetchedOf({ content_type: mediaType = null, content_size: size }: WorkChange) {
  return size === undefined ? undefined : { fetched: { mediaType, size } }
}
