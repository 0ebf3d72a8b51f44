import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { lateView } from '#test/src/identity/_late_view.ts'

test('what is sealed for a person is opened after a restart, for that person only', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const keys = new PersonKeys(store, randomBytes)
  for (const ppid of ['p1', 'p2']) {
    await store.commit([keys.create(ppid)])
  }
  const sealed = keys.seal('p1', { name: 'Ada' })
  t.deepEqual(keys.open('p1', sealed), { name: 'Ada' })
  t.throws(() => keys.open('p2', sealed), { message: /opens with its key/ })
  await store.close()
  const again = new PersonKeys(await fixture.open(), randomBytes)
  t.deepEqual(again.open('p1', sealed), { name: 'Ada' })
})

test('a key is not used before it is written, and not made twice', async (t) => {
  const store = await (await identityFixture(t)).open()
  const keys = new PersonKeys(store, randomBytes)
  const operation = keys.create('p1')
  t.throws(() => keys.seal('p1', 1), { message: /has a key before anything of it is sealed/ })
  await store.commit([operation])
  t.throws(() => keys.create('p1'), { message: /a person has one key/ })
})

test('a destroyed key opens nothing any more, and its row is in no file', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const keys = new PersonKeys(store, randomBytes)
  await store.commit([keys.create('p1')])
  const sealed = keys.seal('p1', 'Ada')
  const key = keys.rowKey('p1')
  const row = store.read<string>(key) ?? ''
  t.true(await isInFiles(fixture.dir, row))
  await store.inTurn(async () => {
    await store.commit([keys.destroy('p1')])
    await store.purge([key])
  })
  t.is(keys.open('p1', sealed), undefined)
  await store.close()
  t.false(await isInFiles(fixture.dir, row))
})

test('a key that one thread has destroyed opens nothing on another that had used it', async (t) => {
  const store = await (await identityFixture(t)).open()
  const threads = [lateView(store), lateView(store)].map((view) => {
    return { view, keys: new PersonKeys(view, randomBytes) }
  })
  const [one, other] = threads
  if (one === undefined || other === undefined) return t.fail('there are two')
  await one.view.commit([one.keys.create('p1')])
  const sealed = other.keys.seal('p1', 'Ada')
  for (const { keys } of threads) t.is(keys.open('p1', sealed), 'Ada')
  await other.view.commit([other.keys.destroy('p1')])
  for (const { keys } of threads) t.is(keys.open('p1', sealed), undefined)
  // A key that is made anew is another one.
  await one.view.commit([one.keys.create('p1')])
  t.throws(() => other.keys.open('p1', sealed), { message: /opens with its key/ })
})

async function isInFiles(dir: string, text: string): Promise<boolean> {
  for (const name of await readdir(dir)) {
    if ((await readFile(path.join(dir, name))).includes(text)) return true
  }
  return false
}
