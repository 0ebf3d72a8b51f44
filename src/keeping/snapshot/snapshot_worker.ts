// The thread of `readSnapshotInThread`.

import { workerData } from 'node:worker_threads'

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'
import { LogError } from '#log/tlog/errors.ts'
import { joinLevelStore } from '#log/store/level_store.ts'
import { BegunRows, writeSnapshot } from '#src/keeping/snapshot/snapshot.ts'
import type {
  SnapshotAnswer,
  SnapshotOrder,
  SnapshotTask,
} from '#src/keeping/snapshot/snapshot_thread.ts'

/** About how long a piece is. */
const pieceBytes = 256 * 1_024

const snapshot = readStores(workerData as SnapshotTask)

lowerPriority()
answerOrders<SnapshotOrder, SnapshotAnswer>(answer, {
  transferOf: (given) => (given.type === 'piece' ? [given.bytes.buffer] : []),
})

async function answer(order: SnapshotOrder): Promise<SnapshotAnswer> {
  try {
    const next = await (order === 'read' ? snapshot.next() : snapshot.return())
    return next.done === true ? { type: 'end' } : { type: 'piece', bytes: next.value }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return { type: 'failed', code: error.code, message: error.message }
  }
}

async function* readStores(
  task: SnapshotTask,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  await using joined = new AsyncDisposableStack()
  const stores = await Promise.all(
    task.stores.map(async ({ name, dir }) => {
      const store = await joinLevelStore(dir)
      joined.defer(() => store.close())
      return { name, store }
    }),
  )
  // All of them begin now, after the last was opened.
  const begun = stores.map(({ name, store }) => {
    const rows = new BegunRows(store.scanBatches({}))
    joined.defer(() => rows.close())
    return { name, rows }
  })
  yield* gather(writeSnapshot(task.head, begun))
}

/** Joins pieces until they are long enough to be worth a message, in memory of their own. */
async function* gather(pieces: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let gathered: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    gathered.push(piece)
    length += piece.length
    if (length < pieceBytes) continue
    yield joinPieces(gathered, length)
    gathered = []
    length = 0
  }
  if (length > 0) yield joinPieces(gathered, length)
}

// Memory that Node shares between short buffers cannot be handed over.
function joinPieces(pieces: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
