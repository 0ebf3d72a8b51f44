/** How many calls a limit has left, as the last answer under it said. */
type Count = { remaining: number; readonly resetAtMs: number }

/**
 * Keeps to the limits that answers tell of (`X-RateLimit-Remaining` and `-Reset`): a call that
 * would be refused waits until the count begins anew. It owns the counts; each limit has one.
 */
export class Pacing {
  readonly #counts = new Map<string, Count>()

  /** How long to wait before a call under a limit, in milliseconds; the call is counted. */
  take(limit: string, nowMs: number): number {
    const count = this.#counts.get(limit)
    if (count === undefined || nowMs >= count.resetAtMs) return 0
    if (count.remaining <= 0) return count.resetAtMs - nowMs
    count.remaining -= 1
    return 0
  }

  /** Reads what an answer says of the limit; calls that are under way are not in its count. */
  observe(limit: string, headers: Headers, nowMs: number): void {
    const remaining = readCount(headers, 'x-ratelimit-remaining')
    const reset = readCount(headers, 'x-ratelimit-reset')
    if (remaining === undefined || reset === undefined) return
    // The time of the answer is the registry's; without it, as in browsers, one's own must do.
    const date = Date.parse(headers.get('date') ?? '')
    const resetInMs = Math.max(0, reset * 1_000 - (Number.isNaN(date) ? nowMs : date))
    const before = this.#counts.get(limit)
    const isSameWindow = before !== undefined && before.resetAtMs > nowMs
    this.#counts.set(limit, {
      remaining: isSameWindow ? Math.min(before.remaining, remaining) : remaining,
      resetAtMs: nowMs + resetInMs,
    })
  }
}

function readCount(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
