// Before each test file: its thread lives until its tests have ended, as that of a server does.
// What a test waits for may keep no thread alive, such as an answer of another thread, or the end
// of what it closes; AVA takes a thread with nothing else to do for one whose tests never end.
import { registerCompletionHandler } from 'ava'

/** Longer than any test: there is nothing to do. */
const longMs = 3_600_000

const living = setInterval(() => undefined, longMs)
registerCompletionHandler(() => clearInterval(living))
