import test, { type ExecutionContext } from 'ava'
import {
  parseEntry,
  type ReceiptSigner,
  signStatement,
  type Statement,
} from '#actors/works/receipts/statement.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { openViews, rebuildViews } from '#actors/registry/views.ts'
import {
  admin,
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  register,
  type TestRegistry,
  tickSigner,
} from '#test/actors/_environment.ts'
import { hashOf } from '#test/actors/_content.ts'
import { openWorld, settle } from '#test/actors/_world.ts'
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
  const firstReceiptKey = environment.receiptKeys.publicKey
  await environment.close()
  return { registry, events, treeSize, firstReceiptKey }
}

type Filled = Awaited<ReturnType<typeof filledRegistry>>

/** An audit of the whole journal as one range, which must find what one of short ranges does. */
async function audit(t: ExecutionContext, { registry, ...filled }: Filled) {
  const auditBy = (rangeEvents: number) =>
    auditRegistry(openMemoryStore(registry.disk), {
      ...filled,
      scratch: openMemoryStore(),
      progress: () => {},
      rangeEvents,
    })
  const report = await auditBy(1_000)
  for (const rangeEvents of [1, 2, 3]) t.deepEqual(await auditBy(rangeEvents), report)
  return report
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
  t.like(await audit(t, filled), { events: 6, statements: 5, faults: [] })
})

const prefixes = [
  'work/',
  'version/',
  'receipt/',
  'doi/',
  'due/',
  'edition/',
  'organization/',
  'activity/',
]

for (const prefix of [...prefixes, 'tally/']) {
  test(`a missing row of ${prefix} and a wrong one are found`, async (t) => {
    const filled = await filledRegistry(t)
    const [key = ''] = keysOf(filled.registry, prefix)
    filled.registry.disk.delete(key)
    t.deepEqual((await audit(t, filled)).faults, [
      { where: key, message: 'the view row is missing' },
    ])
    filled.registry.disk.set(key, Buffer.from('"altered"'))
    t.deepEqual((await audit(t, filled)).faults, [{ where: key, message: 'the view row is wrong' }])
  })
}

test('a row that is kept for a day may be missing, but not be wrong', async (t) => {
  const filled = await filledRegistry(t)
  const [key = ''] = keysOf(filled.registry, 'recent/')
  t.true(filled.registry.disk.delete(key))
  t.deepEqual((await audit(t, filled)).faults, [])
  filled.registry.disk.set(key, Buffer.from('"altered"'))
  t.deepEqual((await audit(t, filled)).faults, [{ where: key, message: 'the view row is wrong' }])
})

test('a row that no event made is found', async (t) => {
  const filled = await filledRegistry(t)
  filled.registry.disk.set('receipt/planted', Buffer.from('{}'))
  t.deepEqual((await audit(t, filled)).faults, [
    { where: 'receipt/planted', message: 'no event made this row' },
  ])
})

test('an entry with a statement of another work contradicts its event', async (t) => {
  const filled = await filledRegistry(t)
  const [first = '', second = ''] = keysOf(filled.registry, 'entry/')
  filled.registry.disk.set(first, filled.registry.disk.get(second) ?? Buffer.alloc(0))
  t.deepEqual((await audit(t, filled)).faults, [
    { where: first, message: 'it contradicts its event' },
  ])
})

test('a statement that another key has signed is found', async (t) => {
  const filled = await filledRegistry(t)
  const report = await audit(t, { ...filled, firstReceiptKey: '00'.repeat(32) })
  t.is(report.faults.length, 5)
  t.true(report.faults.every(({ message }) => message === 'its signature is wrong'))
})

/** A registry that was rotated between its two works, and the keys of its entries and events. */
async function rotatedRegistry(t: ExecutionContext) {
  const next = tickSigner(3)
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  const firstReceiptKey = environment.receiptKeys.publicKey
  await register(environment, 'Before')
  await environment.receiptKeys.rotate(next, admin)
  await register(environment, 'After')
  const { events, treeSize } = environment.status()
  await environment.close()
  const [, rotation = '', after = ''] = keysOf(registry, 'entry/')
  return { filled: { registry, events, treeSize, firstReceiptKey }, next, rotation, after }
}

