import { halfSipHash } from '#src/limits/half_sip_hash.ts'

/** COUNTER 5.1, section 7.2: of the same asked twice within so long, one is counted. */
const doubleClickMs = 30_000

/** Uses of a kind that a work has of an address on a day: a class of a school is counted whole. */
export const addressUsesMax = 30

/** Hashes of clicks, and of addresses, that are remembered, in sets that are searched: 2 MiB. */
const hashesMax = 262_144
const setHashes = 4

/** The memory begins with the two halves of the salt and the day that it is of. */
const headWords = 4
const hashWords = 2
const tableWords = hashesMax * hashWords

/** Where the tables begin: when each click was last, and how often each address has used a work. */
const clicksAt = headWords
const addressesAt = headWords + tableWords

/** Bits of a count, beside the second of the day in which it was last counted on. */
const countBits = 8

/** Memory for the clicks of a process, which all its threads look at. */
export function createClickMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((headWords + 2 * tableWords) * 4)
}

/**
 * Which clicks repeat another one, and which are too many from one address. Of each there is only a
 * hash under a salt, with a time, in memory; all are gone with the first click of another day. What
 * is lost where more come than there is room for, or where two threads write one place at once, is
 * that a click is counted which should not be.
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
    const at = this.#placeOf(clicksAt, click, day)
    // 0 is never.
    const now = (nowMs % 86_400_000) + 1
    const last = this.#words[at] ?? 0
    this.#words[at] = now
    return last > 0 && now >= last && now - last <= doubleClickMs
  }

  /** Whether an address has had all its uses of something on this day; if not, this is one more. */
  isTooMany(use: string, day: number, nowMs: number): boolean {
    const at = this.#placeOf(addressesAt, use, day)
    const uses = (this.#words[at] ?? 0) & (2 ** countBits - 1)
    const isTooMany = uses >= addressUsesMax
    const second = Math.floor((nowMs % 86_400_000) / 1_000)
    this.#words[at] = (second << countBits) | (isTooMany ? uses : uses + 1)
    return isTooMany
  }

  /**
   * The place of what is remembered with the hash of a text; if there is none, that of the oldest
   * of its set, emptied.
   */
  #placeOf(table: number, text: string, day: number): number {
    const words = this.#words
    if (words[2] !== day) this.#forget(day)
    const { first, last } = halfSipHash([words[0] ?? 0, words[1] ?? 0], text)
    const base = table + (first & (hashesMax / setHashes - 1)) * setHashes * hashWords
    // 0 is an empty place.
    const tag = last === 0 ? 1 : last
    let oldest = base
    for (let at = base; at < base + setHashes * hashWords; at += hashWords) {
      if (words[at] === tag) return at + 1
      if ((words[at + 1] ?? 0) < (words[oldest + 1] ?? 0)) oldest = at
    }
    words[oldest] = tag
    words[oldest + 1] = 0
    return oldest + 1
  }

  #forget(day: number): void {
    this.#words.fill(0)
    this.#words.set(new Int32Array(new Uint8Array(this.#random(8)).buffer))
    this.#words[2] = day
  }
}
