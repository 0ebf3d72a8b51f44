/** How often and how much at a time one host is asked. */
export type LaneLimits = {
  readonly hostConcurrencyMax: number
  /** Time from one start to the next, in milliseconds. */
  readonly hostIntervalMs: number
}

/** What became of the wait for a turn: `closed` if the lane was closed before it came. */
export type Turn = 'taken' | 'closed'

type Waiting = (turn: Turn) => void

/**
 * The turns of one host, given out in the order in which they are asked for: one at a time, until
 * whoever has it says that it has started, and the next an interval after that.
 */
export class Lane {
  readonly #limits: LaneLimits
  readonly #monotonicMs: () => number
  readonly #waiting = new Set<Waiting>()
  #running = 0
  #isTaken = false
  #nextStartMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: LaneLimits, monotonicMs: () => number) {
    this.#limits = limits
    this.#monotonicMs = monotonicMs
  }

  /** Those that wait because others run. The turns of a moment follow each other at once. */
  get waiting(): number {
    const places = this.#limits.hostConcurrencyMax - this.#running
    return Math.max(0, this.#waiting.size - places)
  }

  /** Whether nothing runs or waits, and the next may start at once: as good as a new one. */
  get isRested(): boolean {
    return this.#running === 0 && this.#waiting.size === 0 && this.#waitMs() <= 0
  }

  /** Waits for a turn; rejects with the signal's reason if it is set off before. */
  async enter(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted()
    if (this.#waiting.size === 0 && this.#isOpen()) return this.#take('taken')
    const { promise, resolve, reject } = Promise.withResolvers<Turn>()
    const onAbort = () => {
      this.#waiting.delete(take)
      reject(signal.reason as Error)
    }
    const take = (turn: Turn) => {
      signal.removeEventListener('abort', onAbort)
      resolve(this.#take(turn))
    }
    this.#waiting.add(take)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#giveOut()
    return promise
  }

  /** Says that what has the turn starts now. */
  start(): void {
    this.#isTaken = false
    this.#nextStartMs = this.#monotonicMs() + this.#limits.hostIntervalMs
    this.#giveOut()
  }

  /** Says that what had a turn has ended, or that it is not to start. */
  leave(hasStarted: boolean): void {
    this.#running -= 1
    if (!hasStarted) this.#isTaken = false
    this.#giveOut()
  }

  /** Lets go all that wait, without a turn. */
  close(): void {
    clearTimeout(this.#timer)
    for (const end of this.#waiting) end('closed')
    this.#waiting.clear()
  }

  #take(turn: Turn): Turn {
    if (turn === 'taken') {
      this.#running += 1
      this.#isTaken = true
    }
    return turn
  }

  #isOpen(): boolean {
    return this.#hasPlace() && this.#waitMs() <= 0
  }

  #hasPlace(): boolean {
    return !this.#isTaken && this.#running < this.#limits.hostConcurrencyMax
  }

  #waitMs(): number {
    return this.#nextStartMs - this.#monotonicMs()
  }

  #giveOut(): void {
    const [next] = this.#waiting
    if (next === undefined || !this.#hasPlace()) return
    const waitMs = this.#waitMs()
    if (waitMs <= 0) {
      this.#waiting.delete(next)
      next('taken')
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#giveOut()
      }, Math.ceil(waitMs))
    }
  }
}
