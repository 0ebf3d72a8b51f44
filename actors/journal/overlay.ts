import type { ReadRow } from '#actors/journal/view_row.ts'
import type { Operation } from '#log/store.ts'

/**
 * Reads each row once and remembers it, also that there is none: the rows of one pool are asked for
 * by its proposals and by their views, and a look into the store takes longer than all else.
 */
export function readOnce(read: ReadRow): ReadRow {
  const rows = new Map<string, Uint8Array | undefined>()
  return (key) => {
    const known = rows.get(key)
    if (known !== undefined || rows.has(key)) return known
    const row = read(key)
    rows.set(key, row)
    return row
  }
}

/** Rows laid over others: what a batch will write, readable before it is written. */
export class Overlay {
  readonly #rows = new Map<string, Uint8Array | undefined>()
  readonly #below: ReadRow

  constructor(below: ReadRow) {
    this.#below = below
  }

  /** The row as it will stand; undefined if there is none or it is deleted. */
  readonly read = (key: string): Uint8Array | undefined => {
    const value = this.#rows.get(key)
    return value === undefined && !this.#rows.has(key) ? this.#below(key) : value
  }

  put(key: string, value: Uint8Array): void {
    this.#rows.set(key, value)
  }

  apply(operations: readonly Operation[]): void {
    for (const operation of operations) {
      this.#rows.set(operation.key, operation.type === 'put' ? operation.value : undefined)
    }
  }

  /** Takes over the rows of an overlay that lies on this one. */
  absorb(above: Overlay): void {
    for (const [key, value] of above.#rows) this.#rows.set(key, value)
  }

  /** The batch that writes the rows, each key once. */
  operations(): Operation[] {
    const operations: Operation[] = []
    for (const [key, value] of this.#rows) {
      operations.push(value === undefined ? { type: 'del', key } : { type: 'put', key, value })
    }
    return operations
  }
}
