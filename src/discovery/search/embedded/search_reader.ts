import { type ChildProcess, fork } from 'node:child_process'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

import {
  type EnginePage,
  type EngineQuery,
  type IndexKind,
  SearchError,
  type SearchErrorCode,
} from '#src/discovery/search/search_engine.ts'

export type ReaderOrder =
  | {
      readonly type: 'search'
      readonly id: number
      readonly dir: string
      readonly kind: IndexKind
      readonly query: EngineQuery
    }
  /** Opens an index, so that what searches need of it is read while nothing is asked for. */
  | {
      readonly type: 'prepare'
      readonly id: number
      readonly dir: string
      readonly kind: IndexKind
    }
  /** Closes the files of the index; the next search opens them again. */
  | { readonly type: 'release'; readonly id: number }

export type ReaderNews =
  | { readonly type: 'ready' }
  | { readonly type: 'found'; readonly id: number; readonly page: EnginePage }
  | { readonly type: 'done'; readonly id: number }
  | {
      readonly type: 'failed'
      readonly id: number
      readonly code: SearchErrorCode
      readonly message: string
    }

/** What the process is given of our environment: nothing that is secret. */
const passedOn = ['PATH', 'TMPDIR', 'SQLITE_TMPDIR', 'NODE_COMPILE_CACHE'] as const

/** Mebibytes of the heap of a process; a query that needs more ends it, and nothing else. */
const heapMib = 256

type Waiting = {
  readonly resolve: (news: ReaderNews) => void
  readonly reject: (error: SearchError) => void
}

/** A process that has been started, and what it has been asked for. */
type Started = {
  readonly child: ChildProcess
  readonly ready: Promise<void>
  readonly gone: Promise<void>
  readonly waiting: Map<number, Waiting>
  /** Whether its end is waited for: until then it keeps us alive, whatever it still answers. */
  isEnding: boolean
}

/**
 * A process in which an index is read, one query at a time. It starts when it is first asked for
 * something and keeps no registry alive. A query that takes longer than it may is interrupted by
 * ending the process; the next one starts another.
 */
export class SearchReader {
  readonly #dir: string
  readonly #queryMsMax: number
  #started: Started | undefined
  #lastId = 0
  #isClosed = false

  constructor({ dir, queryMsMax }: { readonly dir: string; readonly queryMsMax: number }) {
    this.#dir = dir
    this.#queryMsMax = queryMsMax
  }

  /** Errors: SearchError; `search_timeout` for a query that was interrupted. */
  async search(kind: IndexKind, query: EngineQuery): Promise<EnginePage> {
    if (this.#isClosed) throw new SearchError('search_unavailable', 'the index is closed')
    const started = (this.#started ??= this.#start())
    await started.ready
    const id = (this.#lastId += 1)
    const late = setTimeout(() => {
      // An answer may have come while this thread was busy; it is heard first.
      setImmediate(() => this.#interrupt(started, id))
    }, this.#queryMsMax)
    try {
      const order: ReaderOrder = { type: 'search', id, dir: this.#dir, kind, query }
      const news = await this.#ask(started, order)
      if (news.type === 'found') return news.page
      throw new SearchError('search_failed', 'the process that searches has not answered')
    } finally {
      clearTimeout(late)
    }
  }

  /** Starts the process, which reads what searches need while it is asked for nothing. */
  async prepare(kind: IndexKind): Promise<void> {
    if (this.#isClosed) return
    const started = (this.#started ??= this.#start())
    try {
      await started.ready
      await this.#ask(started, { type: 'prepare', id: (this.#lastId += 1), dir: this.#dir, kind })
    } catch (error) {
      // Of one that was closed meanwhile, nobody searches any more.
      if (!this.#isClosed) throw error
    }
  }

  /** Resolves when the process has no file of the index open. */
  async release(): Promise<void> {
    const started = this.#started
    if (started === undefined) return
    const order: ReaderOrder = { type: 'release', id: (this.#lastId += 1) }
    try {
      await started.ready
      await this.#ask(started, order)
    } catch {
      // A process that has ended has closed its files, too.
      await ended(started)
    }
  }

  /** Ends the process, whatever it is at. */
  async close(): Promise<void> {
    this.#isClosed = true
    const started = this.#started
    if (started === undefined) return
    started.child.kill('SIGKILL')
    await ended(started)
  }

  #ask({ child, waiting }: Started, order: ReaderOrder): Promise<ReaderNews> {
    const { promise, resolve, reject } = Promise.withResolvers<ReaderNews>()
    waiting.set(order.id, { resolve, reject })
    child.ref()
    child.channel?.ref()
    // A process that is gone is mourned, with all that it was asked for.
    child.send(order, () => undefined)
    return promise
  }

  #start(): Started {
    const child = fork(new URL('./reader_process.ts', import.meta.url), {
      env: environment(),
      execArgv: [`--max-old-space-size=${heapMib}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ready = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const waiting = new Map<number, Waiting>()
    const parts = { child, ready: ready.promise, gone: gone.promise, waiting }
    const started: Started = { ...parts, isEnding: false }
    const end = (how: string) => {
      const error = new SearchError('search_unavailable', `the process that searches ${how}`)
      this.#forget(started, error)
      ready.reject(error)
      gone.resolve()
    }
    // Who waits for it hears of it.
    ready.promise.catch(() => undefined)
    child.on('message', (news: ReaderNews) => {
      if (news.type === 'ready') ready.resolve()
      else this.#onMessage(started, news)
    })
    child.on('error', (error) => end(`cannot be started: ${error.message}`))
    child.on('exit', (code, signal) => end(`has ended (${signal ?? code})`))
    return started
  }

  #onMessage(started: Started, news: Exclude<ReaderNews, { type: 'ready' }>): void {
    const { child, waiting, isEnding } = started
    const asked = waiting.get(news.id)
    waiting.delete(news.id)
    if (waiting.size === 0 && !isEnding) {
      child.unref()
      child.channel?.unref()
    }
    if (news.type === 'failed') asked?.reject(new SearchError(news.code, news.message))
    else asked?.resolve(news)
  }

  #interrupt(started: Started, id: number): void {
    if (!started.waiting.has(id)) return
    const message = `the query took longer than ${this.#queryMsMax} ms`
    this.#forget(started, new SearchError('search_timeout', message))
    started.child.kill('SIGKILL')
  }

  #forget(started: Started, error: SearchError): void {
    if (this.#started === started) this.#started = undefined
    for (const { reject } of started.waiting.values()) reject(error)
    started.waiting.clear()
  }
}

function ended(started: Started): Promise<void> {
  started.isEnding = true
  started.child.ref()
  return started.gone
}

function environment(): NodeJS.ProcessEnv {
  const given = passedOn.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** For how long something is believed that need not be known to the last record. */
const believedMs = 30_000

/** What was read once, when, and how far the index was then. */
type Remembered<T> = { readonly position: number; readonly readMs: number; readonly value: T }

/** How far an index is: what was read of it holds as long as this stays the same. */
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
