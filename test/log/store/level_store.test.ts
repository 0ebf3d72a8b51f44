import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'

import test from 'ava'

import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { testStore } from '#test/contracts/store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

testStore(test, async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  let create = true
  return async () => {
    const store = await openLevelStore(dir, { create })
    create = false
    return store
  }
})

/** Rows in some tables of LevelDB, and a store that is opened and closed for them. */
const rowsMax = 4_000
const smallBuffer = { writeBufferBytes: 64 * 1024 }

function rowKey(index: number): string {
  return `row/${index.toString().padStart(6, '0')}`
}

/** A value that no compression makes unreadable. */
function planted(): string {
  return randomBytes(32).toString('hex')
}

function put(key: string, text: string): Operation {
  return { type: 'put', key, value: Buffer.from(text) }
}

async function fill(store: Store, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 50) {
    const keys = Array.from({ length: Math.min(50, to - index) }, (_, i) => rowKey(index + i))
    await store.commit(keys.map((key) => put(key, planted())))
  }
}

/** The files of a store in which a text stands. */
async function filesWith(dir: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const file of await fs.readdir(dir)) {
    // A file that LevelDB has deleted since it was listed holds nothing.
    const bytes = await fs.readFile(path.join(dir, file)).catch(() => Buffer.alloc(0))
    if (bytes.includes(text)) found.push(file)
  }
  return found
}

/** How the rows to purge lie in the store's files before they are replaced. */
const layouts: Readonly<Record<string, (dir: string, rows: Operation[]) => Promise<Store>>> = {
  async 'in memory only'(dir, rows) {
    const store = await openLevelStore(dir, { create: true })
    await store.commit(rows)
    return store
  },
  async 'among others, in files of several levels'(dir, rows) {
    const store = await openLevelStore(dir, { create: true, ...smallBuffer })
    await fill(store, 0, rowsMax / 2)
    await store.commit(rows)
    await fill(store, rowsMax / 2, rowsMax)
    return store
  },
  async 'in a file of the start before'(dir, rows) {
    const before = await openLevelStore(dir, { create: true })
    await before.commit(rows)
    await before.close()
    return openLevelStore(dir, { create: false })
  },
}

for (const [layout, open] of Object.entries(layouts)) {
  test(`nothing is left of a value that was purged: ${layout}`, async (t) => {
    const dir = path.join(await makeTempDir(t), 'store')
    const [first, second, kept] = [planted(), planted(), planted()]
    const keys = [rowKey(1_000), rowKey(1_003)] as const
    const rows = [put(keys[0], first), put(rowKey(1_001), kept), put(keys[1], second)]
    const store = await open(dir, rows)
    await store.commit([put(keys[0], 'blank'), { type: 'del', key: keys[1] }])
    t.not((await filesWith(dir, first)).length, 0)
    t.not((await filesWith(dir, second)).length, 0)
    await store.purge(keys)
    t.deepEqual([await filesWith(dir, first), await filesWith(dir, second)], [[], []])
    t.not((await filesWith(dir, kept)).length, 0)
    t.deepEqual(
      keys.map((key) => store.get(key) && Buffer.from(store.get(key) ?? '').toString()),
      ['blank', undefined],
    )
    await store.close()
    t.deepEqual(await filesWith(dir, first), [])
  })
}

test('what one file holds of a row, the old value and the new, is purged as well', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const old = planted()
  const before = await openLevelStore(dir, { create: true })
  await before.commit([put('a', old)])
  await before.commit([put('a', 'blank')])
  await before.close()
  const store = await openLevelStore(dir, { create: false })
  t.deepEqual(
    (await filesWith(dir, old)).map((file) => path.extname(file)),
    ['.ldb'],
  )
  await store.purge(['a'])
  t.deepEqual(await filesWith(dir, old), [])
  await store.close()
})

test('a purge waits for the scans that hold what is to go, and for no other', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const old = planted()
  const store = await openLevelStore(dir, { create: true, ...smallBuffer })
  await store.commit([put(rowKey(7), old)])
  await fill(store, 8, rowsMax)
  const scan = store.scan({})[Symbol.asyncIterator]()
  await scan.next()
  await store.commit([put(rowKey(7), 'blank')])
  let isPurged = false
  const purged = store.purge([rowKey(7)]).then(() => {
    isPurged = true
  })
  // By then a purge that waits for nothing is over.
  for (let round = 0; round < 20; round += 1) {
    t.is((await Array.fromAsync(store.scan({}))).length, rowsMax - 7)
  }
  t.false(isPurged)
  t.not((await filesWith(dir, old)).length, 0)
  await scan.return?.()
  await purged
  t.deepEqual(await filesWith(dir, old), [])
  await store.close()
})
