import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { emptyHead, type LogHead } from '#log/store/commit.ts'
import { LogError } from '#log/tlog/errors.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { writeBufferBytesDefault } from '#log/store/level_store.ts'
import {
  checkpointKey,
  checkpointPrefix,
  decodeLogRow,
  encodeLogRow,
  entryKey,
  entryPrefix,
  keyNumber,
  keysWith,
  type LogKind,
  logKey,
  missingRow,
  tileKey,
} from '#log/store/log_rows.ts'
import type { LogSigner, Verifier } from '#log/tlog/note.ts'
import { buildEdge, edgeRoot, type RightEdge } from '#log/store/right_edge.ts'
import type { Store } from '#log/store/store.ts'
import { tileHeight, tileNode } from '#log/tlog/tile.ts'

/** Which log a store must hold. The key of `signer`, `verifier` and `vkey` is one and the same. */
export type LogOptions = {
  readonly kind: LogKind
  readonly origin: string
  readonly signer: LogSigner
  readonly verifier: Verifier
  readonly vkey: string
  /** Whether an empty store may become this log: at a service's first start only. */
  readonly create: boolean
  /** Time that a new log remembers as its creation: ISO, in UTC. */
  readonly createdAt: string
  /** The write buffer of the store, in bytes: it bounds what a damaged .log can have lost. */
  readonly writeBufferBytes?: number
}

/**
 * Opens the log of a store: reads the newest checkpoint, verifies its signature, rebuilds the right
 * edge from full tiles and the entries after them, and compares the root. Then it reads back so
 * many of the newest entries that a gap, which LevelDB leaves silently when its .log is damaged,
 * cannot lie behind them. An empty store becomes a new log where `create` allows it, otherwise it
 * is `store_missing`. Further errors: `log_inconsistent` if the store holds another log or
 * contradicts its checkpoint, `store_corrupt` for rows that are missing or altered.
 */
export async function openLog(store: Store, options: LogOptions): Promise<LogHead> {
  const row = store.get(logKey)
  const newest = await readNewestCheckpoint(store)
  if (row === undefined && newest === undefined) return createLog(store, options)
  if (row === undefined) throw missingRow('the row that says what log this is')
  checkIdentity(row, options)
  if (newest === undefined) throw missingRow('every checkpoint')
  const checkpoint = Buffer.from(newest.note).toString('utf8')
  const { treeSize, rootHash } = verifyCheckpoint(checkpoint, newest.treeSize, options)
  const edge = loadEdge(store, treeSize)
  if (Buffer.compare(edgeRoot(edge), rootHash) !== 0) {
    throw inconsistent(`the tree of ${treeSize} entries has not the root that was signed for it`)
  }
  await checkTail(store, treeSize, 2 * (options.writeBufferBytes ?? writeBufferBytesDefault))
  return { edge, treeSize, rootHash, checkpoint }
}

async function createLog(store: Store, options: LogOptions): Promise<LogHead> {
  if (!options.create) {
    throw new LogError(
      'store_missing',
      'the store is empty, it has lost its log: restore it from a backup; only a first start ' +
        'begins a new log',
    )
  }
  const head = emptyHead(options.signer)
  const row = encodeLogRow({
    schema: 1,
    kind: options.kind,
    origin: options.origin,
    vkey: options.vkey,
    created_at: options.createdAt,
  })
  await store.commit([
    { type: 'put', key: logKey, value: row },
    { type: 'put', key: checkpointKey(0), value: Buffer.from(head.checkpoint) },
  ])
  return head
}

function checkIdentity(row: Uint8Array, options: LogOptions): void {
  const found = decodeLogRow(row)
  for (const name of ['kind', 'origin', 'vkey'] as const) {
    if (found[name] === options[name]) continue
    throw new LogError(
      'log_inconsistent',
      `the store holds a log whose ${name} is ${found[name]}, not ${options[name]}: start it ` +
        'with the key and the settings it was made with, or with another data directory',
    )
  }
}

async function readNewestCheckpoint(
  store: Store,
): Promise<{ readonly treeSize: number; readonly note: Uint8Array } | undefined> {
  const newest = store.scan({ ...keysWith(checkpointPrefix), reverse: true, limit: 1 })
  for await (const [key, note] of newest) return { treeSize: keyNumber(key), note }
  return undefined
}

function verifyCheckpoint(note: string, treeSize: number, options: LogOptions): Checkpoint {
  let checkpoint: Checkpoint
  try {
    checkpoint = openCheckpoint(note, options.origin, [options.verifier])
  } catch (cause) {
    throw inconsistent(`the checkpoint of ${treeSize} entries cannot be verified`, { cause })
  }
  if (checkpoint.treeSize === treeSize) return checkpoint
  throw inconsistent(`the checkpoint of ${treeSize} entries is of ${checkpoint.treeSize}`)
}

function loadEdge(store: Store, treeSize: number): RightEdge {
  return buildEdge(treeSize, (level, start, width) =>
    Array.from({ length: width }, (_, at) => readHash(store, level, start + at)),
  )
}

/** Hash `index` of a tile level, from what lies below: an entry, or a full tile. */
function readHash(store: Store, level: number, index: number): Uint8Array {
  const row = store.get(level === 0 ? entryKey(index) : tileKey(level - 1, index))
  if (row === undefined)
    throw missingRow(level === 0 ? `entry ${index}` : `tile ${level - 1}/${index}`)
  return level === 0 ? leafHash(row) : tileNode(row, tileHeight, 0)
}

// What one entry takes in the write buffer besides its bytes: the keys of its two rows, LevelDB's
// bookkeeping for them, and its share of a tile.
const entryOverheadBytes = 190

async function checkTail(store: Store, treeSize: number, tailBytes: number): Promise<void> {
  let expected = treeSize - 1
  let bytes = 0
  for await (const rows of store.scanBatches({ ...keysWith(entryPrefix), reverse: true })) {
    for (const [key, entry] of rows) {
      const leafIndex = keyNumber(key)
      if (leafIndex >= treeSize) {
        throw inconsistent(`entry ${leafIndex} follows the newest checkpoint, of size ${treeSize}`)
      }
      if (leafIndex !== expected) throw missingRow(`entry ${expected}`)
      expected -= 1
      bytes += entry.length + entryOverheadBytes
    }
    if (bytes > tailBytes) return
  }
  if (expected >= 0) throw missingRow(`entry ${expected}`)
}

function inconsistent(reason: string, options?: ErrorOptions): LogError {
  return new LogError(
    'log_inconsistent',
    `${reason}: the store is damaged; stop the service and restore it from a backup`,
    options,
  )
}
