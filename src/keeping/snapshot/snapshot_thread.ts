import { Worker } from 'node:worker_threads'

import { AskedWorker, WorkerError } from '#actors/kernel/asked_worker.ts'
import { threadEnvironment } from '#actors/kernel/kept_worker.ts'
import { LogError, type LogErrorCode } from '#log/tlog/errors.ts'
import type { Row } from '#log/store/store.ts'
import { BegunRows, type SnapshotHead } from '#src/keeping/snapshot/snapshot.ts'

/** A store that this process has open in a directory. */
export type OpenStore = {
  readonly name: string
  readonly dir: string
  /** Its rows, as this thread reads them. */
  snapshot(): AsyncIterable<readonly Row[]>
}

/** What a thread reads. */
export type SnapshotTask = {
  readonly head: SnapshotHead
  readonly stores: readonly Pick<OpenStore, 'name' | 'dir'>[]
}

/** What a thread is asked for: the next piece of the snapshot, or to leave the stores. */
export type SnapshotOrder = 'read' | 'leave'

/** What a thread answers: a piece, that there are no more, or why there is none. */
export type SnapshotAnswer =
  | { readonly type: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly code: LogErrorCode; readonly message: string }

/** Pieces that may be on their way. */
const piecesMax = 4

/**
 * Reads a snapshot in a thread of its own, with the lower priority of long work: reading rows,
 * checking and joining them takes all that a thread can do, and the one that asks has requests to
 * answer. All stores are as they are at one moment after this has begun, and none is purged before
 * it has ended. Errors: those of `joinLevelStore` and of reading; a reader that stops waits
 * until the thread has left the stores.
 */
export async function* readSnapshotInThread(
  head: SnapshotHead,
  stores: readonly OpenStore[],
): AsyncGenerator<Uint8Array> {
  // A purge waits for scans of the thread that owns the store: one lasts as long as the other's.
  const held = stores.map((store) => new BegunRows(store.snapshot()))
  try {
    await Promise.all(held.map((rows) => rows.begun()))
    yield* readInWorker({ head, stores: stores.map(({ name, dir }) => ({ name, dir })) })
  } finally {
    await Promise.all(held.map((rows) => rows.close()))
  }
}

async function* readInWorker(task: SnapshotTask): AsyncGenerator<Uint8Array> {
  const thread = new AskedWorker<SnapshotOrder, SnapshotAnswer>({
    start: () => startWorker(task),
    waitingMax: piecesMax + 1,
  })
  const read = () => {
    const reading = thread.ask('read')
    // Of several that fail only the first is waited for.
    reading.catch(() => undefined)
    return reading
  }
  try {
    const readings = Array.from({ length: piecesMax }, read)
    for (let next = readings.shift(); next !== undefined; next = readings.shift()) {
      const answer = await next
      if (answer.type === 'end') return
      if (answer.type === 'failed') throw new LogError(answer.code, answer.message)
      yield answer.bytes
      readings.push(read())
    }
  } catch (error) {
    if (!(error instanceof WorkerError)) throw error
    const { cause } = error
    throw cause instanceof Error ? cause : new Error('the thread that reads the stores has ended')
  } finally {
    if (thread.running !== undefined) await thread.ask('leave').catch(() => undefined)
    await thread.stop()
  }
}

function startWorker(task: SnapshotTask): Worker {
  return new Worker(new URL('./snapshot_worker.ts', import.meta.url), {
    name: 'snapshot',
    workerData: task,
    env: threadEnvironment(),
  })
}
