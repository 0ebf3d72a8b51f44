import { LRUCache } from 'lru-cache'

import { decodeEventFacts, readerOf, readEventRow, type ReadRow } from '#actors/journal/rows.ts'
import { unlessDamaged } from '#log/store/damage.ts'
import type { ReadStore } from '#log/base/store.ts'

/** Where the journal stands: how many events were published, and the time of the newest. */
export type JournalEnd = { readonly position: number; readonly newestAt: string }

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

/** The second of a time, since 1970. */
export function secondOf(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1_000)
}
