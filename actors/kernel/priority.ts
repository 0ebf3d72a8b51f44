import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** How far the priority of long work is lowered, for the thread of the requests to come first. */
const niceness = 10

/**
 * Lowers the priority of the process, or the thread, that calls this below those of requests.
 * Only Linux has a priority for each thread; elsewhere a thread keeps that of its process.
 */
export function lowerPriority(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    os.setPriority(niceness)
  } catch {
    // Where that is not allowed, it has the same right to a core.
  }
}
