import { LRUCache } from 'lru-cache'

import {
  decodeEventFacts,
  eventMetadata,
  keyPosition,
  positionPart,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { WorkState } from '#actors/works/events.ts'
import { readWork } from '#actors/works/record.ts'
import {
  harvestKey,
  harvestPrefix,
  lastChange,
  movedPrefix,
  ownedPrefix,
} from '#actors/works/views.ts'
import type { ReadStore, Row } from '#log/store/store.ts'
import { scanSound } from '#log/store/damage.ts'
import { unlessDamaged } from '#log/tlog/errors.ts'

/** A work at its place in the order of the changes that harvesters see. */
export type HarvestEntry = {
  readonly state: WorkState
  /** Position and time of its last change. */
  readonly changed: { readonly position: number; readonly at: string }
  /** Its newest version; undefined once the work was withdrawn. */
  readonly written: WrittenVersion | undefined
}

/** A version: when and by whom it was written, and its metadata as canonical JSON (RFC 8785). */
type WrittenVersion = {
  readonly at: string
  readonly by: Agent
  readonly metadata: Uint8Array
}

/**
 * How much is read at a time, after a position: so many places, or as many as have so many bytes of
 * metadata, whichever comes first; one at least.
 */
type HarvestPage = {
  readonly after?: number
  readonly limit: number
  readonly bytesEnough: number
}

/** Changes from one time to another, in seconds since 1970, both included; of one organization. */
type HarvestSpan = {
  readonly from: number
  readonly until: number
  readonly organization?: string
}

/**
 * All works that there ever were in the order of their last changes, which is that of the journal.
 * A work has one place: it moves to the end when it changes.
 */
export type Harvest = {
  /** Seconds since 1970 of the journal's first event; 0 while there is none. */
  earliest(): number
  /** Seconds since 1970 of the newest event that was published; 0 as above. */
  newest(): number
  /** A work, `naan/name`, at its place. */
  work(ark: string): HarvestEntry | undefined
  /** Places of a span, and whether it has more after them. */
  places(
    span: HarvestSpan,
    page: HarvestPage,
  ): Promise<{ readonly places: readonly HarvestEntry[]; readonly hasMore: boolean }>
  /** How many places a span has: exactly if they are few, else about how many. */
  count(span: HarvestSpan): Promise<number>
}

/** Where the journal stands: how many events were published, and the time of the newest. */
type JournalEnd = { readonly position: number; readonly newestAt: string }

/** Times of events that are kept. */
const timesKeptMax = 4_096

/** When the events of a journal came, in seconds since 1970; `end` is asked each time. */
export class JournalTimes {
  readonly #read: ReadRow
  readonly #end: () => JournalEnd
  /** The second of each event that was looked at, by its position: it never changes. */
  readonly #times = new LRUCache<number, number>({ max: timesKeptMax })

  constructor(store: Pick<ReadStore, 'get'>, end: () => JournalEnd) {
    this.#read = readerOf(store)
    this.#end = end
  }

  /**
   * The position of the first event that did not come before a second; that after the last one if
   * all did. The times of a journal never go back, so the event is found by halves.
   */
  firstFrom(second: number): number {
    let low = 0
    let high = this.#end().position
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.secondAt(middle) < second) low = middle + 1
      else high = middle
    }
    return low
  }

  /** When the event at a position came. One that is damaged came no later than the next. */
  secondAt(position: number): number {
    const { position: end, newestAt } = this.#end()
    for (let sound = position; sound < end; sound += 1) {
      const known = this.#times.get(sound)
      if (known !== undefined) return known
      const row = unlessDamaged(() => readEventRow(sound, this.#read))
      if (row === undefined) continue
      const second = secondOf(decodeEventFacts(sound, row).at)
      this.#times.set(sound, second)
      return second
    }
    return secondOf(newestAt)
  }
}

function secondOf(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1_000)
}

/**
 * The rows of two scans whose keys end with positions, in the order of these: of ascending ones, or
 * descending ones with `reverse`, as both scans must be.
 */
