import { chmod, rm, writeFile } from 'node:fs/promises'
import test from 'ava'

import { LogError } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { IdentityGuard } from '#src/identity/store/counted_rows.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { createKeyHasher } from '#src/identity/store/api_key.ts'
import { testIdentityStore } from '#test/contracts/identity_store.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

testIdentityStore(test, async (t) => {
  const store = await (await identityFixture(t)).open()
  return [store, store]
})

test('rows are read back and scanned in order', async (t) => {
  const store = await (await identityFixture(t)).open()
  await store.commit([putRow('row/b', { n: 2 }), putRow('row/a', { n: 1 }), putRow('rows', {})])
  t.deepEqual(store.read('row/a'), { n: 1 })
  t.is(store.read('row/c'), undefined)
  const rows: unknown[] = []
  for await (const row of store.scan('row/')) rows.push(row)
  t.deepEqual(rows, [
    ['row/a', { n: 1 }],
    ['row/b', { n: 2 }],
  ])
  const newest: unknown[] = []
  for await (const row of store.scan('row/', { reverse: true, limit: 1 })) newest.push(row)
  t.deepEqual(newest, [['row/b', { n: 2 }]])
})

test('a store whose pepper is lost, exposed or another is not opened', async (t) => {
  const fixture = await identityFixture(t)
  await (await fixture.open()).close()
  await chmod(fixture.pepperPath, 0o644)
  await t.throwsAsync(fixture.open(), {
    code: 'secret_exposed',
    message: /pepper is open to others .*run "chmod 600 .*pepper"/,
  })
  await rm(fixture.pepperPath)
  await t.throwsAsync(fixture.open(), {
    code: 'secret_missing',
    message: /pepper is missing: restore it from a backup/,
  })
  await writeFile(fixture.pepperPath, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  await t.throwsAsync(fixture.open(), {
    code: 'secret_mismatch',
    message: /is not the pepper this store was made with, so no API key could be recognized/,
  })
})

test('a store that was lost after its first start is not made anew', async (t) => {
  const fixture = await identityFixture(t)
  await (await fixture.open()).close()
  await rm(fixture.dir, { recursive: true })
  await t.throwsAsync(fixture.open(), { instanceOf: LogError, code: 'store_missing' })
})

test('after a failed write, whose outcome is unknown, every later write is refused', async (t) => {
  let commits = 0
  const failing = {
    commit() {
      commits += 1
      return Promise.reject(new LogError('store_full', 'the disk is full'))
    },
  } as Partial<Store> as Store
  const pepper = new Uint8Array(32)
  const hashKey = createKeyHasher(pepper)
  const guard = new IdentityGuard((await identityFixture(t)).headFile, hashKey)
  t.teardown(() => guard.close())
  const store = new OpenedIdentityStore({
    store: failing,
    pepper,
    guard,
    changes: 0,
    lostChanges: 0,
    since: { grants: 1, keys: 1 },
  })
  t.is(store.rows.failure, undefined)
  for (let round = 0; round < 3; round += 1) {
    const error = await t.throwsAsync(store.commit([putRow('row', 1)]), {
      instanceOf: IdentityError,
      code: 'keys_unwritable',
      message: /outcome is unknown: free the disk if it is full, then restart the service/,
    })
    t.true(error.cause instanceof LogError)
    t.is(store.rows.failure, error)
  }
  t.is(commits, 1)
})
