import { Worker } from 'node:worker_threads'

import type { IndexBatch, IndexTarget } from '#src/search/search_engine.ts'
import { SearchError, type SearchErrorCode } from '#src/search/search_error.ts'

/** What the thread that writes an index can be asked for. */
export type IndexCalls = {
  open(): number
  write(batch: IndexBatch, target: IndexTarget): void
  /** Removes an index. */
  clear(target: IndexTarget): void
  /** Moves `next` in the place of `current`. */
  swap(): void
  /** Closes all files; the next call opens them again. */
  release(): void
}

export type ThreadOrder = {
  readonly id: number
  readonly name: keyof IndexCalls
  readonly args: readonly unknown[]
}

export type ThreadReply =
  | { readonly id: number; readonly type: 'done'; readonly value: unknown }
  | {
      readonly id: number
      readonly type: 'failed'
      readonly code: SearchErrorCode
      readonly message: string
    }

/** Where the index is, and of which journal. */
export type IndexThreadOptions = { readonly dir: string; readonly journal: string }

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Calls that may wait for a thread; beyond them it is said to be busy. */
const waitingMax = 1_000

/** Memory of the thread for what is soon forgotten: unless told, it would take five times that. */
const youngMegabytesMax = 16

/**
 * A thread in which SQLite works; it starts with the first call and keeps no process alive. If it
 * dies, what it was asked for fails as `search_unavailable`, and the next call starts another.
 */
export class IndexThread {
  readonly #options: IndexThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(options: IndexThreadOptions) {
    this.#options = options
  }

  /** Errors: SearchError. */
  async call<N extends keyof IndexCalls>(
    name: N,
    ...args: Parameters<IndexCalls[N]>
  ): Promise<ReturnType<IndexCalls[N]>> {
    if (this.#waiting.size >= waitingMax) {
      throw new SearchError('search_unavailable', 'too many writes wait for their turn')
    }
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#worker ??= this.#start()
    this.#worker.ref()
    const order: ThreadOrder = { id, name, args }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    this.#worker.postMessage(order)
    return (await promise) as ReturnType<IndexCalls[N]>
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) return
    await this.call('release').catch(() => {})
    await this.#worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./index_worker.ts', import.meta.url), {
      workerData: this.#options,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
    })
    let cause: unknown
    worker.on('message', (reply: ThreadReply) => this.#onMessage(reply))
    worker.on('error', (error: unknown) => (cause = error))
    worker.on('exit', () => this.#onExit(cause))
    return worker
  }

  #onMessage(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if (reply.type === 'done') waiting?.resolve(reply.value)
    else waiting?.reject(new SearchError(reply.code, reply.message))
  }

  #onExit(cause: unknown): void {
    this.#worker = undefined
    const error = new SearchError(
      'search_unavailable',
      'the thread that writes the index has ended',
      {
        cause,
      },
    )
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
