import Bottleneck from 'bottleneck'

import { Slots } from '#src/fetch/slots.ts'

/** How often and how much at a time hosts are asked; times in milliseconds. */
export type PacingLimits = {
  /** Jobs at a time, of all hosts and of one. */
  readonly concurrencyMax: number
  readonly hostConcurrencyMax: number
  /** Time from one start to the next at one host. */
  readonly hostIntervalMs: number
  /** Jobs that wait for one host. */
  readonly hostQueueMax: number
  /** Hosts that are remembered, with what waits for them or with their pause. */
  readonly hostsMax: number
  /** The longest pause that a host can ask for. */
  readonly pauseMsMax: number
}

/** A job that was run, or one that was not and may be tried after a time. */
export type Paced<T> =
  | { readonly type: 'ran'; readonly value: T }
  | { readonly type: 'postponed'; readonly retryAfterMs: number }

/** Bounds what each host has to bear. */
export type HostPacing = {
  /**
   * Runs a job when its host's turn has come. Jobs for a host that is paused, or for which too
   * many wait, are not run. Rejects with the signal's reason if it is set off while waiting.
   */
  run<T>(host: string, job: () => Promise<T>, signal: AbortSignal): Promise<Paced<T>>
  /** Starts no job of a host for a time, or for longer if it is paused already. */
  pauseHost(host: string, ms: number): void
  /** Drops what waits; what runs is left to its own signal. */
  close(): Promise<void>
}

/** When to come back if a host's queue is full, or too many hosts have one. */
const queueRetryMs = 30_000

// Bottleneck's own Group forgets a limiter while its jobs run for longer than its timeout, and its
// `expiration` lets the next job start while the expired one goes on: so lanes are kept here, and
// jobs bound their own time.
type Lane = { readonly limiter: Bottleneck; jobs: number; idleSinceMs: number }

/** Pacing without any job yet. `monotonicMs` never goes back, such as performance.now. */
export function createHostPacing(limits: PacingLimits, monotonicMs: () => number): HostPacing {
  return new LanePacing(limits, monotonicMs)
}

class LanePacing implements HostPacing {
  readonly #limits: PacingLimits
  readonly #monotonicMs: () => number
  readonly #slots: Slots
  readonly #lanes = new Map<string, Lane>()
  readonly #pausedUntilMs = new Map<string, number>()

  constructor(limits: PacingLimits, monotonicMs: () => number) {
    this.#limits = limits
    this.#monotonicMs = monotonicMs
    this.#slots = new Slots(limits.concurrencyMax)
  }

  async run<T>(host: string, job: () => Promise<T>, signal: AbortSignal): Promise<Paced<T>> {
    signal.throwIfAborted()
    const pauseMs = this.#pauseOf(host)
    if (pauseMs > 0) return { type: 'postponed', retryAfterMs: pauseMs }
    const lane = this.#laneOf(host)
    if (lane === undefined) return { type: 'postponed', retryAfterMs: queueRetryMs }
    const start = async (): Promise<Paced<T>> => {
      // The pause may have begun while this job was waiting.
      const laterMs = this.#pauseOf(host)
      if (laterMs > 0) return { type: 'postponed', retryAfterMs: laterMs }
      return { type: 'ran', value: await this.#slots.run(job, signal) }
    }
    try {
      return await untilAborted(this.#schedule(lane, start), signal)
    } catch (error) {
      if (!(error instanceof Bottleneck.BottleneckError)) throw error
      return { type: 'postponed', retryAfterMs: queueRetryMs }
    }
  }

  pauseHost(host: string, ms: number): void {
    const nowMs = this.#monotonicMs()
    const untilMs = nowMs + Math.min(ms, this.#limits.pauseMsMax)
    if (untilMs <= (this.#pausedUntilMs.get(host) ?? nowMs)) return
    this.#pausedUntilMs.delete(host)
    this.#pausedUntilMs.set(host, untilMs)
    if (this.#pausedUntilMs.size <= this.#limits.hostsMax) return
    const [oldest = ''] = this.#pausedUntilMs.keys()
    this.#pausedUntilMs.delete(oldest)
  }

  async close(): Promise<void> {
    const lanes = [...this.#lanes.values()]
    this.#lanes.clear()
    await Promise.all(lanes.map(({ limiter }) => limiter.stop({ dropWaitingJobs: true })))
  }

  #pauseOf(host: string): number {
    const leftMs = (this.#pausedUntilMs.get(host) ?? 0) - this.#monotonicMs()
    if (leftMs <= 0) this.#pausedUntilMs.delete(host)
    return Math.max(0, leftMs)
  }

  #laneOf(host: string): Lane | undefined {
    const known = this.#lanes.get(host)
    if (known !== undefined) return known
    if (this.#lanes.size >= this.#limits.hostsMax) this.#forgetIdleLanes()
    if (this.#lanes.size >= this.#limits.hostsMax) return undefined
    const limiter = new Bottleneck({
      maxConcurrent: this.#limits.hostConcurrencyMax,
      minTime: this.#limits.hostIntervalMs,
      highWater: this.#limits.hostQueueMax,
      strategy: Bottleneck.strategy.OVERFLOW,
    })
    const lane = { limiter, jobs: 0, idleSinceMs: 0 }
    this.#lanes.set(host, lane)
    return lane
  }

  // A lane that has rested for an interval is as good as a new one.
  #forgetIdleLanes(): void {
    const restedMs = this.#monotonicMs() - this.#limits.hostIntervalMs
    for (const [host, { jobs, idleSinceMs }] of this.#lanes) {
      if (jobs === 0 && idleSinceMs <= restedMs) this.#lanes.delete(host)
    }
  }

  async #schedule<T>(lane: Lane, job: () => Promise<T>): Promise<T> {
    lane.jobs += 1
    try {
      return await lane.limiter.schedule(job)
    } finally {
      lane.jobs -= 1
      lane.idleSinceMs = this.#monotonicMs()
    }
  }
}

/** A promise's value, unless the signal is set off before; what becomes of it then is ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}
