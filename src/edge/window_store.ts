import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'

type Window = { count: number; readonly endsMs: number }

/**
 * Counts in fixed windows of one length. They end by `elapsedMs`, a clock that only goes forward,
 * so that a clock set back locks nobody out. `clientsMax` clients are remembered; beyond them the
 * oldest window is forgotten.
 */
export class Windows {
  readonly #elapsedMs: () => number
  readonly #clientsMax: number
  // Every window is equally long, so the order of insertion is that of ending.
  readonly #windows = new Map<string, Window>()

  constructor(elapsedMs: () => number, clientsMax: number) {
    this.#elapsedMs = elapsedMs
    this.#clientsMax = clientsMax
  }

  /** Counts a call of a client. `current` are those of its window, which ends in `ttl` ms. */
  count(client: string, windowMs: number): { readonly current: number; readonly ttl: number } {
    const now = this.#elapsedMs()
    let window = this.#windows.get(client)
    if (window === undefined || window.endsMs <= now) {
      this.#windows.delete(client)
      this.#makeRoom(now)
      window = { count: 0, endsMs: now + windowMs }
      this.#windows.set(client, window)
    }
    window.count += 1
    return { current: window.count, ttl: window.endsMs - now }
  }

  #makeRoom(now: number): void {
    for (const [client, { endsMs }] of this.#windows) {
      if (endsMs > now && this.#windows.size < this.#clientsMax) return
      this.#windows.delete(client)
    }
  }
}

/** Makes the store in which the rate limiter counts, which has one instance for each limit. */
export function windowStore(
  elapsedMs: () => number,
  clientsMax: number,
): FastifyRateLimitStoreCtor {
  return class WindowStore implements FastifyRateLimitStore {
    readonly #windows = new Windows(elapsedMs, clientsMax)

    incr(
      key: string,
      callback: (error: null, result: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      callback(null, this.#windows.count(key, windowMs))
    }

    child(): WindowStore {
      return new WindowStore()
    }
  }
}
