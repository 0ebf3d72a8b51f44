/** The reason of a signal that a time limit has set off. */
export class TimeLimitError extends Error {
  readonly code = 'time_limit'

  constructor(limitMs: number) {
    super(`the limit of ${limitMs} ms is reached`)
    this.name = 'TimeLimitError'
  }
}

// Made once: abort() without a reason makes an exception with a stack each time.
const jobEnded = new Error('the job has ended')

/**
 * Runs a job with a signal that is set off with `signal`, or by a TimeLimitError after `limitMs`,
 * or when the job has ended: nothing it has started goes on.
 */
export async function limitTime<T>(
  signal: AbortSignal,
  limitMs: number,
  job: (ends: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = new AbortController()
  const onAbort = () => ends.abort(signal.reason)
  const timer = setTimeout(() => ends.abort(new TimeLimitError(limitMs)), Math.max(0, limitMs))
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await job(ends.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    ends.abort(jobEnded)
  }
}
