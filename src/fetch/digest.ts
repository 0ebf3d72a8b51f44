import { createHash } from 'node:crypto'

/** Hashes of a body as it was served, in lower-case hex, and its length. */
export type Digest = { readonly sha256: string; readonly sha512: string; readonly bytes: number }

/**
 * Hashes a body in one pass, as it comes. A chunk is hashed before the next is asked for, so a body
 * of any length takes the memory of one chunk.
 */
export class BodyDigest {
  readonly #bytesMax: number
  readonly #sha256 = createHash('sha256')
  readonly #sha512 = createHash('sha512')
  #bytes = 0

  /** For a body of no more than `bytesMax`. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Adds the next chunk; false if the body is too long, and nothing is to follow. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) return false
    this.#sha256.update(chunk)
    this.#sha512.update(chunk)
    return true
  }

  /** The digest of all that was added; to be called once. */
  end(): Digest {
    const bytes = this.#bytes
    return { sha256: this.#sha256.digest('hex'), sha512: this.#sha512.digest('hex'), bytes }
  }
}
