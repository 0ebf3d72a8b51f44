import test, { type ExecutionContext } from 'ava'
import { auditRegistry } from '#actors/registry_audit.ts'
import { openViews, rebuildViews } from '#actors/view_schema.ts'
import {
  makeRegistry,
  arkOf,
  demo,
  metadataOf,
  register,
  type TestRegistry,
} from '#test/actors/_environment.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

/** A registry with works of every kind of event, closed again. */
async function filledRegistry(t: ExecutionContext) {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await environment.organizations.create({ body: { slug: 'demo', name: 'Demo' }, by: demo })
  const doi = { existing_doi: '10.5555/12345678' }
  const ark = arkOf(await register(environment, metadataOf('With DOI', doi)))
  await environment.works.update({ ark, patch: { work_title: 'Renamed' }, by: demo })
  const gone = arkOf(await register(environment, metadataOf('Gone', doi)))
  await environment.works.withdraw({ ark: gone, reason: 'test', by: demo })
  await register(environment, 'Keyed')
  const { events, treeSize } = environment.status()
  const receiptKeys = new Set([environment.receiptPublicKey])
  await environment.close()
  return { registry, events, treeSize, receiptKeys }
}

type Filled = Awaited<ReturnType<typeof filledRegistry>>

function audit({ registry, events, treeSize, receiptKeys }: Filled) {
  const options = { events, treeSize, receiptKeys, scratch: openMemoryStore(), progress: () => {} }
  return auditRegistry(openMemoryStore(registry.disk), options)
}

function keysOf(registry: TestRegistry, prefix: string): string[] {
  return [...registry.disk.keys()].filter((key) => key.startsWith(prefix)).sort()
}

/** Every row in the order of its key. */
function rowsOf(registry: TestRegistry): [key: string, value: Uint8Array][] {
  return [...registry.disk].sort(([a], [b]) => (a < b ? -1 : 1))
}

test('a registry that was only written by its sequencer is clean', async (t) => {
  const filled = await filledRegistry(t)
  t.like(await audit(filled), { events: 6, statements: 5, faults: [] })
})

for (const prefix of ['work/', 'version/', 'receipt/', 'doi/', 'edition/', 'organization/']) {
  test(`a missing row of ${prefix} and a wrong one are found`, async (t) => {
    const filled = await filledRegistry(t)
    const [key = ''] = keysOf(filled.registry, prefix)
    filled.registry.disk.delete(key)
    t.deepEqual((await audit(filled)).faults, [{ where: key, message: 'the view row is missing' }])
    filled.registry.disk.set(key, Buffer.from('"altered"'))
    t.deepEqual((await audit(filled)).faults, [{ where: key, message: 'the view row is wrong' }])
  })
}

test('a row that no event made is found', async (t) => {
  const filled = await filledRegistry(t)
  filled.registry.disk.set('receipt/planted', Buffer.from('{}'))
  t.deepEqual((await audit(filled)).faults, [
    { where: 'receipt/planted', message: 'no event made this row' },
  ])
})

test('an entry with a statement of another work contradicts its event', async (t) => {
  const filled = await filledRegistry(t)
  const [first = '', second = ''] = keysOf(filled.registry, 'entry/')
  filled.registry.disk.set(first, filled.registry.disk.get(second) ?? Buffer.alloc(0))
  t.deepEqual((await audit(filled)).faults, [{ where: first, message: 'it contradicts its event' }])
})

test('a statement that another key has signed is found', async (t) => {
  const filled = await filledRegistry(t)
  const report = await audit({ ...filled, receiptKeys: new Set() })
  t.is(report.faults.length, 5)
  t.true(report.faults.every(({ message }) => message === 'its signature is wrong'))
})

test('altered metadata no longer has the hash that was signed', async (t) => {
  const filled = await filledRegistry(t)
  const key = 'event/000000000001'
  const row = Buffer.from(filled.registry.disk.get(key) ?? '').toString()
  filled.registry.disk.set(key, Buffer.from(row.replace('With DOI', 'With dOI')))
  const { faults } = await audit(filled)
  t.deepEqual(faults[0], { where: 'entry/000000000000', message: 'it contradicts its event' })
})

test('views of another schema are rebuilt from the journal, row for row', async (t) => {
  const { registry, events } = await filledRegistry(t)
  const before = rowsOf(registry)
  for (const key of [...keysOf(registry, 'work/'), ...keysOf(registry, 'edition/')]) {
    registry.disk.set(key, Buffer.from('"of an older schema"'))
  }
  registry.disk.set('views', Buffer.from('{"schema":0,"complete":true}'))
  await openViews(openMemoryStore(registry.disk), events)
  t.deepEqual(rowsOf(registry), before)
})

test('a rebuild that was cut off is done again at the next opening', async (t) => {
  const { registry, events } = await filledRegistry(t)
  const before = rowsOf(registry)
  const store = openMemoryStore(registry.disk)
  let commits = 0
  const cut = replaceCommit(store, (operations) => {
    commits += 1
    return commits > 3 ? Promise.reject(new Error('cut off')) : store.commit(operations)
  })
  await t.throwsAsync(rebuildViews(cut, events), { message: 'cut off' })
  await openViews(store, events)
  t.deepEqual(rowsOf(registry), before)
})
