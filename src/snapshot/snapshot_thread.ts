import { on, once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { LogError, type LogErrorCode } from '#log/errors.ts'
import type { Row } from '#log/store.ts'
import { threadEnvironment } from '#src/fairness/thread_environment.ts'
import { BegunRows } from '#src/snapshot/begun_rows.ts'
import type { SnapshotHead } from '#src/snapshot/snapshot.ts'

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

/** What a thread says: a piece of the snapshot, that it was the last, or why there is none. */
export type SnapshotMessage =
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly code: LogErrorCode; readonly message: string }

/** What a thread is told: that a piece was taken, or that no more are wanted. */
export type SnapshotRequest = 'more' | 'stop'

/**
 * Reads a snapshot in a thread of its own, with the lower priority of long work: reading rows,
 * checking and joining them takes all that a thread can do, and the one that asks has requests to
 * answer. All stores are as they are at one moment after this has begun, and none is purged before
 * it has ended. Errors: those of `joinLevelStore` and of reading; whoever stops reading waits until
 * the thread has left the stores.
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
  const worker = new Worker(new URL('./snapshot_worker.ts', import.meta.url), {
    name: 'snapshot',
    workerData: task,
    env: threadEnvironment(),
  })
  const exited = once(worker, 'exit')
  // An error of the thread is told where its messages are read.
  exited.catch(() => undefined)
  try {
    yield* piecesOf(worker)
  } finally {
    worker.postMessage('stop' satisfies SnapshotRequest)
    await exited.catch(() => undefined)
  }
}

async function* piecesOf(worker: Worker): AsyncGenerator<Uint8Array> {
  for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
    const said = message as SnapshotMessage
    if (said.type === 'end') return
    if (said.type === 'failed') throw new LogError(said.code, said.message)
    yield said.bytes
    worker.postMessage('more' satisfies SnapshotRequest)
  }
  throw new Error('the thread that reads the stores has ended')
}
