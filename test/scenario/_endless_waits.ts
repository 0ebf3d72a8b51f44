// Loaded before a process: what waits for many seconds waits for ever there. So what comes was
// told, and did not come because a wait was over.

const manySecondsMs = 20_000
const foreverMs = 86_400_000

const { setTimeout } = globalThis
globalThis.setTimeout = Object.assign(
  (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    setTimeout(work, ms < manySecondsMs ? ms : foreverMs, ...given),
  setTimeout,
)
const timeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => timeout(ms < manySecondsMs ? ms : foreverMs)
