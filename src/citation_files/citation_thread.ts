import { Worker } from 'node:worker_threads'

import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { watchTime } from '#src/fairness/thread_time.ts'
import type { CitationFormat, ReadEntry } from '#src/citation_files/citation_entry.ts'

/** What a thread is to read. */
export type CitationTask = {
  readonly text: string
  readonly format: CitationFormat
  readonly entriesMax: number
}

/** What a thread has read, or that it has not: `count` entries are too many, or there is none. */
export type CitationThreadAnswer =
  | { readonly type: 'read'; readonly entries: readonly ReadEntry[] }
  | { readonly type: 'too_many'; readonly count: number }
  | { readonly type: 'unreadable' }

/** How long one file may be read, and the memory of the thread that reads it. */
const readTime = { cpuMsMax: 20_000, msMax: 300_000 }
const heapMegabytesMax = 256

/** Files that are read at one time, and that wait for it. */
const readersMax = 2
const waitingMax = 8

let readers = 0
const waiting: (() => void)[] = []

/**
 * Reads a file in a thread of its own. `busy`: too many others wait; `too_slow`: the thread took
 * too long or too much memory, and was ended.
 */
export async function readInThread(
  task: CitationTask,
): Promise<CitationThreadAnswer | { readonly type: 'busy' | 'too_slow' }> {
  if (waiting.length >= waitingMax) return { type: 'busy' }
  if (readers >= readersMax) await new Promise<void>((resolve) => void waiting.push(resolve))
  else readers += 1
  try {
    return await runThread(task)
  } finally {
    const next = waiting.shift()
    if (next === undefined) readers -= 1
    else next()
  }
}

async function runThread(
  task: CitationTask,
): Promise<CitationThreadAnswer | { readonly type: 'too_slow' }> {
  const worker = new Worker(new URL('./citation_worker.ts', import.meta.url), {
    name: 'citations',
    workerData: task,
    env: threadEnvironment(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  })
  const answered = Promise.withResolvers<CitationThreadAnswer | { readonly type: 'too_slow' }>()
  const stopWatching = watchTime(worker, readTime, () => answered.resolve({ type: 'too_slow' }))
  worker.once('message', (answer: CitationThreadAnswer) => answered.resolve(answer))
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') answered.resolve({ type: 'too_slow' })
    else answered.reject(error)
  })
  try {
    return await answered.promise
  } finally {
    stopWatching()
    await worker.terminate()
  }
}