export async function* mergeScans(
  scans: readonly [AsyncIterable<Row>, AsyncIterable<Row>],
  { reverse = false }: { readonly reverse?: boolean } = {},
): AsyncGenerator<Row> {
  const [first, second] = scans.map((scan) => scan[Symbol.asyncIterator]()) as [Rows, Rows]
  try {
    let [a, b] = await Promise.all([first.next(), second.next()])
    while (a.done !== true || b.done !== true) {
      const isFirst = b.done === true || (a.done !== true && isBefore(a.value, b.value, reverse))
      const row = isFirst ? a.value : b.value
      yield row as Row
      if (isFirst) a = await first.next()
      else b = await second.next()
    }
  } finally {
    await Promise.all([first.return?.(), second.return?.()])
  }
}

type Rows = AsyncIterator<Row, undefined>

function isBefore([key]: Row, [other]: Row, reverse: boolean): boolean {
  return keyPosition(key) < keyPosition(other) !== reverse
}

/** Places that are counted one by one; of more it is said about how many. */
const countedMax = 10_000

/** Counts that are kept, of the spans asked for last. */
const countsKeptMax = 256

/** The share of the journal that may be newer than a count which is told. */
const newerShareMax = 0.01

/** A count of a span's places, and where the journal ended then. */
type KeptCount = { readonly journalEnd: number; readonly places: Promise<number> }

/** The order of changes, as reads of the committed views; `end` is asked each time. */
export function openHarvest(store: ReadStore, times: JournalTimes, end: () => JournalEnd): Harvest {
  return new StoreHarvest(store, times, end)
}

class StoreHarvest implements Harvest {
  readonly #store: ReadStore
  readonly #read: ReadRow
  readonly #end: () => JournalEnd
  readonly #counts = new LRUCache<string, KeptCount>({ max: countsKeptMax })
  readonly #times: JournalTimes
  #earliest = 0

  constructor(store: ReadStore, times: JournalTimes, end: () => JournalEnd) {
    this.#store = store
    this.#read = readerOf(store)
    this.#end = end
    this.#times = times
  }

