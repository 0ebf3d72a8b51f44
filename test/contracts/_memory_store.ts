import { LogError } from '#log/tlog/errors.ts'
import type { Operation, Range, Row, Store } from '#log/store/store.ts'

const batchRows = 16

const noBytes = new Uint8Array(0)

/** What a memory store keeps over its close and its next opening. */
export type MemoryDisk = Map<string, Uint8Array>

/** A store in memory, over rows that outlive it as a disk would. */
export function openMemoryStore(disk: MemoryDisk = new Map()): Store {
  return new MemoryStore(disk)
}

class MemoryStore implements Store {
  readonly #rows: MemoryDisk
  #isOpen = true
  #sortedKeys: string[] | undefined

  constructor(disk: MemoryDisk) {
    this.#rows = disk
  }

  get(key: string): Uint8Array | undefined {
    this.#checkOpen()
    const value = this.#rows.get(key)
    return value && new Uint8Array(value)
  }

  async *scan(range: Range): AsyncGenerator<Row> {
    for await (const batch of this.scanBatches(range)) yield* batch
  }

  async *scanBatches(range: Range): AsyncGenerator<readonly Row[]> {
    this.#checkOpen()
    this.#sortedKeys ??= [...this.#rows.keys()].sort((a, b) => (a < b ? -1 : 1))
    const keys = this.#sortedKeys.filter((key) => isWithin(range, key))
    if (range.reverse === true) keys.reverse()
    const copies = keys.slice(0, range.limit).map<Row>((key) => [key, this.get(key) ?? noBytes])
    for (let at = 0; at < copies.length; at += batchRows) yield copies.slice(at, at + batchRows)
  }

  async commit(operations: readonly Operation[]): Promise<void> {
    this.#checkOpen()
    const kept = operations.map((operation) =>
      operation.type === 'put'
        ? { ...operation, value: new Uint8Array(operation.value) }
        : operation,
    )
    // A disk answers later than the call, so readers in between see none of the batch.
    await new Promise((resolve) => setImmediate(resolve))
    this.#sortedKeys = undefined
    for (const operation of kept) {
      if (operation.type === 'put') this.#rows.set(operation.key, operation.value)
      else this.#rows.delete(operation.key)
    }
  }

  // A row that is replaced leaves nothing behind in a map.
  async purge(): Promise<void> {
    this.#checkOpen()
  }

  async close(): Promise<void> {
    this.#isOpen = false
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw new LogError('store_closed', 'the memory store cannot be read: closed')
  }
}

function isWithin({ gte, gt, lte, lt }: Range, key: string): boolean {
  if (gte !== undefined && key < gte) return false
  if (gt !== undefined && key <= gt) return false
  if (lte !== undefined && key > lte) return false
  return lt === undefined || key < lt
}
