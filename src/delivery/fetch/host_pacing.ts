import Bottleneck from 'bottleneck'

/** How often and how much at a time hosts are asked; times in milliseconds. */
export type PacingLimits = {
  /** Jobs at a time, of all hosts and of one. */
  readonly concurrencyMax: number
  readonly hostConcurrencyMax: number
  /** Time from one turn to the next at one host. */
  readonly hostIntervalMs: number
  /** Jobs that wait for one host. */
  readonly hostQueueMax: number
  /** Hosts that are remembered, with what waits for them or with their pause. */
  readonly hostsMax: number
  /** The longest pause that a host can ask for. */
  readonly pauseMsMax: number
}

/** A job that was run, or one that was not and may be tried after a time. */
type Paced<T> =
  | { readonly type: 'ran'; readonly value: T }
  | { readonly type: 'postponed'; readonly retryAfterMs: number }

/** Bounds what each host has to bear. */
export type HostPacing = {
  /**
   * Runs a job when its host's turn has come. Jobs for a host that is paused, or for which too
   * many wait, are not run. Rejects with the signal's reason if it is set off while waiting.
   */
  run<T>(host: string, job: () => Promise<T>, signal: AbortSignal): Promise<Paced<T>>
  /**
   * Starts no job of a host for a time, or for longer if it is paused already. After that it gets
   * one job at a time, until one ends that has not had it paused again.
   */
  pauseHost(host: string, ms: number): void
  /** Drops what waits; what runs is left to its own signal. */
  close(): void
}

/** What paces one host; `jobs` of it have not ended yet, and `idleSinceMs` none has. */
type PacedHost = { readonly limiter: Bottleneck; jobs: number; idleSinceMs: number }

/** A host's queue is full, or too many hosts have one: when to come back. */
const tooMany = { type: 'postponed', retryAfterMs: 30_000 } as const

/** Pacing without any job yet. `monotonicMs` never goes back, such as performance.now. */
export function createHostPacing(limits: PacingLimits, monotonicMs: () => number): HostPacing {
  return new BottleneckPacing(limits, monotonicMs)
}

/**
 * A limiter for each host, chained to one for all. Hosts are held here and not in a group of
 * bottleneck: a group has no limit on its hosts, and it forgets one some time after its last start
 * even while jobs of it run, so that the next would run beside them.
 */
class BottleneckPacing implements HostPacing {
  readonly #limits: PacingLimits
  readonly #monotonicMs: () => number
  readonly #allHosts: Bottleneck
  readonly #hosts = new Map<string, PacedHost>()
  /** Hosts that were paused and have not done a job since, with the end of their pause. */
  readonly #pausedUntilMs = new Map<string, number>()
  #isClosed = false

  constructor(limits: PacingLimits, monotonicMs: () => number) {
    this.#limits = limits
    this.#monotonicMs = monotonicMs
    this.#allHosts = new Bottleneck({ maxConcurrent: limits.concurrencyMax })
  }

  async run<T>(host: string, job: () => Promise<T>, signal: AbortSignal): Promise<Paced<T>> {
    signal.throwIfAborted()
    const pauseMs = this.#pauseOf(host)
    if (pauseMs > 0) return { type: 'postponed', retryAfterMs: pauseMs }
    const paced = this.#hostOf(host)
    if (paced === undefined) return tooMany
    const { promise, resolve, reject } = Promise.withResolvers<Paced<T>>()
    const onAbort = () => reject(signal.reason as Error)
    const endWait = () => signal.removeEventListener('abort', onAbort)
    const takeTurn = async (): Promise<Paced<T>> => {
      endWait()
      // A limiter cannot be told to let go of a job: one that was called off ends at its turn.
      signal.throwIfAborted()
      // The pause may have begun while this job was waiting.
      const laterMs = this.#pauseOf(host)
      if (laterMs > 0) return { type: 'postponed', retryAfterMs: laterMs }
      const value = await job()
      if (this.#pauseOf(host) === 0) this.#forgetPause(host)
      return { type: 'ran', value }
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.#schedule(paced, takeTurn).then(resolve, reject).finally(endWait)
    return promise
  }

  pauseHost(host: string, ms: number): void {
    const nowMs = this.#monotonicMs()
    const untilMs = nowMs + Math.min(ms, this.#limits.pauseMsMax)
    if (untilMs <= (this.#pausedUntilMs.get(host) ?? nowMs)) return
    this.#pausedUntilMs.delete(host)
    this.#pausedUntilMs.set(host, untilMs)
    void this.#hosts.get(host)?.limiter.updateSettings({ maxConcurrent: 1 })
    if (this.#pausedUntilMs.size <= this.#limits.hostsMax) return
    const [oldest = ''] = this.#pausedUntilMs.keys()
    this.#forgetPause(oldest)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // They are stopped once what runs has ended, which nobody has to wait for.
    for (const { limiter } of this.#hosts.values()) void limiter.stop()
    void this.#allHosts.stop()
  }

  #pauseOf(host: string): number {
    return Math.max(0, (this.#pausedUntilMs.get(host) ?? 0) - this.#monotonicMs())
  }

  #forgetPause(host: string): void {
    if (!this.#pausedUntilMs.delete(host)) return
    const maxConcurrent = this.#limits.hostConcurrencyMax
    void this.#hosts.get(host)?.limiter.updateSettings({ maxConcurrent })
  }

  #hostOf(host: string): PacedHost | undefined {
    const known = this.#hosts.get(host)
    if (known !== undefined && !this.#isRested(known)) return known
    this.#hosts.delete(host)
    if (this.#hosts.size >= this.#limits.hostsMax) this.#forgetRestedHosts()
    if (this.#hosts.size >= this.#limits.hostsMax) return undefined
    const limiter = new Bottleneck({
      maxConcurrent: this.#pausedUntilMs.has(host) ? 1 : this.#limits.hostConcurrencyMax,
      minTime: this.#limits.hostIntervalMs,
      highWater: this.#limits.hostQueueMax,
      strategy: Bottleneck.strategy.OVERFLOW,
    }).chain(this.#allHosts)
    const paced = { limiter, jobs: 0, idleSinceMs: this.#monotonicMs() }
    this.#hosts.set(host, paced)
    return paced
  }

  // One that has rested for an interval is as good as a new one. A new one is made all the same:
  // a limiter reckons with the system's clock, and would wait if that had been set back.
  #isRested({ jobs, idleSinceMs }: PacedHost): boolean {
    return jobs === 0 && this.#monotonicMs() - idleSinceMs >= this.#limits.hostIntervalMs
  }

  #forgetRestedHosts(): void {
    for (const [host, paced] of this.#hosts) if (this.#isRested(paced)) this.#hosts.delete(host)
  }

  async #schedule<T>(host: PacedHost, takeTurn: () => Promise<Paced<T>>): Promise<Paced<T>> {
    host.jobs += 1
    try {
      return await host.limiter.schedule(takeTurn)
    } catch (error) {
      // A limiter drops what is too much for it, and what waits when it is stopped.
      if (error instanceof Bottleneck.BottleneckError) return tooMany
      throw error
    } finally {
      host.jobs -= 1
      host.idleSinceMs = this.#monotonicMs()
    }
  }
}
