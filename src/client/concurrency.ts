/**
 * Does work on each item of a source, so many at a time, and gives the results in the order of the
 * items. Whoever stops early, or a work that fails, aborts what is under way.
 */
export async function* mapInOrder<T, R>(
  source: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  outer?: AbortSignal,
): AsyncGenerator<R> {
  const stop = new AbortController()
  const signal = outer === undefined ? stop.signal : AbortSignal.any([outer, stop.signal])
  const underWay: Promise<R>[] = []
  try {
    for await (const item of source) {
      outer?.throwIfAborted()
      const result = work(item, signal)
      // It is awaited in its turn, which an earlier failure may keep from coming.
      result.catch(() => undefined)
      underWay.push(result)
      const first = underWay.length >= concurrency ? underWay.shift() : undefined
      if (first !== undefined) yield await first
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>)
  } finally {
    stop.abort()
  }
}
