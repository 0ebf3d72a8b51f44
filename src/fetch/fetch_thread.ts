import { Worker } from 'node:worker_threads'

import type { FetchCall, Fetcher, FetcherSettings } from '#src/fetch/fetcher.ts'
import type { FetchOutcome } from '#src/fetch/outcome.ts'

/** What the thread is told to do; `id` is of one fetch, and used once. */
export type FetchOrder =
  | { readonly type: 'fetch'; readonly id: number; readonly url: string; readonly fresh: boolean }
  | { readonly type: 'abort'; readonly id: number }

/** What the thread tells of a fetch; `failed` is a defect of ours. */
export type FetchNews =
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'ended'; readonly id: number; readonly outcome: FetchOutcome }
  | { readonly type: 'failed'; readonly id: number; readonly error: Error }

/** A fetch that has not ended; `isSent` once the thread knows of it. */
type Open = {
  isSent: boolean
  readonly onStart: (() => void) | undefined
  readonly end: (outcome: FetchOutcome) => void
  readonly fail: (error: Error) => void
}

/** Fetches that have not ended, and when to come back if there are so many. */
const openMax = 20_000
const openRetryMs = 30_000

/** How long after its death the thread is started again. */
const restartMs = 1_000

/**
 * What the thread's objects may take. The old generation has far more than fetches need; a small
 * young one is collected early, and with it the bytes that were hashed: with 8 MB a long body takes
 * 60 MB of memory, with 2 MB half of that, and fetches take no longer.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 2 }

/**
 * A fetcher in a thread of its own, so that connections and hashes take no time of the thread that
 * answers requests. It starts with the first fetch and keeps no process alive. What is asked for in
 * one turn goes over together, and so does what ends within a moment, for each visit of a thread
 * costs. If the thread dies, what it had under way ends as `interrupted`, and it is started again.
 */
export class FetchThread implements Fetcher {
  readonly #settings: FetcherSettings
  readonly #report: (fault: Error) => void
  readonly #open = new Map<number, Open>()
  #orders: FetchOrder[] = []
  #worker: Worker | undefined
  #restart: NodeJS.Timeout | undefined
  #isClosed = false
  #lastId = 0

  /** `report` is told of each death of the thread, with its cause. */
  constructor(settings: FetcherSettings, report: (fault: Error) => void) {
    this.#settings = settings
    this.#report = report
  }

  async fetchDigest(url: string, call: FetchCall): Promise<FetchOutcome> {
    const { signal, fresh = false, onStart } = call
    if (signal.aborted || this.#isClosed) return { type: 'aborted' }
    if (this.#open.size >= openMax) return { type: 'postponed', url, retryAfterMs: openRetryMs }
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<FetchOutcome>()
    const onAbort = () => {
      this.#order({ type: 'abort', id })
      resolve({ type: 'aborted' })
    }
    this.#open.set(id, { isSent: false, onStart, end: resolve, fail: reject })
    signal.addEventListener('abort', onAbort, { once: true })
    this.#order({ type: 'fetch', id, url, fresh })
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#open.delete(id)
      if (this.#open.size === 0) this.#worker?.unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restart)
    for (const { end } of this.#open.values()) end({ type: 'aborted' })
    // It has nothing to bring to an end: its sockets are closed with it.
    await this.#worker?.terminate()
  }

  #order(order: FetchOrder): void {
    this.#orders.push(order)
    if (this.#orders.length === 1) setImmediate(() => this.#send())
  }

  #send(): void {
    if (this.#isClosed || this.#restart !== undefined || this.#orders.length === 0) return
    const orders = this.#orders
    this.#orders = []
    for (const { id } of orders) {
      const fetch = this.#open.get(id)
      if (fetch !== undefined) fetch.isSent = true
    }
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(orders)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./fetch_worker.ts', import.meta.url), {
      name: 'fetching',
      workerData: this.#settings,
      resourceLimits,
    })
    let cause: unknown
    worker.on('message', (news: readonly FetchNews[]) => this.#onMessage(news))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => this.#startAgain(cause ?? `it ended with code ${code}`))
    return worker
  }

  #onMessage(news: readonly FetchNews[]): void {
    for (const item of news) {
      // What is not open any more was called off meanwhile.
      const fetch = this.#open.get(item.id)
      if (item.type === 'started') fetch?.onStart?.()
      else if (item.type === 'ended') fetch?.end(item.outcome)
      else fetch?.fail(item.error)
    }
  }

  // What the thread was not told of yet is kept for the next one.
  #startAgain(cause: unknown): void {
    this.#worker = undefined
    if (this.#isClosed) return
    for (const { isSent, end } of this.#open.values()) if (isSent) end({ type: 'interrupted' })
    this.#restart = setTimeout(() => {
      this.#restart = undefined
      this.#send()
    }, restartMs)
    this.#report(new Error('the thread that fetches has died and is started again', { cause }))
  }
}
