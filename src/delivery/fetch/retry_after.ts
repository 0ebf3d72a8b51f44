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
