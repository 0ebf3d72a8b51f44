import { WorkerError } from '#actors/kernel/asked_worker.ts'
import { TaskThreads } from '#actors/kernel/task_threads.ts'
import type { CitationFormat, ReadEntry } from '#src/discovery/citation_files/citation_entry.ts'

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

/** Whatever a file makes the library do, it does to no other file: each has a new thread. */
const readers = new TaskThreads<CitationTask, CitationThreadAnswer>({
  file: new URL('./citation_worker.ts', import.meta.url),
  name: 'citations',
  resourceLimits: { maxOldGenerationSizeMb: 256 },
  threadsMax: 2,
  waitingMax: 8,
  taskTime: { cpuMsMax: 20_000, msMax: 300_000 },
  idleMsMax: 0,
})

/**
 * Reads a file in a thread of its own. `busy`: too many others wait; `too_slow`: the thread took
 * too long or too much memory, and was ended.
 */
export async function readInThread(
  task: CitationTask,
): Promise<CitationThreadAnswer | { readonly type: 'busy' | 'too_slow' }> {
  try {
    return await readers.run(task)
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error
    if (error.code === 'busy') return { type: 'busy' }
    if (error.code === 'too_slow' || error.code === 'out_of_memory') return { type: 'too_slow' }
    throw error
  }
}
