/** The reason of a signal that a time limit has set off. */
export class TimeLimitError extends Error {
  readonly code = 'time_limit'

  constructor(limitMs: number) {
    super(`the limit of ${limitMs} ms is reached`)
    this.name = 'TimeLimitError'
  }
}

/** Runs a job, and sets a controller off with a TimeLimitError if it takes over `limitMs`. */
export async function limitTime<T>(
  ends: AbortController,
  limitMs: number,
  job: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => ends.abort(new TimeLimitError(limitMs)), Math.max(0, limitMs))
  try {
    return await job()
  } finally {
    clearTimeout(timer)
  }
}
