import { crc32 } from 'node:zlib'

import { decodeItem, type SnapshotItem, splitItems } from '#src/keeping/snapshot/snapshot.ts'

/** A part of a snapshot: whole items, in their order. */
export type SnapshotChunk = {
  readonly bytes: Buffer
  readonly items: readonly SnapshotItem[]
}

/** Bytes of rows in a chunk: at least, but for a store's last, and at most, but for one row. */
const chunkBytesMin = 256 * 1_024
const chunkBytesMax = 8 * 1_048_576

/** One key in so many ends a chunk. */
const keysPerCut = 4_096

/**
 * Cuts a snapshot into chunks: the head by itself, and the rows of each store where their keys say
 * so. Where rows have not changed between two snapshots, neither have most of their chunks,
 * wherever rows were added or removed before them: what was kept once need not be kept again.
 */
export async function* cutSnapshot(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<SnapshotChunk> {
  let bytes: Buffer[] = []
  let items: SnapshotItem[] = []
  let length = 0
  const take = () => {
    const chunk = { bytes: Buffer.concat(bytes), items }
    bytes = []
    items = []
    length = 0
    return chunk
  }
  for await (const written of splitItems(pieces)) {
    const item = decodeItem(written)
    if (item.type === 'store' && length > 0) yield take()
    bytes.push(written)
    items.push(item)
    length += written.length
    if (endsChunk(item, length)) yield take()
  }
  if (length > 0) yield take()
}

function endsChunk(item: SnapshotItem, length: number): boolean {
  if (item.type === 'head') return true
  if (item.type !== 'row') return false
  if (length >= chunkBytesMax) return true
  return length >= chunkBytesMin && crc32(item.row[0]) % keysPerCut === 0
}
