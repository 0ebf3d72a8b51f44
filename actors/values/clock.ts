/** The registry's time: milliseconds since 1970 that never go back. */
export type Clock = { nowMs(): number }

/**
 * A clock that can be moved on: `tickMs` is later than every time it has given before, and after
 * `advance` it gives none before a time (`YYYY-MM-DDThh:mm:ss.sssZ`). `restart` forgets what it has
 * given, for when that is known to be wrong, and begins again with `notBefore`.
 */
export type MonotoneClock = Clock & {
  tickMs(): number
  advance(earliest: string): void
  restart(notBefore: string): void
}

/**
 * A clock over `systemMs` that holds its newest value while the system's time is behind it, and
 * never gives a time before `notBefore` (`YYYY-MM-DDThh:mm:ss.sssZ`, or '' for no bound): receipts
 * of one log are in order even when the machine's clock is set back.
 */
export function monotoneClock(systemMs: () => number, notBefore: string): MonotoneClock {
  const firstMs = (timestamp: string) => (timestamp === '' ? 0 : Date.parse(timestamp))
  let newestMs = firstMs(notBefore)
  return {
    nowMs() {
      newestMs = Math.max(newestMs, systemMs())
      return newestMs
    },
    tickMs() {
      newestMs = Math.max(newestMs + 1, systemMs())
      return newestMs
    },
    advance(earliest) {
      newestMs = Math.max(newestMs, Date.parse(earliest))
    },
    restart(timestamp) {
      newestMs = firstMs(timestamp)
    },
  }
}

/** A time in the one form that is stored and signed: `YYYY-MM-DDThh:mm:ss.sssZ`, in UTC. */
export function formatTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Milliseconds of a clock that only goes forward, and is the same on all threads of a process. */
export function elapsedMs(): number {
  // The zero of `performance.now()` is the start of each thread.
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Milliseconds from `nowMs` that a Retry-After field asks to wait, in either form of RFC 9110
 * §10.2.3: seconds, or a date. A date that has passed is 0; undefined if it is neither.
 */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const dateMs = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
