import { assert, CodedError } from '#log/tlog/errors.ts'

/** What a queue takes at most. */
export type FairQueueLimits = {
  /** Tasks that run at a time, in all and of one caller. */
  readonly runningMax: number
  readonly runningPerCallerMax: number
  /** Tasks that wait to be run, in all and of one caller. */
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
}

/** Why a task was not run: too many of its caller wait already, too many of all, or it left. */
export type QueueErrorCode = 'queue_full_for_caller' | 'queue_full' | 'queue_left'

const messages: Readonly<Record<QueueErrorCode, string>> = {
  queue_full_for_caller: 'too many tasks of this caller are waiting',
  queue_full: 'too many tasks are waiting',
  queue_left: 'the caller left before its task was run',
}

/** A task that was never begun. */
export class QueueError extends CodedError<QueueErrorCode> {
  override readonly name: string = 'QueueError'

  constructor(code: QueueErrorCode) {
    super(code, messages[code])
  }
}

/** A task that waits; `start` begins it. */
type Waiting = { readonly start: () => void }

/** The tasks of one caller. */
type Line = { running: number; readonly waiting: Waiting[] }

/**
 * Shares what few can use at a time among all who want it: callers take turns, so that one with a
 * hundred tasks delays another's first task by one task and not by a hundred. Tasks of one caller
 * are begun in their order.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  // In the order of their turns: who has just begun or ended a task goes to the end.
  readonly #lines = new Map<string, Line>()
  #running = 0
  #waiting = 0

  constructor(limits: FairQueueLimits) {
    const { runningMax, runningPerCallerMax } = limits
    assert(runningMax >= 1 && runningPerCallerMax >= 1, 'a queue lets at least one task run')
    this.#limits = limits
  }

  /** Tasks that run, and tasks that wait. */
  get size(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /**
   * Runs a task of a caller when it is its turn, and gives what it gives. A caller is any text that
   * tells callers apart. A task that waits leaves when `signal` is aborted; one that runs is not
   * touched. Throws QueueError for a task that was never begun, else what the task throws.
   */
  async run<T>(caller: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const line = await this.#enter(caller, signal)
    try {
      return await task()
    } finally {
      this.#running -= 1
      line.running -= 1
      this.#moveToEnd(caller, line)
      this.#startNext()
    }
  }

  // Resolves when the task may run; it is counted as running by then.
  async #enter(caller: string, signal: AbortSignal | undefined): Promise<Line> {
    if (signal?.aborted) throw new QueueError('queue_left')
    const line = this.#lines.get(caller) ?? { running: 0, waiting: [] }
    this.#lines.set(caller, line)
    if (this.#mayRun(line)) {
      this.#begin(caller, line)
      return line
    }
    const { waitingMax, waitingPerCallerMax } = this.#limits
    const isFullForCaller = line.waiting.length >= waitingPerCallerMax
    if (isFullForCaller || this.#waiting >= waitingMax) {
      this.#forget(caller, line)
      throw new QueueError(isFullForCaller ? 'queue_full_for_caller' : 'queue_full')
    }
    await this.#wait(caller, line, signal)
    return line
  }

  #wait(caller: string, line: Line, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1)
        this.#waiting -= 1
        this.#forget(caller, line)
        reject(new QueueError('queue_left'))
      }
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      line.waiting.push(waiting)
      this.#waiting += 1
    })
  }

  #mayRun({ running }: Line): boolean {
    const { runningMax, runningPerCallerMax } = this.#limits
    return this.#running < runningMax && running < runningPerCallerMax
  }

  #begin(caller: string, line: Line): void {
    this.#running += 1
    line.running += 1
    this.#moveToEnd(caller, line)
  }

  #moveToEnd(caller: string, line: Line): void {
    this.#lines.delete(caller)
    if (line.running > 0 || line.waiting.length > 0) this.#lines.set(caller, line)
  }

  #startNext(): void {
    for (const [caller, line] of this.#lines) {
      if (line.waiting.length === 0 || !this.#mayRun(line)) continue
      const next = line.waiting.shift()
      this.#waiting -= 1
      this.#begin(caller, line)
      next?.start()
      return
    }
  }

  #forget(caller: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(caller)
  }
}
