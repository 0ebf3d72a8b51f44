import { IndexThread } from '#src/search/embedded/index_thread.ts'
import { SearchReader } from '#src/search/embedded/search_reader.ts'
import type {
  EnginePage,
  EngineQuery,
  IndexBatch,
  IndexKind,
  IndexTarget,
  SearchEngine,
} from '#src/search/search_engine.ts'

/** Queries that are read at a time, and how long one may take, unless it is said. */
const readersDefault = 2
const queryMsMaxDefault = 2_000

/** Where an index is kept, and the name of the journal that it is made of. */
export type EmbeddedEngineOptions = {
  readonly dir: string
  readonly journal: string
  readonly readers?: number
  readonly queryMsMax?: number
}

/**
 * Search on this machine: SQLite FTS5, written in one thread and read in a few processes, which
 * start when there is something to be looked for and do not wait for the writer.
 */
export class EmbeddedEngine implements SearchEngine {
  readonly name = 'embedded'
  readonly searchesMax: number
  readonly #writer: IndexThread
  readonly #readers: readonly SearchReader[]
  readonly #idle: SearchReader[]
  /** Those that wait for a reader. */
  readonly #waitingForReader: ((reader: SearchReader) => void)[] = []
  readonly #searching = new Set<Promise<unknown>>()
  #isOpen = false
  #moving: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedEngineOptions) {
    const { dir, journal, readers = readersDefault, queryMsMax = queryMsMaxDefault } = options
    this.searchesMax = readers
    this.#writer = new IndexThread({ dir, journal })
    this.#readers = Array.from({ length: readers }, () => new SearchReader({ dir, queryMsMax }))
    this.#idle = this.#readers.toReversed()
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
    const reader = this.#idle.pop() ?? (await this.#wanted())
    try {
      await this.#moved()
      return await this.#watched(reader.search(kind, query))
    } finally {
      const next = this.#waitingForReader.shift()
      if (next === undefined) this.#idle.push(reader)
      else next(reader)
    }
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
    await Promise.all(this.#readers.map((reader) => reader.close()))
    await this.#writer.close()
  }

  #wanted(): Promise<SearchReader> {
    return new Promise((resolve) => void this.#waitingForReader.push(resolve))
  }

  // Of several moves the last one has ended when this resolves.
  async #moved(): Promise<void> {
    for (let last: unknown; last !== this.#moving; ) {
      last = this.#moving
      await last
    }
  }

  async #watched<T>(searching: Promise<T>): Promise<T> {
    this.#searching.add(searching)
    try {
      return await searching
    } finally {
      this.#searching.delete(searching)
    }
  }

  // While a file takes the place of another nobody may read it: searches wait until those that are
  // at work have ended, and then some milliseconds.
  #move(move: () => Promise<void>): Promise<void> {
    const moving = this.#moving.then(async () => {
      await Promise.allSettled(this.#searching)
      await Promise.all(this.#readers.map((reader) => reader.release()))
      await move()
      await this.open()
    })
    this.#moving = moving.catch(() => {})
    return moving
  }
}
