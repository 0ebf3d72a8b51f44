import { LRUCache } from 'lru-cache'

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
