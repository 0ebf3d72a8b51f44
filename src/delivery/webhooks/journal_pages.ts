import { LRUCache } from 'lru-cache'

import type { Occurrence } from '#actors/catalogue/provenance.ts'
import type { RecordFeed } from '#actors/catalogue/feeds.ts'
import type { OccurrencesAfter } from '#src/delivery/webhooks/lane.ts'

/** Events of a page, and pages that are kept: what lanes read that are behind by as much. */
export const pageEvents = 200
const pagesMax = 32

/**
 * What happened, page by page as it is read from the store: a lane that is behind sends one message
 * after another of the same page, and others that are behind are often at the same one.
 */
export class JournalPages {
  readonly #records: Pick<RecordFeed, 'occurrences'>
  readonly #pages = new LRUCache<number, Promise<OccurrencesAfter>>({ max: pagesMax })

  constructor(records: Pick<RecordFeed, 'occurrences'>) {
    this.#records = records
  }

  /**
   * What happened after a `seq` up to another one, as far as the page goes. `until` is in the
   * journal.
   */
  async read(after: number, until: number): Promise<OccurrencesAfter> {
    const begin = after - (after % pageEvents)
    // A page that is not full yet is read as far as it goes, and again when there is more.
    if (begin + pageEvents > until) return this.#records.occurrences(after, until - after)
    const { occurrences, next } = await this.#page(begin)
    return { occurrences: occurrences.filter(({ seq }) => seq > after), next }
  }

  async #page(begin: number): Promise<OccurrencesAfter> {
    const kept = this.#pages.get(begin)
    if (kept !== undefined) return kept
    const page = this.#records.occurrences(begin, pageEvents)
    this.#pages.set(begin, page)
    try {
      return await page
    } catch (error) {
      this.#pages.delete(begin)
      throw error
    }
  }
}

/** What happened last: all who hear of it find it here, and read it from the store once. */
const recentMax = 2_000

/** The newest of what was seen of the journal, in its order. */
export class RecentOccurrences {
  readonly #occurrences: Occurrence[] = []
  /** Everything between these two places of the journal is here. */
  #begin = 0
  #end = 0

  /** Forgets everything: what follows comes after this `seq`. */
  reset(seq: number): void {
    this.#occurrences.length = 0
    this.#begin = seq
    this.#end = seq
  }

  /** Takes in what was seen up to a `seq`. */
  add(occurrences: readonly Occurrence[], end: number): void {
    this.#occurrences.push(...occurrences)
    this.#end = end
    const tooMany = this.#occurrences.length - recentMax
    if (tooMany <= 0) return
    const [last] = this.#occurrences.splice(0, tooMany).slice(-1)
    if (last !== undefined) this.#begin = last.seq
  }

  /**
   * What happened after a `seq` up to another one, `limit` at most; undefined if not all of it is
   * here.
   */
  read(after: number, until: number, limit: number): OccurrencesAfter | undefined {
    if (after < this.#begin || until > this.#end) return undefined
    const first = this.#indexAfter(after)
    const occurrences: Occurrence[] = []
    for (const occurrence of this.#occurrences.slice(first, first + limit)) {
      if (occurrence.seq > until) return { occurrences, next: until }
      occurrences.push(occurrence)
    }
    const isAll = first + limit >= this.#occurrences.length
    return { occurrences, next: isAll ? until : (occurrences.at(-1)?.seq ?? until) }
  }

  /** The index of the first that comes after a `seq`. */
  #indexAfter(seq: number): number {
    let low = 0
    let high = this.#occurrences.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const at = this.#occurrences[middle]
      if (at !== undefined && at.seq <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
