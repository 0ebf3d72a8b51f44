import { randomBytes } from 'node:crypto'
import test from 'ava'

import type { Row } from '#log/store/store.ts'
import {
  readSnapshot,
  type SnapshotHead,
  type SnapshotItem,
  writeSnapshot,
} from '#src/keeping/snapshot/snapshot.ts'

const log = { origin: 'registry.example/log', log_public_key: 'ab'.repeat(32) }
const head: SnapshotHead = {
  format: 1,
  views: 16,
  instance: {
    schema: 1,
    kind: 'registry',
    created_at: '2026-01-01T00:00:00.000Z',
    stores: 'created',
    logs: { live: log },
  },
  secrets: { 'live-log.pem': 'c2VjcmV0' },
  settings: { ARK_NAAN: '12345' },
  bytes: 1_000,
}

const rows: readonly Row[] = [
  ['ä', randomBytes(3)],
  ['empty', Buffer.alloc(0)],
  ['long', randomBytes(400_000)],
]

async function* batchesOf(...batches: readonly (readonly Row[])[]) {
  yield* batches
}

async function written(): Promise<Buffer> {
  const stores = [
    { name: 'live', rows: batchesOf(rows.slice(0, 2), rows.slice(2)) },
    { name: 'identity', rows: batchesOf() },
  ]
  return Buffer.concat(await Array.fromAsync(writeSnapshot(head, stores)))
}

async function* piecesOf(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

function read(bytes: Buffer, length: number): Promise<SnapshotItem[]> {
  return Array.fromAsync(readSnapshot(piecesOf(bytes, length)))
}

test('a copy is read as it was written, however it is cut', async (t) => {
  const expected = [
    { type: 'head', head },
    { type: 'store', name: 'live' },
    ...rows.map((row) => ({ type: 'row', row })),
    { type: 'store', name: 'identity' },
    { type: 'end', rows: 3 },
  ]
  const bytes = await written()
  for (const length of [997, 65_536, bytes.length]) t.deepEqual(await read(bytes, length), expected)
})

test('a copy that ends early, goes on, lacks a row or is nothing is refused', async (t) => {
  const bytes = await written()
  const refused = { code: 'snapshot_malformed' } as const
  const lengths = [0, 5, 300, bytes.length - 11, bytes.length - 1]
  for (const length of lengths) {
    await t.throwsAsync(read(bytes.subarray(0, length), 65_536), refused, `${length}`)
  }
  await t.throwsAsync(read(Buffer.concat([bytes, bytes.subarray(-10)]), 65_536), refused)
  const without = await Array.fromAsync(
    writeSnapshot(head, [{ name: 'live', rows: batchesOf(rows) }]),
  )
  await t.throwsAsync(read(Buffer.concat([...without.slice(0, 2), ...without.slice(3)]), 65_536), {
    ...refused,
    message: /rows of it are missing/,
  })
  await t.throwsAsync(read(randomBytes(100_000), 65_536), refused)
})
