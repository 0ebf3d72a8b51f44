/** A number of places, given out in the order in which they are asked for. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Runs a job as soon as a place is free; rejects with the signal's reason if it is set off. */
  async run<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    try {
      return await job()
    } finally {
      this.#release()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      this.#waiting.delete(take)
      reject(signal.reason as Error)
    }
    const take = () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    this.#waiting.add(take)
    signal.addEventListener('abort', onAbort, { once: true })
    return promise
  }

  // A place goes from hand to hand: it is free only if nobody waits.
  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
