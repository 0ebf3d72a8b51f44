/** Milliseconds of a clock that only goes forward, and is the same on all threads of a process. */
export function elapsedMs(): number {
  // The zero of `performance.now()` is the start of each thread.
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}
