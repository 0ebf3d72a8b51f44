import { halfSipHash } from '#src/limits/half_sip_hash.ts'

/** COUNTER 5.1, section 7.2: of the same asked twice within so long, one is counted. */
const doubleClickMs = 30_000

/** Clicks that are remembered, in sets of which one is searched: 2 MiB. */
const clicksMax = 262_144
const setClicks = 4

/** The memory begins with the two halves of the salt and the day that it is of. */
const headWords = 4
const clickWords = 2

/** Memory for the clicks of a process, which all its threads look at. */
export function createClickMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((headWords + clicksMax * clickWords) * 4)
}

/**
 * Which clicks repeat another one. Of a click there is only a hash under a salt, and a time, in
 * memory; both are gone with the first click of another day. What is lost where more clicks come
 * within 30 s than there is room for, or where two threads write one place at once, is that a
 * repeated click is taken for a new one.
 */
export class DoubleClicks {
  readonly #words: Int32Array

  readonly #random: (count: number) => Uint8Array

  /** In this memory, which is zeros at first; `random` makes the salts. */
  constructor(memory: SharedArrayBuffer, random: (count: number) => Uint8Array) {
    this.#random = random
    this.#words = new Int32Array(memory)
  }

  /**
   * Whether the same was clicked no more than 30 s ago; it is remembered as clicked now. `day` is
   * that of `nowMs`, milliseconds since 1970.
   */
  isRepeated(click: string, day: number, nowMs: number): boolean {
    const words = this.#words
    if (words[2] !== day) this.#forget(day)
    const { first, last } = halfSipHash([words[0] ?? 0, words[1] ?? 0], click)
    const base = headWords + (first & (clicksMax / setClicks - 1)) * setClicks * clickWords
    // 0 is an empty place. Times are milliseconds of the day.
    const tag = last === 0 ? 1 : last
    const now = nowMs % 86_400_000
    let oldest = base
    for (let at = base; at < base + setClicks * clickWords; at += clickWords) {
      if (words[at] === tag) {
        const since = now - (words[at + 1] ?? 0)
        words[at + 1] = now
        return since >= 0 && since <= doubleClickMs
      }
      if ((words[at + 1] ?? 0) < (words[oldest + 1] ?? 0)) oldest = at
    }
    words[oldest] = tag
    words[oldest + 1] = now
    return false
  }

  #forget(day: number): void {
    this.#words.fill(0)
    this.#words.set(new Int32Array(new Uint8Array(this.#random(8)).buffer))
    this.#words[2] = day
  }
}
