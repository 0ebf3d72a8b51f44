import path from 'node:path'
import test from 'ava'
import { rebuildViews, viewPrefixes } from '#actors/registry/views.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import { foundInFiles, plantedWords } from '#test/actors/_erasure.ts'
import { makeRegistry, register } from '#test/actors/_environment.ts'
import {
  ada,
  bob,
  createPerson,
  onPages,
  personOf,
  publisherFor,
  putItem,
  writesOf,
} from '#test/actors/_person.ts'
import { TestPersonSeal } from '#test/actors/people/_seal.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const self = onPages(ada)
const publisher = publisherFor(ada)

/** The word of a planted text, which can be a username. */
function wordOf(text: string): string {
  return /[a-z0-9]{24}/.exec(text)?.[0] ?? ''
}

async function viewRows(store: Store): Promise<Map<string, string>> {
  const rows = new Map<string, string>()
  for (const prefix of viewPrefixes) {
    for await (const [key, value] of store.scan({ gte: prefix, lt: `${prefix}~` })) {
      rows.set(key, Buffer.from(value).toString('utf8'))
    }
  }
  return rows
}

test('no file holds what a person says, then and after their end', async (t) => {
  const personSeal = new TestPersonSeal()
  const registry = await makeRegistry(t, { personSeal })
  const { storeDir: dir } = registry.options
  const folder = path.join(dir, 'live')
  const planted = plantedWords()
  const { title: name, description: bio, author: organization, older: degree, why, url } = planted
  const open = async (create: boolean) => {
    const store = await openLevelStore(folder, { create })
    return startEnvironment(store, { ...registry.options, create })
  }

  const first = await open(true)
  await createPerson(first, ada, { name, username: wordOf(planted.doi), bio, avatar_url: url })
  await createPerson(first, bob, { name: 'Bob' })
  const { id } = await putItem(first, publisher, { organization })
  await putItem(first, publisher, { institution: 'x', degree }, 'education')
  const asked = { ppid: ada, kind: 'affiliation', id } as const
  await first.people.markItem({ ...asked, body: { status: 'contested', reason: why }, by: self })
  await first.people.update({ ppid: ada, body: { username: wordOf(planted.note) }, by: publisher })
  const idempotency = { key: 'k', bodyHash: 'hash' }
  const keyed = { ppid: ada, kind: 'affiliation', body: { organization: 'y' }, by: self } as const
  await first.people.putItem({ ...keyed, idempotency })
  await first.people.removeItem({ ...asked, by: publisher })
  t.is((await writesOf(first, ada)).length, 4)
  t.deepEqual(await foundInFiles(dir, planted), [])
  const person = personOf(first, ada)
  await first.close()

  const second = await open(false)
  t.deepEqual(personOf(second, ada), person)
  t.deepEqual(await foundInFiles(dir, planted), [])
  t.like(await second.people.erase({ ppid: ada, by: self }), { type: 'erased' })
  personSeal.destroy(ada)
  t.is(second.people.findByUsername(wordOf(planted.note)), undefined)
  await second.close()
  t.deepEqual(await foundInFiles(dir, planted), [])

  const third = await open(false)
  t.like(third.people.read(ada), { type: 'erased', ppid: ada })
  t.is(personOf(third, bob).profile.name, 'Bob')
  const { events, treeSize } = third.status()
  const firstReceiptKey = third.receiptKeys.publicKey
  await third.close()
  const store = await openLevelStore(folder, { create: false })
  const scratch = openMemoryStore()
  const options = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  t.deepEqual((await auditRegistry(store, options)).faults, [])
  await store.close()
  t.deepEqual(registry.fatal, [])
})

test('views that are rebuilt are those that were there, without any key', async (t) => {
  const personSeal = new TestPersonSeal()
  const registry = await makeRegistry(t, { personSeal })
  const environment = await registry.open()
  const { people } = environment
  await createPerson(environment, ada, { username: 'ada' })
  await createPerson(environment, bob, { username: 'bob' })
  const { id } = await putItem(environment, publisher, { organization: 'Brown' })
  await people.changeItem({
    ppid: ada,
    kind: 'affiliation',
    id,
    body: { role: 'Dean' },
    by: publisher,
  })
  await register(environment, 'One', { by: publisher })
  const [, changed] = await writesOf(environment, ada)
  await people.undo({ ppid: ada, position: changed?.position ?? -1, by: self })
  const orcid = '0000-0002-1825-0097'
  await people.linkOrcid({ ppid: ada, orcid, authenticated: true, by: self })
  await people.erase({ ppid: bob, by: onPages(bob) })
  personSeal.destroy(ada)
  personSeal.destroy(bob)
  const { events } = environment.status()
  await environment.close()
  const store = openMemoryStore(registry.disk)
  const before = await viewRows(store)
  t.true([...before.keys()].some((key) => key.startsWith('orcid/')))
  t.true([...before.keys()].some((key) => key.startsWith('write/')))
  await rebuildViews(store, events)
  t.deepEqual(await viewRows(store), before)
})
