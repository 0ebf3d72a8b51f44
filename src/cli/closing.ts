import closeWithGrace from 'close-with-grace'

/** How long actors and stores may take to close once the last request has had its time. */
const closeStoresMs = 5_000

/** What tells a process to end: its terminal that closes, Ctrl-C, and a service manager. */
const endSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * Has `end` called once when the process is told to end, until it is disposed. Further signals
 * change nothing: the terminal tells every process, and npm passes on to its script what it hears.
 */
export function onEndSignal(end: () => void): Disposable {
  let isTold = false
  const listener = () => {
    if (isTold) return
    isTold = true
    end()
  }
  for (const signal of endSignals) process.on(signal, listener)
  return {
    [Symbol.dispose]() {
      for (const signal of endSignals) process.off(signal, listener)
    },
  }
}

/**
 * Has `close` called when the process is told to end, or a fault that nothing caught ends it: after
 * a signal with code 0, after a fault with 1. `graceMs` is the time that `close` gives requests.
 */
export function closeAtEnd(graceMs: number, close: () => Promise<void>): void {
  const options = { delay: graceMs + closeStoresMs, skip: [...endSignals] }
  const grace = closeWithGrace(options, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await close()
  })
  onEndSignal(() => grace.close())
}
