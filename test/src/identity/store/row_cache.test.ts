import test, { type ExecutionContext } from 'ava'

import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { RowCache } from '#src/identity/store/row_cache.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

type Thing = { readonly name: string }

function openThread(store: IdentityStore) {
  const rows = new SealedRows<Thing>(store, 'thing')
  const cache = new RowCache({ store, rows })
  const write = (id: string, name: string) => store.commit([rows.put(id, { name })])
  return { store, rows, cache, write }
}

async function openThreads(t: ExecutionContext) {
  const store = await (await identityFixture(t)).open()
  return [openThread(lateView(store)), openThread(lateView(store))] as const
}

test('a value is opened once, and again after each change on whichever thread', async (t) => {
  const [one, other] = await openThreads(t)
  t.is(one.cache.get('a'), undefined)
  await other.write('a', 'first')
  t.deepEqual(one.cache.get('a'), { name: 'first' })
  t.is(one.cache.get('a'), one.cache.get('a'))
  for (const by of [one, other]) {
    const before = one.cache.get('a')
    await by.write('a', 'changed')
    t.not(one.cache.get('a'), before)
    t.deepEqual(one.cache.get('a'), { name: 'changed' })
  }
  await other.store.commit([other.rows.delete('a')])
  t.is(one.cache.get('a'), undefined)
  await one.write('a', 'again')
  t.deepEqual(other.cache.get('a'), { name: 'again' })
})

test('a change that is read before it is told counts once and for all', async (t) => {
  const [one, other] = await openThreads(t)
  await one.write('a', 'first')
  // Its row is read anew, while the thread has not heard of the change yet.
  await other.write('a', 'second')
  t.deepEqual(other.cache.get('a'), { name: 'second' })
  t.deepEqual(one.cache.get('a'), { name: 'second' })
  await one.write('a', 'third')
  t.deepEqual(other.cache.get('a'), { name: 'third' })
})

test('of many values only those that were read last are kept', async (t) => {
  const [{ store, rows, cache }] = await openThreads(t)
  const ids = Array.from({ length: 5_000 }, (_, nth) => `id ${nth}`)
  await store.commit(ids.map((id) => rows.put(id, { name: id })))
  const [first = '', last = ''] = [ids[0], ids.at(-1)]
  const [read] = ids.map((id) => cache.get(id))
  t.not(cache.get(first), read)
  t.deepEqual(cache.get(first), read)
  t.is(cache.get(last), cache.get(last))
  // What was put out of memory and is there again follows its row as before.
  await store.commit([rows.delete(first), rows.delete(last)])
  t.is(cache.get(first), undefined)
  t.is(cache.get(last), undefined)
})