/** Replaces the entry at `where` by its statement, changed and signed by another key. */
async function signAnew(
  { registry }: Filled,
  where: string,
  signer: ReceiptSigner,
  changes: Partial<Statement> = {},
): Promise<void> {
  const signed = parseEntry(registry.disk.get(where) ?? Buffer.alloc(0))
  if ('type' in signed) throw new Error(signed.reason)
  const statement = { ...signed.statement, ...changes } as Statement
  registry.disk.set(where, await signStatement(statement, signer))
}

test('each key signs until the log announces the next', async (t) => {
  const { filled } = await rotatedRegistry(t)
  t.like(await audit(t, filled), { events: 3, statements: 3, faults: [] })
  filled.registry.disk.delete('registry/keys')
  t.deepEqual((await audit(t, filled)).faults, [
    { where: 'registry/keys', message: 'the view row is missing' },
  ])
})

test('what the old key signs after its end is found', async (t) => {
  const { filled, after } = await rotatedRegistry(t)
  await signAnew(filled, after, tickSigner(2))
  t.deepEqual((await audit(t, filled)).faults, [
    { where: after, message: 'its signature is wrong' },
  ])
})

test('a rotation that the old key has not signed, or that names others, is found', async (t) => {
  const { filled, rotation, next } = await rotatedRegistry(t)
  await signAnew(filled, rotation, next)
  t.deepEqual((await audit(t, filled)).faults, [
    { where: rotation, message: 'its signature is wrong' },
  ])
  for (const other of [{ new_key_id: 'ab'.repeat(8) }, { new_public_key: 'ab'.repeat(32) }]) {
    await signAnew(filled, rotation, tickSigner(2), other)
    t.deepEqual((await audit(t, filled)).faults, [
      { where: rotation, message: 'it contradicts its event' },
    ])
  }
})

test('a rotation that is dated when the old key still signed is found', async (t) => {
  const { filled, rotation } = await rotatedRegistry(t)
  const { disk } = filled.registry
  const event = 'event/000000000001'
  const text = Buffer.from(disk.get(event) ?? '').toString()
  const before = JSON.parse(Buffer.from(disk.get('event/000000000000') ?? '').toString()) as {
    at: string
  }
  disk.set(event, Buffer.from(text.replace(/"at":"[^"]+"/, `"at":"${before.at}"`)))
  await signAnew(filled, rotation, tickSigner(2), { timestamp: before.at })
  const { faults } = await audit(t, filled)
  t.deepEqual(faults[0], { where: rotation, message: 'it contradicts its event' })
})

test('a statement about content that was not fetched is found', async (t) => {
  const { registry, environment } = await openWorld(t)
  const firstReceiptKey = environment.receiptKeys.publicKey
  await register(environment, 'With content')
  await settle(environment)
  await environment.close()
  const { events, treeSize } = environment.status()
  const filled = { registry, events, treeSize, firstReceiptKey }
  t.like(await audit(t, filled), { events: 2, statements: 2, faults: [] })
  const where = 'entry/000000000001'
  await signAnew(filled, where, tickSigner(2), { content_hash: hashOf('other file') })
  t.deepEqual((await audit(t, filled)).faults, [{ where, message: 'it contradicts its event' }])
  await signAnew(filled, where, tickSigner(2), { statement: 'registered' })
  t.deepEqual((await audit(t, filled)).faults, [{ where, message: 'it contradicts its event' }])
})

test('an event that is dated before an earlier one is found', async (t) => {
  const filled = await filledRegistry(t)
  const event = 'event/000000000000'
  const text = Buffer.from(filled.registry.disk.get(event) ?? '').toString()
  const later = text.replace(/"at":"[^"]+"/, '"at":"2999-01-01T00:00:00.000Z"')
  filled.registry.disk.set(event, Buffer.from(later))
  t.deepEqual((await audit(t, filled)).faults[0], {
    where: 'event/000000000001',
    message: 'it is dated before an event before it',
  })
})

test('altered metadata no longer has the hash that was signed', async (t) => {
  const filled = await filledRegistry(t)
  const key = 'event/000000000001'
  const row = Buffer.from(filled.registry.disk.get(key) ?? '').toString()
  filled.registry.disk.set(key, Buffer.from(row.replace('With DOI', 'With dOI')))
  const { faults } = await audit(t, filled)
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
