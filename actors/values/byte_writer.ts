import { bufferOf } from '#actors/values/serialization.ts'

/** Bytes that a writer has room for at first, and keeps when it has written more. */
const keptBytes = 65_536

/**
 * Writes the parts of a text into bytes, one after the other: joined as texts they would be copied
 * twice more. It serves one text after the other; whoever begins one takes it without waiting.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(keptBytes)
  #length = 0

  /** Bytes that were written of the text. */
  get length(): number {
    return this.#length
  }

  /** Begins a text. What was not taken is dropped: an error has come between. */
  begin(): this {
    this.#length = 0
    return this
  }

  /** Writes a part in UTF-8. */
  text(part: string): this {
    // No character of a text takes more than three bytes.
    this.#makeRoom(3 * part.length)
    this.#length += this.#bytes.write(part, this.#length)
    return this
  }

  /** Writes a part that is ASCII, which takes half of the time. */
  ascii(part: string): this {
    this.#makeRoom(part.length)
    this.#length += this.#bytes.write(part, this.#length, 'latin1')
    return this
  }

  /** Writes the bytes from `start` up to, not including, `end`. */
  bytes(part: Uint8Array, start = 0, end = part.length): this {
    this.#makeRoom(end - start)
    this.#length += bufferOf(part).copy(this.#bytes, this.#length, start, end)
    return this
  }

  /** What was written, in memory of its own. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    if (this.#bytes.length === keptBytes) return Buffer.from(written)
    this.#bytes = Buffer.allocUnsafeSlow(keptBytes)
    return written
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
