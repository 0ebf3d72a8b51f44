import { sha256 } from '#log/tlog/hash.ts'
import { assert } from '#log/base/errors.ts'

/**
 * A digest of a set of rows, kept up to date row by row: the hashes of all rows, added bit by bit
 * without carry. It is written in each batch beside the rows that the batch changes. So it tells,
 * when the store is opened, that a batch was lost from the middle of a damaged file, whose rows are
 * old and sound. It guards against damage, not against somebody who writes to the store.
 */
export class RowDigest {
  readonly #rows = new Map<string, Uint8Array>()
  readonly #sum = new Uint8Array(32)

  /** Takes note of what is at a key now; undefined if nothing is. */
  set(key: string, value: Uint8Array | undefined): void {
    assert(!key.includes('\0'), 'a key has no NUL, so that key and value are told apart')
    const before = this.#rows.get(key)
    if (before !== undefined) this.#add(before)
    this.#rows.delete(key)
    if (value === undefined) return
    const hash = sha256(Buffer.concat([Buffer.from(`${key}\0`), value]))
    this.#rows.set(key, hash)
    this.#add(hash)
  }

  /** 64 hex digits: the same for the same rows, in whatever order they were set. */
  toString(): string {
    return Buffer.from(this.#sum).toString('hex')
  }

  #add(hash: Uint8Array): void {
    for (const [at, byte] of hash.entries()) {
      this.#sum[at] = (this.#sum[at] as number) ^ byte
    }
  }
}
