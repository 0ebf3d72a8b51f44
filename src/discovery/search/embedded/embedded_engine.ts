import { Worker } from 'node:worker_threads'

import { AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import { SearchReader } from '#src/discovery/search/embedded/search_reader.ts'
import {
  type EnginePage,
  type EngineQuery,
  type IndexBatch,
  type IndexKind,
  type IndexTarget,
  type SearchEngine,
  SearchError,
  type SearchErrorCode,
} from '#src/discovery/search/search_engine.ts'

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
 * start when there is something to be looked for or prepared, and do not wait for the writer.
 */
export class EmbeddedEngine implements SearchEngine {
  readonly name = 'embedded'
  readonly searchesMax: number
  readonly #writer: IndexThread
  readonly #readers: readonly SearchReader[]
  readonly #idle: SearchReader[]
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

  async commit(target: IndexTarget): Promise<void> {
    await this.#writer.call('commit', target)
  }

  search(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    return this.#read((reader) => reader.search(kind, query))
  }

  /** Starts the processes that read, which then prepare searches while nothing is asked for. */
  async prepare(kind: IndexKind): Promise<void> {
    await Promise.all(this.#readers.map(() => this.#read((reader) => reader.prepare(kind))))
  }

  async #read<T>(read: (reader: SearchReader) => Promise<T>): Promise<T> {
    if (!this.#isOpen) await this.open()
    const reader = this.#idle.pop() ?? (await this.#wanted())
    try {
      await this.#moved()
      return await this.#watched(read(reader))
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

/** What the thread that writes an index can be asked for. */
export type IndexCalls = {
  /** Takes back what is not committed; gives the position. */
  open(): number
  write(batch: IndexBatch, target: IndexTarget): void
  commit(target: IndexTarget): void
  clear(target: IndexTarget): void
  /** Moves `next` in the place of `current`. */
  swap(): void
  /** Closes all files; the next call opens them again. */
  release(): void
}

export type IndexOrder = { readonly name: keyof IndexCalls; readonly args: readonly unknown[] }

export type IndexReply =
  | { readonly type: 'done'; readonly value: unknown }
  | { readonly type: 'failed'; readonly code: SearchErrorCode; readonly message: string }

/** Where the index is, and of which journal. */
type IndexThreadOptions = { readonly dir: string; readonly journal: string }

/** Calls that may wait for a thread; beyond them it is said to be busy. */
const waitingMax = 1_000

/** Memory of the thread for short-lived objects: by default it would take five times that. */
const youngMegabytesMax = 16

/**
 * A thread in which SQLite works; it starts with the first call and keeps no process alive. If it
 * dies, what it was asked for fails as `search_unavailable`, and the next call starts another.
 */
class IndexThread {
  readonly #thread: AskedWorker<IndexOrder, IndexReply>

  constructor(options: IndexThreadOptions) {
    this.#thread = new AskedWorker({ start: () => startWorker(options), waitingMax })
  }

  /** Errors: SearchError. */
  async call<N extends keyof IndexCalls>(
    name: N,
    ...args: Parameters<IndexCalls[N]>
  ): Promise<ReturnType<IndexCalls[N]>> {
    const reply = await this.#ask({ name, args })
    if (reply.type === 'failed') throw new SearchError(reply.code, reply.message)
    return reply.value as ReturnType<IndexCalls[N]>
  }

  async close(): Promise<void> {
    if (this.#thread.running !== undefined) await this.call('release').catch(() => {})
    await this.#thread.stop()
  }

  async #ask(order: IndexOrder): Promise<IndexReply> {
    try {
      return await this.#thread.ask(order)
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      const isBusy = error.code === 'busy'
      const why = isBusy
        ? 'too many writes wait for their turn'
        : 'the thread that writes the index has ended'
      throw new SearchError('search_unavailable', why, { cause: error.cause })
    }
  }
}

function startWorker(options: IndexThreadOptions): Worker {
  return new Worker(new URL('./index_worker.ts', import.meta.url), {
    name: 'indexing',
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
  })
}
