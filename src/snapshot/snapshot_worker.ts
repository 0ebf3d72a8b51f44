// The thread of `readSnapshotInThread`.

import { parentPort, workerData } from 'node:worker_threads'

import { assert, LogError } from '#log/errors.ts'
import { joinLevelStore } from '#log/level_store.ts'
import { lowerPriority } from '#src/fairness/priority.ts'
import { BegunRows } from '#src/snapshot/begun_rows.ts'
import { writeSnapshot } from '#src/snapshot/snapshot.ts'
import type {
  SnapshotMessage,
  SnapshotRequest,
  SnapshotTask,
} from '#src/snapshot/snapshot_thread.ts'

/** Pieces that may be on their way, and about how long each is. */
const piecesMax = 4
const pieceBytes = 256 * 1_024

const port = parentPort
assert(port !== null, 'this file runs as a thread')
const task = workerData as SnapshotTask

let wanted = piecesMax
let isStopped = false
let wake = () => {}
port.on('message', (request: SnapshotRequest) => {
  if (request === 'more') wanted += 1
  else isStopped = true
  wake()
})

lowerPriority()
try {
  await readStores()
  say({ type: 'end' })
} catch (error) {
  if (!(error instanceof LogError)) throw error
  say({ type: 'failed', code: error.code, message: error.message })
} finally {
  port.close()
}

async function readStores(): Promise<void> {
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
  for await (const bytes of gather(writeSnapshot(task.head, begun))) {
    while (wanted === 0 && !isStopped) {
      await new Promise<void>((resolve) => (wake = resolve))
    }
    if (isStopped) return
    wanted -= 1
    say({ type: 'piece', bytes }, [bytes.buffer])
  }
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

function say(message: SnapshotMessage, transferred: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, transferred)
}
