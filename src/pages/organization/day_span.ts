const dayMs = 86_400_000

/** The first and the last day of a period, `YYYY-MM-DD` of UTC; an empty text is open. */
export type DaySpan = { readonly from: string; readonly until: string }

/** The first moment of a day, in milliseconds since 1970; NaN for a text that is no day. */
export function startOfDay(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  // A day that no month has is read as one of the next month.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) === day ? ms : Number.NaN
}

/** What is wrong with a period, in a sentence; undefined if it can be asked for. */
export function periodFault({ from, until }: DaySpan): string | undefined {
  const wrong = [from, until].find((day) => day !== '' && Number.isNaN(startOfDay(day)))
  if (wrong !== undefined) return `“${wrong.slice(0, 40)}” is no day: write it as 2026-03-31.`
  const isBackwards = from !== '' && until !== '' && startOfDay(until) < startOfDay(from)
  return isBackwards
    ? 'The period ends before it begins: nothing is between the two days.'
    : undefined
}

/** The times of a period in milliseconds since 1970; `untilMs` is the first after it. */
export function periodOf({ from, until }: DaySpan): {
  readonly fromMs?: number
  readonly untilMs?: number
} {
  return {
    ...(from !== '' && { fromMs: startOfDay(from) }),
    ...(until !== '' && { untilMs: startOfDay(until) + dayMs }),
  }
}
