import { Lane, type LaneLimits } from '#src/fetch/lane.ts'
import { Slots } from '#src/fetch/slots.ts'

/** How often and how much at a time hosts are asked; times in milliseconds. */
export type PacingLimits = LaneLimits & {
  /** Jobs at a time, of all hosts. */
  readonly concurrencyMax: number
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
  close(): void
}

/** A host's queue is full, or too many hosts have one: when to come back. */
const tooMany = { type: 'postponed', retryAfterMs: 30_000 } as const

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
    if (lane === undefined || lane.waiting >= this.#limits.hostQueueMax) return tooMany
    if ((await lane.enter(signal)) === 'closed') return tooMany
    let hasStarted = false
    try {
      // The pause may have begun while this job was waiting.
      const laterMs = this.#pauseOf(host)
      if (laterMs > 0) return { type: 'postponed', retryAfterMs: laterMs }
      const start = () => {
        hasStarted = true
        lane.start()
        return job()
      }
      return { type: 'ran', value: await this.#slots.run(start, signal) }
    } finally {
      lane.leave(hasStarted)
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

  close(): void {
    for (const lane of this.#lanes.values()) lane.close()
    this.#lanes.clear()
  }

  #pauseOf(host: string): number {
    const leftMs = (this.#pausedUntilMs.get(host) ?? 0) - this.#monotonicMs()
    if (leftMs <= 0) this.#pausedUntilMs.delete(host)
    return Math.max(0, leftMs)
  }

  #laneOf(host: string): Lane | undefined {
    const known = this.#lanes.get(host)
    if (known !== undefined) return known
    if (this.#lanes.size >= this.#limits.hostsMax) this.#forgetRestedLanes()
    if (this.#lanes.size >= this.#limits.hostsMax) return undefined
    const lane = new Lane(this.#limits, this.#monotonicMs)
    this.#lanes.set(host, lane)
    return lane
  }

  #forgetRestedLanes(): void {
    for (const [host, lane] of this.#lanes) if (lane.isRested) this.#lanes.delete(host)
  }
}
