import { LogError } from '#log/tlog/errors.ts'
import type { Operation, Range, Row, Store } from '#log/store/store.ts'

/**
 * The `nth` call of an operation fails, counted from 1. `lost`: before it has any effect or result.
 * `kept`: after it was done, so that only the answer is lost.
 */
export type Fault = {
  readonly operation: 'get' | 'scan' | 'commit'
  readonly nth: number
  readonly outcome: 'lost' | 'kept'
}

/** How often each operation was called. */
export type CallCounts = Record<Fault['operation'], number>

/** A store that fails once, as told; `calls` counts what was asked of it. */
export class FaultyStore implements Store {
  readonly calls: CallCounts = { get: 0, scan: 0, commit: 0 }
  readonly #store: Store
  readonly #fault: Fault | undefined

  constructor(store: Store, fault?: Fault) {
    this.#store = store
    this.#fault = fault
  }

  get(key: string): Uint8Array | undefined {
    const call = this.#call('get')
    this.#fail(call, 'lost')
    const value = this.#store.get(key)
    this.#fail(call, 'kept')
    return value
  }

  async *scan(range: Range): AsyncGenerator<Row> {
    const call = this.#call('scan')
    this.#fail(call, 'lost')
    try {
      yield* this.#store.scan(range)
    } finally {
      this.#fail(call, 'kept')
    }
  }

  async *scanBatches(range: Range): AsyncGenerator<readonly Row[]> {
    const call = this.#call('scan')
    this.#fail(call, 'lost')
    try {
      yield* this.#store.scanBatches(range)
    } finally {
      this.#fail(call, 'kept')
    }
  }

  async commit(operations: readonly Operation[]): Promise<void> {
    const call = this.#call('commit')
    this.#fail(call, 'lost')
    await this.#store.commit(operations)
    this.#fail(call, 'kept')
  }

  purge(keys: readonly string[]): Promise<void> {
    return this.#store.purge(keys)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #call(operation: Fault['operation']): Omit<Fault, 'outcome'> {
    this.calls[operation] += 1
    return { operation, nth: this.calls[operation] }
  }

  #fail({ operation, nth }: Omit<Fault, 'outcome'>, outcome: Fault['outcome']): void {
    const fault = this.#fault
    if (fault?.operation !== operation || fault.nth !== nth || fault.outcome !== outcome) return
    throw new LogError('store_failed', `injected fault: ${operation} ${nth} is ${outcome}`)
  }
}
