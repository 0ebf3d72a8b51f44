import type { Worker } from 'node:worker_threads'

/**
 * What one task of a thread may take: milliseconds of its CPU, which are the same however busy the
 * machine is, and milliseconds of the clock, which end one that waits for something.
 */
export type TaskTime = { readonly cpuMsMax: number; readonly msMax: number }

/** Milliseconds between two looks at what a thread has used. */
const lookEveryMs = 100

/**
 * Watches a thread, once there is one, from the beginning of a task: calls `onExcess` once, if the
 * task takes more than it may. Gives what ends the watching.
 */
export function watchTime(
  thread: () => Worker | undefined,
  { cpuMsMax, msMax }: TaskTime,
  onExcess: () => void,
): () => void {
  const endsAtMs = performance.now() + msMax
  let before: NodeJS.CpuUsage | undefined
  let looking: NodeJS.Timeout | undefined
  async function look(): Promise<void> {
    const now = await usageOf(thread())
    before ??= now
    if (looking === undefined) return
    const cpuMs = (sum(now) - sum(before)) / 1_000
    if (cpuMs > cpuMsMax || performance.now() > endsAtMs) {
      looking = undefined
      onExcess()
    } else {
      looking = setTimeout(() => void look(), lookEveryMs)
    }
  }
  looking = setTimeout(() => void look(), 0)
  return () => {
    clearTimeout(looking)
    looking = undefined
  }
}

/** Undefined of a thread that does not run: yet, or any more, which it tells by itself. */
async function usageOf(worker: Worker | undefined): Promise<NodeJS.CpuUsage | undefined> {
  return worker?.cpuUsage().catch(() => undefined)
}

function sum(usage: NodeJS.CpuUsage | undefined): number {
  return usage === undefined ? 0 : usage.user + usage.system
}
