import type { Occurrence } from '#actors/catalogue/provenance.ts'
import type { OccurrencesAfter } from '#src/delivery/webhooks/lane.ts'

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
