import { type ResourceLimits, Worker } from 'node:worker_threads'

import { AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import { assert } from '#log/errors.ts'
import { FairQueue, QueueError } from '#src/fairness/fair_queue.ts'
import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { type TaskTime, watchTime } from '#src/fairness/thread_time.ts'

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

/** A place for a thread, and what will end a thread in it that has nothing to do. */
type Place<Task, Answer> = {
  readonly worker: AskedWorker<Task, Answer>
  ending: NodeJS.Timeout | undefined
}

/**
 * Threads that do one task at a time each. One that takes too long, or dies, fails the task that it
 * is at, and the next task has a new one. They keep no process alive but while they are at work.
 */
export class TaskThreads<Task, Answer> {
  readonly #options: TaskThreadsOptions
  readonly #queue: FairQueue
  readonly #places: readonly Place<Task, Answer>[]
  /** Those without a task, the one that has worked last at the end. */
  readonly #idle: Place<Task, Answer>[]

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
    this.#places = Array.from({ length: threadsMax }, () => {
      return { worker: new AskedWorker({ start, waitingMax: 1 }), ending: undefined }
    })
    this.#idle = [...this.#places]
  }

  /** Threads that are at work or rest. */
  get running(): number {
    return this.#places.filter(({ worker }) => worker.isRunning).length
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
    for (const { ending } of this.#places) clearTimeout(ending)
    await Promise.all(this.#places.map(({ worker }) => worker.stop()))
  }

  async #runNow(task: Task, transfer: readonly ArrayBuffer[]): Promise<Answer> {
    const place = this.#idle.pop()
    assert(place !== undefined, 'a task that may run has a place')
    clearTimeout(place.ending)
    const { taskTime, idleMsMax } = this.#options
    try {
      const watch = (worker: Worker, onExcess: () => void) => watchTime(worker, taskTime, onExcess)
      return await place.worker.ask(task, { transfer, watch })
    } finally {
      if (idleMsMax === 0) await place.worker.end()
      else if (idleMsMax < Infinity) {
        place.ending = setTimeout(() => void place.worker.end(), idleMsMax).unref()
      }
      this.#idle.push(place)
    }
  }
}
