import { encodeHex } from '#log/tlog/encoding.ts'
import { tileHeight } from '#log/tlog/tile.ts'
import type { HashReader } from '#log/tlog/tree.ts'

// Texts that are kept, a power of two: all of a log of two million entries, in 2 MB.
const slots = 16_384

/**
 * Spells nodes of a tree in lower-case hex. Those of full tiles and above are parts of many proofs
 * and never change, so their texts are kept: each has one slot, which the last one read takes.
 */
export class NodeTexts {
  readonly #read: HashReader
  /** The node in each slot: its index, and beside it its level; -1 if there is none. */
  readonly #indexes = new Float64Array(slots).fill(-1)
  readonly #levels = new Uint8Array(slots)
  readonly #texts = Array.from({ length: slots }, () => '')

  constructor(read: HashReader) {
    this.#read = read
  }

  /** The hash of a complete subtree. Errors as those of the reader. */
  read(level: number, index: number): string {
    if (level < tileHeight) return encodeHex(this.#read(level, index))
    const slot = (index + level * 2_654_435_761) & (slots - 1)
    if (this.#indexes[slot] === index && this.#levels[slot] === level) {
      return this.#texts[slot] as string
    }
    const text = encodeHex(this.#read(level, index))
    this.#indexes[slot] = index
    this.#levels[slot] = level
    this.#texts[slot] = text
    return text
  }
}
