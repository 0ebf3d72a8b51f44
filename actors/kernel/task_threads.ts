import { type ResourceLimits, Worker } from 'node:worker_threads'

import { AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import { FairQueue, QueueError } from '#actors/kernel/fair_queue.ts'
import { threadEnvironment } from '#actors/kernel/kept_worker.ts'
import { assert } from '#log/tlog/errors.ts'

export type TaskThreadsOptions = {
  /** What a thread runs: it answers tasks with `answerOrders`. */
  readonly file: URL
  readonly name: string
  readonly resourceLimits: ResourceLimits
  readonly threadsMax: number
  /** Tasks that wait for a thread. */
  readonly waitingMax: number
  /** What one task may take. */
  readonly taskTime: TaskTime
  /** How long a thread without a task is kept; with 0 each task has a new one. */
  readonly idleMsMax: number
}

/**
 * Threads that do one task at a time each. One that takes too long, or dies, fails the task that it
 * is at, and the next task has a new one. They keep no process alive but while they are at work.
 */
export class TaskThreads<Task, Answer> {
  readonly #options: TaskThreadsOptions
  readonly #queue: FairQueue
  readonly #workers: readonly AskedWorker<Task, Answer>[]
  /** Those without a task, the one that has worked last at the end. */
  readonly #idle: AskedWorker<Task, Answer>[]
  /** What will end the thread of one that is idle. */
  readonly #endings = new Map<AskedWorker<Task, Answer>, NodeJS.Timeout>()

  constructor(options: TaskThreadsOptions) {
    const { file, name, resourceLimits, threadsMax, waitingMax } = options
    this.#options = options
    this.#queue = new FairQueue({
      runningMax: threadsMax,
      runningPerCallerMax: threadsMax,
      waitingMax,
      waitingPerCallerMax: waitingMax,
    })
    const start = () => new Worker(file, { name, env: threadEnvironment(), resourceLimits })
    const places = { length: threadsMax }
    this.#workers = Array.from(places, () => new AskedWorker({ start, waitingMax: 1 }))
    this.#idle = [...this.#workers]
  }

  /** Threads that are at work or rest. */
  get running(): number {
    return this.#workers.filter(({ running }) => running !== undefined).length
  }

  /**
   * Gives the answer to a task, whose `transfer` is of no use here any more. Rejects with
   * WorkerError, or with what the code of the thread throws.
   */
  async run(task: Task, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    try {
      return await this.#queue.run('', () => this.#runNow(task, transfer))
    } catch (error) {
      if (!(error instanceof QueueError)) throw error
      throw new WorkerError('busy', error.message)
    }
  }

  /** Ends all threads; tasks that are not done fail with `stopped`. */
  async close(): Promise<void> {
    for (const ending of this.#endings.values()) clearTimeout(ending)
    await Promise.all(this.#workers.map((worker) => worker.stop()))
  }

  async #runNow(task: Task, transfer: readonly ArrayBuffer[]): Promise<Answer> {
    const worker = this.#idle.pop()
    assert(worker !== undefined, 'a task that may run has a place')
    clearTimeout(this.#endings.get(worker))
    const { taskTime, idleMsMax } = this.#options
    const onExcess = () => void worker.end('too_slow')
    const stopWatching = watchTime(() => worker.running, taskTime, onExcess)
    try {
      return await worker.ask(task, { transfer })
    } finally {
      stopWatching()
      if (idleMsMax === 0) await worker.end('ended')
      else if (idleMsMax < Infinity) {
        this.#endings.set(worker, setTimeout(() => void worker.end('ended'), idleMsMax).unref())
      }
      this.#idle.push(worker)
    }
  }
}

/**
 * What one task of a thread may take: milliseconds of its CPU, which are the same however busy the
 * machine is, and milliseconds of the clock, which end one that waits for something.
 */
export type TaskTime = { readonly cpuMsMax: number; readonly msMax: number }

/** Milliseconds between two looks at what a thread has used. */
const lookEveryMs = 100

/**
 * Watches a thread, once there is one, from the beginning of a task: calls `onExcess` once, if the
 * task takes more than it may. Gives what ends the watching.
 */
export function watchTime(
  thread: () => Worker | undefined,
  { cpuMsMax, msMax }: TaskTime,
  onExcess: () => void,
): () => void {
  const endsAtMs = performance.now() + msMax
  let before: NodeJS.CpuUsage | undefined
  let looking: NodeJS.Timeout | undefined
  async function look(): Promise<void> {
    const now = await usageOf(thread())
    before ??= now
    if (looking === undefined) return
    const cpuMs = (sum(now) - sum(before)) / 1_000
    if (cpuMs > cpuMsMax || performance.now() > endsAtMs) {
      looking = undefined
      onExcess()
    } else {
      looking = setTimeout(() => void look(), lookEveryMs)
    }
  }
  looking = setTimeout(() => void look(), 0)
  return () => {
    clearTimeout(looking)
    looking = undefined
  }
}

/** Undefined of a thread that does not run: yet, or any more, which it tells by itself. */
async function usageOf(worker: Worker | undefined): Promise<NodeJS.CpuUsage | undefined> {
  return worker?.cpuUsage().catch(() => undefined)
}

function sum(usage: NodeJS.CpuUsage | undefined): number {
  return usage === undefined ? 0 : usage.user + usage.system
}
