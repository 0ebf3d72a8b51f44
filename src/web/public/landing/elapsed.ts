const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

// From the longest; a month and a year are as long as they are on average.
const units = [
  ['year', 365.25 * dayMs],
  ['month', 30.44 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const

/** How long a span is, in whole units of the largest that it fills: `3 hours`. */
export function inWords(spanMs: number): string {
  for (const [unit, unitMs] of units) {
    const count = Math.floor(spanMs / unitMs)
    if (count >= 1) return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
  }
  return 'less than a minute'
}

/** How long ago a time was, which may lie a little ahead where clocks differ: `3 hours ago`. */
export function elapsedSince(timestamp: string, nowMs: number): string {
  const spanMs = nowMs - Date.parse(timestamp)
  return spanMs < minuteMs ? 'just now' : `${inWords(spanMs)} ago`
}
