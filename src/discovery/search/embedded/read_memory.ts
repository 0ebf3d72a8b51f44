import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** For how long something is believed that need not be known to the last record. */
const believedMs = 30_000

/** What was read once, when, and how far the index was then. */
type Remembered<T> = { readonly position: number; readonly readMs: number; readonly value: T }

/** How far an index is, so that it can be told whether what was read of it is still so. */
export class IndexPosition {
  readonly #read: StatementSync

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('SELECT position FROM state')
  }

  now(): number {
    return Number(this.#read.get()?.['position'])
  }
}

/** Remembers what was read of an index, as long as the index is as it was, or for a short while. */
export class ReadMemory<T> {
  readonly #position: IndexPosition
  readonly #entriesMax: number
  readonly #remembered = new Map<string, Remembered<T>>()

  constructor(position: IndexPosition, entriesMax: number) {
    this.#position = position
    this.#entriesMax = entriesMax
  }

  /**
   * What `read` gives for a name. What `isBelieved` holds for is not read again for half a minute,
   * however the index changes.
   */
  recall(name: string, read: () => T, isBelieved: (value: T) => boolean = () => false): T {
    const position = this.#position.now()
    const known = this.#remembered.get(name)
    if (known !== undefined) {
      if (known.position === position) return known.value
      if (isBelieved(known.value) && performance.now() - known.readMs < believedMs) {
        return known.value
      }
    }
    const value = read()
    if (this.#remembered.size >= this.#entriesMax) this.#remembered.clear()
    this.#remembered.set(name, { position, readMs: performance.now(), value })
    return value
  }
}
