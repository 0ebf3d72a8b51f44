import test, { type ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import { auditRegistry } from '#actors/registry/audit.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { settle } from '#test/actors/_world.ts'
import { fetched, unavailable } from '#test/actors/_content.ts'
import {
  admin,
  arkOf,
  bodyOf,
  demo,
  makeRegistry,
  metadataOf,
  openRegistry,
  other,
  register,
  registration,
  type TestRegistry,
} from '#test/actors/_environment.ts'
import { erasureOf, foundIn, plantedWords, registerPlanted } from '#test/actors/_erasure.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

type Json = Readonly<Record<string, unknown>>

/** Everything that a registry says of a work, as text. */
async function everything({ catalogue }: Environment, ark: string): Promise<string> {
  const page = { limit: 100 }
  const rendered = await Promise.all([
    catalogue.work(ark),
    catalogue.resolve(ark, ark),
    catalogue.resolve(ark, ark, 1),
    catalogue.versions(ark, { cursor: 0, ...page }),
    catalogue.history(ark, page),
    catalogue.receipt(ark, 1),
    catalogue.proofs(ark, 1),
    catalogue.proofs(ark, 2),
  ])
  const { body: changes } = await catalogue.changes({ cursor: 0, limit: 100 })
  const bodies = rendered.map((answer) => (answer.type === 'found' ? answer.body : Buffer.from('')))
  return Buffer.concat([...bodies, changes]).toString('utf8')
}

function auditOf(registry: TestRegistry, environment: Environment) {
  const { events, treeSize } = environment.status()
  const firstReceiptKey = environment.receiptKeys.publicKey
  const scratch = openMemoryStore()
  const options = { events, treeSize, firstReceiptKey, scratch, progress: () => {} }
  return auditRegistry(openMemoryStore(registry.disk), options)
}

function rowsOf({ disk }: TestRegistry): Record<string, string> {
  const rows = [...disk].map(([key, row]) => [key, Buffer.from(row).toString('base64')] as const)
  return Object.fromEntries(rows)
}

/** A registry with a work of planted words, among others with its DOI, whose content is checked. */
async function openPlanted(t: ExecutionContext) {
  const planted = plantedWords()
  const registry = await makeRegistry(t, {
    fetchContent: async (url) => {
      const message = `no route to ${url}`
      if (!url.startsWith(planted.url)) return { ...unavailable(404), url, message }
      return fetched('file', { finalUrl: url, mediaType: 'text/plain' })
    },
  })
  const environment = await registry.open()
  const shared = { existing_doi: planted.doi, work_url: 'https://example.org/other' }
  await register(environment, metadataOf(planted.title, shared))
  const ark = await registerPlanted(environment, planted, { withdraws: false })
  await settle(environment)
  const moved = { work_url: `${planted.url}.moved` }
  await environment.works.update({ ark, patch: moved, by: demo })
  await settle(environment)
  await register(environment, metadataOf(planted.title, { ...shared, volume: '2' }), {
    allowDuplicate: true,
  })
  return { planted, registry, environment, ark }
}

test('nothing that is served of an erased work says what it was', async (t) => {
  const planted = plantedWords()
  const environment = await openRegistry(t)
  const ark = await registerPlanted(environment, planted, { withdraws: false })
  // Asked for twice, so that the reply is kept.
  await environment.catalogue.resolve(ark, ark)
  await environment.catalogue.resolve(ark, ark)
  t.deepEqual(foundIn(await everything(environment, ark), planted), [
    'title',
    'author',
    'description',
    'url',
    'doi',
    'note',
    'older',
  ])
  const withdrawal = { ark, reason: 'author_request', note: planted.why, by: demo } as const
  await environment.works.withdraw(withdrawal)
  t.true(foundIn(await everything(environment, ark), planted).includes('why'))
  const receipt = bodyOf(await environment.catalogue.receipt(ark, 2)) as Json
  const before = environment.status()

  const answer = await environment.works.erase(erasureOf(ark))
  t.like(answer, { type: 'changed', change: { kind: 'erased', version: 2 } })
  t.deepEqual(foundIn(await everything(environment, ark), planted), [])
  t.true(await environment.purged())
  const after = environment.status()
  t.is(after.events, before.events + 1)
  t.is(after.treeSize, before.treeSize, 'the log is as it was')
  const { chain_proof: _, ...statement } = receipt
  t.like(bodyOf(await environment.catalogue.receipt(ark, 2)), statement)
})

test('what stands in place of an erased work names it, and says why, when, and that', async (t) => {
  const environment = await openRegistry(t)
  const ark = await registerPlanted(environment, plantedWords())
  const withdrawnAt = environment.catalogue.state(ark)?.updated_at
  await environment.works.erase(erasureOf(ark))
  const tombstone = bodyOf(await environment.catalogue.resolve(ark, ark)) as Json
  const { links: _, receipt_id: __, created_at: ___, erased_at, ...rest } = tombstone
  t.is(erased_at, environment.catalogue.state(ark)?.erased_at)
  t.deepEqual(rest, {
    ark: `ark:/${ark}`,
    status: 'withdrawn',
    reason: 'author_request',
    withdrawn_at: withdrawnAt,
    metadata_erased: true,
    version: 2,
    source: { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' },
  })
  const history = bodyOf(await environment.catalogue.history(ark, { limit: 10 })) as {
    events: Json[]
  }
  t.like(history.events[0], { type: 'work.erased', at: erased_at, reason: 'legal', version: 2 })
  t.like(history.events[0]?.['by'], { type: 'operator' })
  const { body: feed } = await environment.catalogue.changes({ cursor: 0, limit: 100 })
  const { changes } = JSON.parse(Buffer.from(feed).toString('utf8')) as { changes: Json[] }
  t.like(changes.at(-1), { type: 'work.erased', status: 'withdrawn', metadata: null })
  t.deepEqual(
    changes.map(({ metadata }) => metadata),
    [null, null, null, null],
  )
})

test('an erasure waits for the withdrawal, unless it comes with it', async (t) => {
  const environment = await openRegistry(t)
  const ark = arkOf(await register(environment, 'Standing'))
  t.deepEqual(await environment.works.erase(erasureOf(ark)), { type: 'not_withdrawn' })
  for (const by of [demo, other]) {
    const command = { ...erasureOf(ark, true), by }
    t.deepEqual(await environment.works.erase(command), { type: 'not_administrator' })
  }
  t.like(await environment.works.erase({ ...erasureOf(ark, true), ifMatch: ['"7"'] }), {
    type: 'precondition_failed',
  })
  t.is(environment.status().events, 1)
  const both = await environment.works.erase(erasureOf(ark, true))
  t.like(both, { type: 'changed', change: { kind: 'erased' } })
  t.is(environment.status().events, 3)
  t.is(environment.status().treeSize, 2, 'the withdrawal is logged, the erasure is not')
  t.like(environment.catalogue.state(ark), { status: 'withdrawn', seq: 3, revision: 3 })

  const again = await environment.works.erase(erasureOf(ark, true))
  t.like(again, { type: 'unchanged', change: { kind: 'erased' } })
  t.is(environment.status().events, 3)
  const patch = { description: 'Back again' }
  t.like(await environment.works.update({ ark, patch, by: admin }), { type: 'gone' })
  t.like(await environment.works.withdraw({ ark, reason: 'test', by: admin }), { type: 'gone' })
  t.like(await environment.fixity.recheck(ark, admin), { type: 'gone' })
  t.like(environment.fixity.read(ark), { content_url: null })
  t.deepEqual(await environment.works.erase(erasureOf('12345/k2nothing')), { type: 'not_found' })
})

test('a repeated request whose work was erased is told so, and registers nothing', async (t) => {
  const environment = await openRegistry(t)
  const idempotency = { key: 'once', bodyHash: 'ab' }
  const { ark_identifier } = await register(environment, 'Keyed', { idempotency })
  await environment.works.erase(erasureOf(arkOf({ ark_identifier }), true))
  const again = await environment.works.register(registration('Keyed', { idempotency }))
  t.deepEqual(again, { type: 'erased', ark_identifier })
})

test('after an erasure the DOI and the title are free, and others keep theirs', async (t) => {
  const { planted, environment, ark } = await openPlanted(t)
  t.teardown(() => environment.close())
  await environment.works.erase(erasureOf(ark, true))
  const doi = { existing_doi: planted.doi }
  const unlike = await environment.works.register(registration(metadataOf('Unlike', doi)))
  t.like(unlike, { type: 'registered', work: { warnings: [{ code: 'shared_doi' }] } })
  const duplicate = await environment.works.register(registration(metadataOf(planted.title, doi)))
  t.is(duplicate.type, 'duplicate_work')
})

test('the journal without the metadata leads to the views that there are', async (t) => {
  const { planted, registry, environment, ark } = await openPlanted(t)
  await environment.works.erase(erasureOf(ark, true))
  await environment.purged()
  const report = await auditOf(registry, environment)
  t.deepEqual(report.faults, [])
  t.is(report.erasedVersions, 3)
  await environment.close()
  // Other works have the title and the DOI too.
  const { title: _, doi: __, ...own } = planted
  const rows = Buffer.concat([
    ...registry.disk.values(),
    Buffer.from([...registry.disk.keys()].join()),
  ])
  t.deepEqual(foundIn(rows, own), [])
  const before = rowsOf(registry)
  await rebuildViews(openMemoryStore(registry.disk), environment.status().events)
  t.deepEqual(rowsOf(registry), before)
})

/** A registry with an erased work, closed; `position` is its first event. */
async function erasedRegistry(t: ExecutionContext) {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  await register(environment, 'Another')
  const ark = await registerPlanted(environment, plantedWords())
  await environment.works.erase(erasureOf(ark))
  await environment.purged()
  await environment.close()
  return { registry, environment }
}

function replaceIn({ disk }: TestRegistry, key: string, from: string, to: string): void {
  const text = Buffer.from(disk.get(key) ?? '').toString()
  if (!text.includes(from)) throw new Error(`${key} does not hold ${from}`)
  disk.set(key, Buffer.from(text.replace(from, to)))
}

test('metadata that is gone without an erasure is damage', async (t) => {
  const { registry, environment } = await erasedRegistry(t)
  const key = 'event/000000000000'
  const { data } = JSON.parse(Buffer.from(registry.disk.get(key) ?? '').toString()) as {
    data: { metadata: unknown }
  }
  replaceIn(registry, key, JSON.stringify(data.metadata), 'null')
  const { faults } = await auditOf(registry, environment)
  const message = 'its metadata is gone, and no event erased it'
  t.deepEqual(faults[0], { where: key, message })
})

test('an erased event that still says something is damage', async (t) => {
  const { registry, environment } = await erasedRegistry(t)
  const withdrawn = 'event/000000000003'
  replaceIn(registry, withdrawn, '"author_request"', '"author_request","note":"Kept"')
  const message = 'it was erased, and still says something'
  t.deepEqual((await auditOf(registry, environment)).faults, [{ where: withdrawn, message }])
})

test('an erased event whose hash is not the logged one is damage', async (t) => {
  const { registry, environment } = await erasedRegistry(t)
  replaceIn(registry, 'event/000000000001', '"metadata_hash":"sha256:', '"metadata_hash":"sha256:0')
  t.deepEqual((await auditOf(registry, environment)).faults[0], {
    where: 'entry/000000000001',
    message: 'it contradicts its event',
  })
})
