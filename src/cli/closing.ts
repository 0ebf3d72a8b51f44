import closeWithGrace from 'close-with-grace'

/** How long actors and stores may take to close once the last request has had its time. */
const closeStoresMs = 5_000

/**
 * Has `close` called when the process is told to end, or a fault that nothing caught ends it: after
 * a signal with code 0, after a fault with 1. `graceMs` is the time that `close` gives requests.
 */
export function closeAtEnd(graceMs: number, close: () => Promise<void>): void {
  closeWithGrace({ delay: graceMs + closeStoresMs }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await close()
  })
}
