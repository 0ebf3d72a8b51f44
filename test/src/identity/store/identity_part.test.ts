import test, { type ExecutionContext } from 'ava'

import { identityPart, type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { testIdentityStore } from '#test/contracts/identity_store.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

testIdentityStore(test, async (t) => {
  const { store, part } = await open(t)
  return [part, identityPart(store, 'sandbox')]
})

async function open(t: ExecutionContext) {
  const store = await (await identityFixture(t)).open()
  return { store, part: identityPart(store, 'sandbox') }
}

async function rowsOf(store: IdentityStore, ...wanted: Parameters<IdentityStore['scan']>) {
  const rows: unknown[] = []
  for await (const row of store.scan(...wanted)) rows.push(row)
  return rows
}

test('a part and the rest of the store have rows of the same keys, each their own', async (t) => {
  const { store, part } = await open(t)
  await store.inTurn(() => store.commit([putRow('key/1', 'live'), putRow('key/2', 'live')]))
  await part.inTurn(() => part.commit([putRow('key/1', 'test'), putRow('key/3', 'test')]))
  t.is(store.read('key/1'), 'live')
  t.is(part.read('key/1'), 'test')
  t.is(part.read('key/2'), undefined)
  t.deepEqual(await rowsOf(store, 'key/'), [
    ['key/1', 'live'],
    ['key/2', 'live'],
  ])
  t.deepEqual(await rowsOf(part, 'key/'), [
    ['key/1', 'test'],
    ['key/3', 'test'],
  ])
  t.deepEqual(await rowsOf(part, 'key/', { after: 'key/1' }), [['key/3', 'test']])
  t.deepEqual(await rowsOf(part, 'key/', { before: 'key/3', reverse: true, limit: 5 }), [
    ['key/1', 'test'],
  ])
  await part.inTurn(() => part.commit([{ type: 'del', key: 'key/1' }]))
  t.is(part.read('key/1'), undefined)
  t.is(store.read('key/1'), 'live')
})

test('its secrets are its own, so that no sealed row opens in the place of another', async (t) => {
  const { store, part } = await open(t)
  t.notDeepEqual(part.deriveKey('csrf'), store.deriveKey('csrf'))
  t.notDeepEqual(part.deriveKey('csrf'), identityPart(store, 'other').deriveKey('csrf'))
  const inPart = new SealedRows<string>(part, 'account')
  const inStore = new SealedRows<string>(store, 'account')
  await part.inTurn(() => part.commit([inPart.put('ada', 'a secret')]))
  t.is(inPart.read('ada'), 'a secret')
  t.is(inStore.read('ada'), undefined)
  t.not(inPart.keyOf('ada'), inStore.keyOf('ada'))
  // Moved to where the store would look for it, it opens for nobody.
  const sealed = part.read<string>(inPart.keyOf('ada'))
  await store.inTurn(() => store.commit([putRow(inStore.keyOf('ada'), sealed)]))
  t.throws(() => inStore.read('ada'), { code: 'secret_mismatch' })
})

test('changes of all parts take turns', async (t) => {
  const { store, part } = await open(t)
  const order: string[] = []
  const first = store.inTurn(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    order.push('store')
  })
  await Promise.all([first, part.inTurn(async () => void order.push('part'))])
  t.deepEqual(order, ['store', 'part'])
})

test('who follows a part is told of its rows alone, by their keys there', async (t) => {
  const { store, part } = await open(t)
  const told: unknown[] = []
  part.follow('key/', (key, row) => void told.push([key, row]))
  await store.commit([putRow('key/1', 'live'), putRow('sandbox/keys', 'live')])
  await part.commit([putRow('key/2', 'test'), { type: 'del', key: 'key/1' }])
  await identityPart(store, 'other').commit([putRow('key/3', 'other')])
  t.deepEqual(told, [
    ['key/2', 'test'],
    ['key/1', undefined],
  ])
})
