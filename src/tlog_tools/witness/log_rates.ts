const windowMs = 60_000

/**
 * Counts the new checkpoints of each log in windows of a minute, in memory. Only what is about to
 * be cosigned counts, and a log alone can make it: so nobody can use up the rate of another's log.
 */
export class LogRates {
  readonly #windows = new Map<string, { endsMs: number; count: number }>()
  readonly #elapsedMs: () => number

  /** `elapsedMs` is a clock that only goes forward. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Counts a checkpoint; beyond `max` a minute it gives the milliseconds to wait, uncounted. */
  count(id: string, max: number): number {
    const now = this.#elapsedMs()
    const window = this.#windows.get(id)
    if (window === undefined || window.endsMs <= now) {
      this.#windows.set(id, { endsMs: now + windowMs, count: 1 })
      return 0
    }
    if (window.count >= max) return window.endsMs - now
    window.count += 1
    return 0
  }

  /** Forgets a log. */
  delete(id: string): void {
    this.#windows.delete(id)
  }
}
