import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { LogError } from '#log/tlog/errors.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Row, Store } from '#log/store/store.ts'
import { readSnapshot, type SnapshotItem } from '#src/keeping/snapshot/snapshot.ts'
import { type OpenStore, readSnapshotInThread } from '#src/keeping/snapshot/snapshot_thread.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { ownRegistry } from '#test/src/keeping/backup/_backed_up.ts'

const { head } = ownRegistry

type Opened = OpenStore & { readonly store: Store }

async function openStore(t: ExecutionContext, name: string, rows: readonly Row[]): Promise<Opened> {
  const dir = path.join(await makeTempDir(t), name)
  const store = await openLevelStore(dir, { create: true })
  await store.commit(rows.map(([key, value]) => ({ type: 'put', key, value })))
  return { name, dir, store, snapshot: () => store.scanBatches({}) }
}

/** Rows that fill more pieces than are on their way at one time. */
function manyRows(prefix: string): readonly Row[] {
  const value = Buffer.alloc(8_192, prefix)
  return Array.from({ length: 400 }, (_, n) => [`${prefix}/${String(n).padStart(4, '0')}`, value])
}

async function itemsOf(pieces: AsyncIterable<Uint8Array>): Promise<readonly SnapshotItem[]> {
  return Array.fromAsync(readSnapshot(pieces))
}

async function* following(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first
  yield* rest
}

function rowItems(rows: readonly Row[]): readonly SnapshotItem[] {
  return rows.map(([key, value]) => ({ type: 'row', row: [key, Buffer.from(value)] }))
}

test('a snapshot is of one moment, and nothing is purged before it ends', async (t) => {
  const [a, b] = [manyRows('a'), manyRows('b')]
  const live = await openStore(t, 'live', a)
  const identity = await openStore(t, 'identity', b)
  const pieces = readSnapshotInThread(head, [live, identity])
  const first = await pieces.next()
  const later = Buffer.from('later')
  for (const { store } of [live, identity]) {
    await store.commit([
      { type: 'put', key: 'a/0000', value: later },
      { type: 'del', key: 'b/0399' },
    ])
  }
  const order: string[] = []
  const purged = live.store.purge(['a/0000']).then(() => order.push('purged'))
  const items: SnapshotItem[] = []
  for await (const item of readSnapshot(following(first.value as Uint8Array, pieces))) {
    // Once all of it has ended, each store is purged in its own time.
    if (item.type === 'end') order.push('read')
    items.push(item)
  }
  await purged
  t.deepEqual(order, ['read', 'purged'])
  t.deepEqual(items, [
    { type: 'head', head },
    { type: 'store', name: 'live' },
    ...rowItems(a),
    { type: 'store', name: 'identity' },
    ...rowItems(b),
    { type: 'end', rows: a.length + b.length },
  ])
  await live.store.close()
  await identity.store.close()
})

test('whoever stops reading leaves the stores, which can be closed and opened again', async (t) => {
  const { dir, store, ...live } = await openStore(t, 'live', manyRows('a'))
  for await (const piece of readSnapshotInThread(head, [{ dir, ...live }])) {
    t.true(piece.length > 0)
    break
  }
  await store.close()
  const again = await openLevelStore(dir, { create: false })
  t.truthy(again.get('a/0000'))
  await again.close()
})

test('a store that cannot be read is an error of the snapshot', async (t) => {
  const { store, ...live } = await openStore(t, 'live', manyRows('a'))
  const nowhere = { ...live, dir: `${live.dir}-not` }
  const error = await t.throwsAsync(itemsOf(readSnapshotInThread(head, [nowhere])))
  t.true(error instanceof LogError)
  await store.close()
})
