import { once } from 'node:events'
import os from 'node:os'
import { isMainThread, type Worker } from 'node:worker_threads'

/** How long the place of a thread that has ended stays empty: twice as long each time. */
export type BackOff = {
  readonly minMs: number
  readonly maxMs: number
  /** After a thread that was ready for so long the first pause is the shortest again. */
  readonly settledMs: number
}

/** The pauses of a thread that a registry cannot do without. */
export const usualBackOff: BackOff = { minMs: 100, maxMs: 30_000, settledMs: 60_000 }

/** How a thread has ended. */
export type WorkerEnd = {
  /** The error that it has died of, if there is one. */
  readonly cause: unknown
  /** Undefined for a thread that could not even be started. */
  readonly exitCode: number | undefined
  /** Whether it had sent anything. */
  readonly wasReady: boolean
  /** The pause before `resume` is called; undefined if it is not called. */
  readonly restartMs: number | undefined
}

/** A clock, and what calls a function in some milliseconds unless that is cancelled. */
export type WorkerClock = {
  elapsedMs(): number
  later(ms: number, call: () => void): () => void
}

export type KeptWorkerOptions = {
  /** Starts a thread. It is ready from its first message on. */
  readonly start: () => Worker
  /** Without it nothing happens after the end of a thread until `wake` is called. */
  readonly backOff?: BackOff | undefined
  /** Called after the pause; wakes the worker if it is needed. */
  readonly resume?: () => void
  readonly received?: (message: unknown) => void
  /** Hears of the end of each thread but those that `end` has ended. */
  readonly ended?: (end: WorkerEnd) => void
  readonly clock?: WorkerClock | undefined
}

const realClock: WorkerClock = {
  elapsedMs: () => performance.now(),
  later(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** One place for a thread: at most one runs in it, and after its end another one may. */
export class KeptWorker {
  readonly #options: KeptWorkerOptions
  readonly #clock: WorkerClock
  #worker: Worker | undefined
  #readyAtMs: number | undefined
  #failures = 0
  #cancelRestart: (() => void) | undefined
  #started: ((end?: WorkerEnd) => void) | undefined
  #isStopped = false

  constructor(options: KeptWorkerOptions) {
    this.#options = options
    this.#clock = options.clock ?? realClock
  }

  /** The thread that runs, ready or not. */
  get running(): Worker | undefined {
    return this.#worker
  }

  get isReady(): boolean {
    return this.#readyAtMs !== undefined
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether `wake` starts a thread: none runs, and it is neither in a pause nor stopped. */
  get isIdle(): boolean {
    const isResting = this.#isStopped || this.#cancelRestart !== undefined
    return !isResting && this.#worker === undefined
  }

  /** Starts a thread if none runs, and gives it: not during a pause, nor after `stop`. */
  wake(): Worker | undefined {
    return this.isIdle ? this.#start() : this.#worker
  }

  /**
   * Starts a thread and resolves when it is ready. Resolves with its end if it ends before that;
   * then `resume` is not called.
   */
  start(): Promise<WorkerEnd | undefined> {
    return new Promise((resolve) => {
      this.#started = resolve
      this.wake()
    })
  }

  /** Ends the thread that runs, at once. `wake` starts another one. */
  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#readyAtMs = undefined
    await worker?.terminate()
  }

  /**
   * Ends the thread for good. With `leaveMs` a thread that is ready is sent `close`, and has so
   * many milliseconds to end by itself. Rejects with the error of a thread that dies meanwhile.
   */
  async stop(leaveMs?: number): Promise<void> {
    this.#isStopped = true
    this.#cancelRestart?.()
    const worker = this.#worker
    if (worker === undefined) return
    if (leaveMs === undefined || !this.isReady) return void (await worker.terminate())
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    const late = setTimeout(() => void worker.terminate(), leaveMs)
    await ended.finally(() => clearTimeout(late))
  }

  #start(): Worker | undefined {
    let cause: unknown
    try {
      const worker = this.#options.start()
      this.#worker = worker
      worker.on('message', (message: unknown) => {
        // What a thread has sent before it was ended concerns nobody any more.
        if (this.#worker === worker) this.#receive(message)
      })
      worker.on('error', (error) => {
        cause = error
      })
      worker.once('exit', (exitCode) => {
        if (this.#worker === worker) this.#onEnd(cause, exitCode)
      })
    } catch (error) {
      this.#onEnd(error)
    }
    return this.#worker
  }

  #receive(message: unknown): void {
    this.#readyAtMs ??= this.#clock.elapsedMs()
    this.#started?.()
    this.#started = undefined
    this.#options.received?.(message)
  }

  #onEnd(cause: unknown, exitCode?: number): void {
    const readyAtMs = this.#readyAtMs
    this.#worker = undefined
    this.#readyAtMs = undefined
    const restartMs = this.#started === undefined ? this.#restart(readyAtMs) : undefined
    const end = { cause, exitCode, wasReady: readyAtMs !== undefined, restartMs }
    this.#started?.(end)
    this.#started = undefined
    this.#options.ended?.(end)
  }

  #restart(readyAtMs: number | undefined): number | undefined {
    const { backOff } = this.#options
    if (this.#isStopped || backOff === undefined) return undefined
    const { minMs, maxMs, settledMs } = backOff
    const isSettled = readyAtMs !== undefined && this.#clock.elapsedMs() - readyAtMs >= settledMs
    if (isSettled) this.#failures = 0
    const restartMs = Math.min(maxMs, minMs * 2 ** this.#failures)
    this.#failures += 1
    this.#cancelRestart = this.#clock.later(restartMs, () => {
      this.#cancelRestart = undefined
      this.#options.resume?.()
    })
    return restartMs
  }
}

/**
 * The environment of a thread: nothing of the process's but where compiled modules are kept, which
 * Node takes from there. No secret of the process can leak from it.
 */
export function threadEnvironment(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: folder } = process.env
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** How far the priority of long work is lowered, for the thread of the requests to come first. */
const niceness = 10

/**
 * Lowers the priority of the process, or the thread, that calls this below those of requests.
 * Only Linux has a priority for each thread; elsewhere a thread keeps that of its process.
 */
export function lowerPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    os.setPriority(niceness)
  } catch {
    // Where that is not allowed, it has the same right to a core.
  }
}
