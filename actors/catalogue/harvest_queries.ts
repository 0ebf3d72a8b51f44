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
import type {
  Harvest,
  HarvestEntry,
  HarvestPage,
  HarvestSpan,
  WrittenVersion,
} from '#actors/catalogue/harvest.ts'
import { harvestPrefix, lastChange, movedPrefix, ownedPrefix } from '#actors/works/views.ts'
import { type JournalEnd, type JournalTimes, secondOf } from '#actors/catalogue/journal_times.ts'
import { mergeScans } from '#actors/catalogue/merged_scan.ts'
import { Stride } from '#actors/kernel/stride.ts'
import { readWork } from '#actors/works/record.ts'
import { scanSound, unlessDamaged } from '#log/store/damage.ts'
import type { ReadStore, Row } from '#log/base/store.ts'

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
