import type { Operation } from '#log/store.ts'

/** Rows laid over others: what a batch will write, readable before it is written. */
export class Overlay {
  readonly #rows = new Map<string, Uint8Array | undefined>()
  readonly #below: (key: string) => Uint8Array | undefined

  constructor(below: (key: string) => Uint8Array | undefined) {
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
