/** When things were done, by their names, of which those are forgotten that lie too far back. */
export class RecentTimes {
  readonly #keptMs: number
  /** The longest ago first. */
  readonly #timesMs = new Map<string, number>()

  /** A time counts for so many milliseconds. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** Whether it was done so shortly before that its time still counts. */
  has(name: string, nowMs: number): boolean {
    const timeMs = this.#timesMs.get(name)
    return timeMs !== undefined && nowMs - timeMs < this.#keptMs
  }

  /** Notes that it is done now. */
  set(name: string, nowMs: number): void {
    this.#timesMs.delete(name)
    this.#timesMs.set(name, nowMs)
    for (const [other, timeMs] of this.#timesMs) {
      if (nowMs - timeMs < this.#keptMs) return
      this.#timesMs.delete(other)
    }
  }

  delete(name: string): void {
    this.#timesMs.delete(name)
  }

  /** How many names are known. */
  get size(): number {
    return this.#timesMs.size
  }
}