  earliest(): number {
    if (this.#earliest === 0 && this.#end().position > 0) this.#earliest = this.#times.secondAt(0)
    return this.#earliest
  }

  newest(): number {
    const { position, newestAt } = this.#end()
    return position === 0 ? 0 : secondOf(newestAt)
  }

  work(ark: string): HarvestEntry | undefined {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return undefined
    const { state } = stored
    const isGone = state.status === 'withdrawn'
    const written = isGone ? undefined : this.#written(state.position)
    return { state, changed: lastChange(state), written }
  }

  #written(position: number): WrittenVersion {
    const row = readEventRow(position, this.#read)
    const { at, by } = decodeEventFacts(position, row)
    return { at, by, metadata: eventMetadata(row) }
  }

  async places(
    span: HarvestSpan,
    { after, limit, bytesEnough }: HarvestPage,
  ): Promise<{ readonly places: readonly HarvestEntry[]; readonly hasMore: boolean }> {
    const places: HarvestEntry[] = []
    const stride = new Stride()
    let bytes = 0
    let start = after === undefined ? this.#times.firstFrom(span.from) : after + 1
    for (;;) {
      // The place after the page tells that there is one.
      const wanted = limit + 1 - places.length
      let read = 0
      for await (const [key, row] of this.#scan(span, start, wanted)) {
        start = keyPosition(key) + 1
        read += 1
        const place = unlessDamaged(() => this.work(Buffer.from(row).toString('utf8')))
        // What has changed since the scan began has its place further on, and a damaged work has
        // none: those after it do not wait until it was restored.
        if (place?.changed.position === keyPosition(key)) {
          if (secondOf(place.changed.at) > span.until) return { places, hasMore: false }
          const isFull = places.length === limit || (places.length > 0 && bytes >= bytesEnough)
          if (isFull) return { places, hasMore: true }
          places.push(place)
          const { length } = place.written?.metadata ?? []
          bytes += length
          await stride.step(length)
        }
        if (read === wanted) break
      }
      if (read < wanted) return { places, hasMore: false }
    }
  }

  // To count is to read all rows of the span, and every harvest that begins asks for it.
  count(span: HarvestSpan): Promise<number> {
    const { position: journalEnd } = this.#end()
    const start = this.#times.firstFrom(span.from)
    const end = this.#times.firstFrom(span.until + 1)
    const key = `${start} ${end} ${span.organization ?? ''}`
    const kept = this.#counts.get(key)
    const newer = kept === undefined ? Infinity : journalEnd - kept.journalEnd
    if (kept !== undefined && newer <= journalEnd * newerShareMax) return kept.places
    const places = this.#count(span, start, end)
    this.#counts.set(key, { journalEnd, places })
    // A count that failed is made anew.
    places.catch(() => this.#counts.delete(key))
    return places
  }

  async #count(span: HarvestSpan, start: number, end: number): Promise<number> {
    let counted = 0
    for await (const [key] of this.#scan(span, start, countedMax)) {
      const position = keyPosition(key)
      if (position >= end) return counted
      counted += 1
      // The rest is as dense as what was counted.
      if (counted === countedMax) {
        return Math.round((counted * (end - start)) / (position + 1 - start))
      }
    }
    return counted
  }

  /** Rows of a span from a position on; at least `limit` of them are in order. */
  #scan({ organization }: HarvestSpan, start: number, limit: number): AsyncIterable<Row> {
    const rowsFrom = (prefix: string) =>
      scanSound(this.#store, { gte: prefix + positionPart(start), lt: `${prefix}~`, limit })
    if (organization === undefined) return rowsFrom(harvestPrefix)
    const owner = { type: 'organization', id: organization } as const
    return mergeScans([rowsFrom(ownedPrefix(owner)), rowsFrom(movedPrefix(owner))])
  }
}

/** A work with the journal position and the time of its last change. */
export type ChangedWork = {
  readonly state: WorkState
  readonly position: number
  readonly at: string
}

/**
 * All works in the order of their last changes, withdrawn ones too. A work that changes leaves its
 * place for one at the end, so that what comes before a position only loses works.
 */
export type ChangeOrder = {
  /** The first place that is not before a position; undefined if there is none. */
  firstFrom(position: number): Promise<number | undefined>
  /** The newest ones, newest first: those before a position. */
  newest(page: { readonly before?: number; readonly limit: number }): Promise<ChangedWork[]>
  /** Oldest first, from a position on and before another one, many at a time. */
  between(from: number, before: number): AsyncIterable<readonly ChangedWork[]>
}

/** Reads the order from the committed views. */
export function openChangeOrder(store: ReadStore): ChangeOrder {
  const end = `${harvestPrefix}~`
  const read = readerOf(store)
  // A work that has changed since its row was read has its place at the end; a damaged one has
  // none, and is not held against the others.
  const readPlace = ([key, ark]: Row): readonly ChangedWork[] => {
    const stored = unlessDamaged(() => readWork(Buffer.from(ark).toString('utf8'), read))
    if (stored === undefined) return []
    const { state } = stored
    const { position, at } = lastChange(state)
    return position === keyPosition(key) ? [{ state, position, at }] : []
  }
  return {
    async firstFrom(position) {
      const range = { gte: harvestKey(position), lt: end, limit: 1 }
      for await (const [key] of scanSound(store, range)) return keyPosition(key)
      return undefined
    },
    async newest({ before, limit }) {
      const lt = before === undefined ? end : harvestKey(before)
      const works: ChangedWork[] = []
      for await (const row of scanSound(store, { gte: harvestPrefix, lt, reverse: true })) {
        works.push(...readPlace(row))
        if (works.length === limit) break
      }
      return works
    },
    async *between(from, before) {
      const range = { gte: harvestKey(from), lt: harvestKey(before) }
      for await (const row of scanSound(store, range)) yield readPlace(row)
    },
  }
}
