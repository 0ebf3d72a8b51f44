import { SearchThread } from '#src/search/embedded/search_thread.ts'
import type {
  EnginePage,
  EngineQuery,
  IndexBatch,
  IndexKind,
  IndexTarget,
  SearchEngine,
} from '#src/search/search_engine.ts'

/** Where an index is kept, and the name of the journal that it is made of. */
export type EmbeddedEngineOptions = { readonly dir: string; readonly journal: string }

/**
 * Search in this process: SQLite FTS5, in one thread that writes and one that reads, which does not
 * wait for the other.
 */
export class EmbeddedEngine implements SearchEngine {
  readonly name = 'embedded'
  readonly #writer: SearchThread
  readonly #reader: SearchThread
  #isOpen = false
  #moving: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedEngineOptions) {
    this.#writer = new SearchThread(options)
    this.#reader = new SearchThread(options)
  }

  async open(): Promise<number> {
    const position = await this.#writer.call('open')
    this.#isOpen = true
    return position
  }

  async write(batch: IndexBatch, target: IndexTarget): Promise<void> {
    await this.#writer.call('write', batch, target)
  }

  async search(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    if (!this.#isOpen) await this.open()
    await this.#moving
    return this.#reader.call('search', kind, query)
  }

  async beginNext(): Promise<void> {
    await this.#writer.call('clear', 'next')
  }

  swap(): Promise<void> {
    return this.#move(() => this.#writer.call('swap'))
  }

  reset(): Promise<void> {
    return this.#move(() => this.#writer.call('clear', 'current'))
  }

  async close(): Promise<void> {
    await this.#reader.close()
    await this.#writer.close()
  }

  // While a file takes the place of another nobody may read it: searches wait some milliseconds.
  #move(move: () => Promise<void>): Promise<void> {
    const moving = this.#moving.then(async () => {
      await this.#reader.call('release')
      await move()
      await this.open()
    })
    this.#moving = moving.catch(() => {})
    return moving
  }
}
