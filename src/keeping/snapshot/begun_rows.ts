import type { Row } from '#log/base/store.ts'

/** Rows whose first batch is read at once: a store's rows are those of that moment. */
export class BegunRows implements AsyncIterable<readonly Row[]> {
  readonly #rows: AsyncIterator<readonly Row[]>
  readonly #first: Promise<IteratorResult<readonly Row[]>>

  constructor(rows: AsyncIterable<readonly Row[]>) {
    this.#rows = rows[Symbol.asyncIterator]()
    this.#first = this.#rows.next()
    // Whoever reads them hears of it.
    this.#first.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[]> {
    for (let step = await this.#first; step.done !== true; step = await this.#rows.next()) {
      yield step.value
    }
  }

  /** Resolves once the first batch is read. Rejects as reading does. */
  async begun(): Promise<void> {
    await this.#first
  }

  async close(): Promise<void> {
    await this.#rows.return?.()
  }
}
