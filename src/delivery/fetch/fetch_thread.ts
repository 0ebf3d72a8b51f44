import { Worker } from 'node:worker_threads'

import { AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import type { WorkerEnd } from '#actors/kernel/kept_worker.ts'
import type { FetchCall, Fetcher, FetcherSettings } from '#src/delivery/fetch/fetcher.ts'
import type { FetchOutcome } from '#src/delivery/fetch/outcome.ts'

/** What the thread is told to fetch. */
export type FetchOrder = { readonly url: string; readonly fresh: boolean }

/** Fetches that have not ended, and when to come back if there are so many. */
const openMax = 20_000
const openRetryMs = 30_000

/** How long after its death the thread is started again. */
const backOff = { minMs: 1_000, maxMs: 1_000, settledMs: 0 }

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
  /** What the thread tells of a fetch is that it was started. */
  readonly #thread: AskedWorker<FetchOrder, FetchOutcome, 'started'>
  readonly #report: (fault: Error) => void

  /** `report` is told of each death of the thread, with its cause. */
  constructor(settings: FetcherSettings, report: (fault: Error) => void) {
    this.#report = report
    this.#thread = new AskedWorker({
      start: () => startWorker(settings),
      waitingMax: openMax,
      backOff,
      ended: (end) => this.#noteEnd(end),
    })
  }

  async fetchDigest(url: string, call: FetchCall): Promise<FetchOutcome> {
    const { signal, fresh = false, onStart } = call
    try {
      return await this.#thread.ask({ url, fresh }, { signal, heard: () => onStart?.() })
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      const { code } = error
      if (code === 'aborted' || code === 'stopped') return { type: 'aborted' }
      if (code === 'busy') return { type: 'postponed', url, retryAfterMs: openRetryMs }
      return { type: 'interrupted' }
    }
  }

  // It has nothing to bring to an end: its sockets are closed with it.
  async close(): Promise<void> {
    await this.#thread.stop()
  }

  #noteEnd({ exitCode, cause = `it ended with code ${exitCode}`, restartMs }: WorkerEnd): void {
    if (restartMs === undefined) return
    this.#report(new Error('the thread that fetches has died and is started again', { cause }))
  }
}

function startWorker(settings: FetcherSettings): Worker {
  return new Worker(new URL('./fetch_worker.ts', import.meta.url), {
    name: 'fetching',
    workerData: settings,
    resourceLimits,
  })
}
