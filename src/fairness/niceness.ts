import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** How far long work stands back behind the thread of the requests where both want a core. */
const niceness = 10

/**
 * Has the process, or the thread, that calls this stand back behind those that answer requests.
 * Only Linux has a priority for each thread; elsewhere a thread keeps that of its process.
 */
export function standBack(): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    os.setPriority(niceness)
  } catch {
    // Where that is not allowed, it has the same right to a core.
  }
}
