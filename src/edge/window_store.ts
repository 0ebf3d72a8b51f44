import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'

type Window = { count: number; readonly endsMs: number }

/**
 * A store of counts in fixed windows for the rate limiter, which makes one instance per limit.
 * Windows end by `elapsedMs`, a clock that only goes forward, so that a clock set back locks nobody
 * out. An instance remembers `clientsMax` clients; beyond them it forgets the oldest window.
 */
export function windowStore(
  elapsedMs: () => number,
  clientsMax: number,
): FastifyRateLimitStoreCtor {
  return class WindowStore implements FastifyRateLimitStore {
    // Every window of a limit is equally long, so the order of insertion is that of ending.
    readonly #windows = new Map<string, Window>()

    incr(
      key: string,
      callback: (error: null, result: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      const now = elapsedMs()
      let window = this.#windows.get(key)
      if (window === undefined || window.endsMs <= now) {
        this.#windows.delete(key)
        this.#makeRoom(now)
        window = { count: 0, endsMs: now + windowMs }
        this.#windows.set(key, window)
      }
      window.count += 1
      callback(null, { current: window.count, ttl: window.endsMs - now })
    }

    child(): WindowStore {
      return new WindowStore()
    }

    #makeRoom(now: number): void {
      for (const [key, { endsMs }] of this.#windows) {
        if (endsMs > now && this.#windows.size < clientsMax) return
        this.#windows.delete(key)
      }
    }
  }
}
