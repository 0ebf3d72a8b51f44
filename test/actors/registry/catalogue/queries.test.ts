import test from 'ava'
import type { WhenLong } from '#actors/registry/catalogue/port.ts'
import { parseEntry } from '#actors/works/receipts/statement.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import {
  arkOf,
  bodyOf,
  demo,
  makeRegistry,
  metadataOf,
  openRegistry,
  register,
} from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { wrapStore } from '#test/contracts/_wrapped_store.ts'

type Receipt = Record<string, unknown> & {
  chain_proof: {
    inclusion_proof: string[]
    leaf_index: number
    tree_size: number
    merkle_root: string
  }
}

test('a resolution holds the ARK as asked for, and a receipt that proves it', async (t) => {
  const environment = await openRegistry(t)
  for (let index = 0; index < 20; index += 1) await register(environment, `Filler ${index}`)
  const work = await register(environment, 'Proven')
  const rendered = await environment.catalogue.resolve(arkOf(work), 'ARK:/12345/…"')
  const body = bodyOf(rendered) as { requested: string; receipt: Receipt; authors: unknown }
  t.is(body.requested, 'ARK:/12345/…"')
  t.like(body.authors, [{ name: 'Ada Lovelace' }, { name: 'Charles Babbage' }])
  const { chain_proof: chain } = body.receipt
  const entry = environment.log.entry(chain.leaf_index)
  t.false('type' in parseEntry(entry))
  t.notThrows(() =>
    checkInclusion({
      leafHash: leafHash(entry),
      leafIndex: chain.leaf_index,
      treeSize: chain.tree_size,
      proof: chain.inclusion_proof.map((hash) => Buffer.from(hash, 'hex')),
      rootHash: Buffer.from(chain.merkle_root, 'hex'),
    }),
  )
})

test('a resolution is made at once of a work that stands, is short and is published', async (t) => {
  const environment = await openRegistry(t)
  const { catalogue } = environment
  const spelled = (body: Uint8Array | string = '') => Buffer.from(body as string, 'latin1')
  const arks: string[] = []
  for (const title of ['Plain', 'Über die „Notizen“ — 山田太郎 😀']) {
    const ark = arkOf(await register(environment, metadataOf(title, { authors: `${title} Ada` })))
    await environment.works.update({ ark, patch: { description: title }, by: demo })
    arks.push(ark, arkOf(await register(environment, `${title} again`)))
  }
  for (const ark of arks) {
    // The second time it is kept.
    for (const _ of [1, 2, 3]) {
      const atOnce = catalogue.resolveAtOnce(ark, `ark:/${ark}`)
      const found = await catalogue.resolve(ark, `ark:/${ark}`)
      if (found.type !== 'found') return t.fail('it was registered')
      t.is(spelled(atOnce?.body).toString(), Buffer.from(found.body).toString())
      t.is(atOnce?.etag, found.etag)
      t.is(atOnce?.organization, 'demo')
    }
  }
  const authors = Array.from({ length: 8_000 }, (_, index) => `Ada ${index}`).join(';')
  const long = arkOf(await register(environment, metadataOf('Long', { authors })))
  const withdrawn = arks[0] ?? ''
  await environment.works.withdraw({ ark: withdrawn, reason: 'fraud', by: demo })
  for (const ark of [long, withdrawn, '12345/k2nothing']) {
    t.is(catalogue.resolveAtOnce(ark, ark), undefined)
  }
})

test('the proofs of a version tell of those after it too', async (t) => {
  const environment = await openRegistry(t)
  const ark = arkOf(await register(environment, 'Several'))
  for (const volume of ['2', '3']) {
    await environment.works.update({ ark, patch: { volume }, by: demo })
  }
  const proofs = bodyOf(await environment.catalogue.proofs(ark, 1))
  const provenance_chain = [{ version: 1 }, { version: 2 }, { version: 3 }]
  t.like(proofs, { version: 1, latest_version: 3, provenance_chain })
})

test('versions are listed oldest first and page by page', async (t) => {
  const environment = await openRegistry(t)
  const ark = arkOf(await register(environment, 'Many'))
  for (let index = 2; index <= 5; index += 1) {
    await environment.works.addVersion({ ark, patch: { volume: `${index}` }, by: demo })
  }
  const first = bodyOf(await environment.catalogue.versions(ark, { cursor: 0, limit: 3 }))
  t.like(first, { total: 5, next: 3, versions: [{ version: 1 }, { version: 2 }, { version: 3 }] })
  const rest = bodyOf(await environment.catalogue.versions(ark, { cursor: 3, limit: 3 }))
  t.like(rest, { next: null, versions: [{ version: 4, kind: 'versioned' }, { version: 5 }] })
})

test('lists of long versions end early, and nothing is lost', async (t) => {
  const environment = await openRegistry(t)
  const { catalogue, works } = environment
  const ark = arkOf(await register(environment, 'Long'))
  // Some twenty of these versions are read at a time.
  const description = 'long '.repeat(10_000)
  const authors = 'Ada Lovelace; '.repeat(12_000)
  for (let version = 2; version <= 26; version += 1) {
    const patch = { work_title: `Long ${version}`, description, authors }
    await works.update({ ark, patch, by: demo })
  }
  type Versions = {
    readonly versions: { readonly version: number }[]
    readonly next: number | null
  }
  const found: number[] = []
  let pages = 0
  for (let after: number | null = 0; after !== null; pages += 1) {
    const page = bodyOf(await catalogue.versions(ark, { cursor: after, limit: 1_000 })) as Versions
    found.push(...page.versions.map(({ version }) => version))
    after = page.next
  }
  t.deepEqual(
    found,
    Array.from({ length: 26 }, (_, index) => index + 1),
  )
  t.is(pages, 2)
  type History = { readonly events: { readonly version: number }[]; readonly next: number | null }
  const events: number[] = []
  for (let before: number | null | undefined; before !== null; pages += 1) {
    const start = before === undefined ? {} : { cursor: before }
    const page = bodyOf(await catalogue.history(ark, { limit: 1_000, ...start })) as History
    events.push(...page.events.map(({ version }) => version))
    before = page.next
  }
  t.deepEqual(events, found.toReversed())
  t.is(pages, 4)
  type Proofs = { readonly provenance_chain: { readonly version: number }[] }
  const proofs = bodyOf(await catalogue.proofs(ark, 26)) as Proofs
  const chain = proofs.provenance_chain.map(({ version }) => version)
  t.is(chain.at(-1), 26)
  t.deepEqual(chain, found.slice(-chain.length))
  t.true(chain.length > 1 && chain.length < 26)
})

test('a cursor that is no place in a history leads to an empty page', async (t) => {
  const environment = await openRegistry(t)
  await environment.organizations.create({ body: { slug: 'demo', name: 'Demo' }, by: demo })
  const other = arkOf(await register(environment, 'Another'))
  const ark = arkOf(await register(environment, 'Followed'))
  const places = [0, 1, 3, 99_999, 2 ** 48, Number.MAX_SAFE_INTEGER]
  for (const before of places) {
    const page = await environment.catalogue.history(ark, { cursor: before, limit: 2 })
    t.deepEqual(bodyOf(page), { ark: `ark:/${ark}`, events: [], next: null }, String(before))
  }
  const own = bodyOf(await environment.catalogue.history(other, { cursor: 1, limit: 2 }))
  t.like(own, { events: [{ type: 'work.registered' }], next: null })
  t.deepEqual(environment.status().damage, { found: 0 })
})

test('the change feed follows the journal, and wakes who waits for news', async (t) => {
  const environment = await openRegistry(t)
  const { organizations, catalogue } = environment
  await organizations.create({ body: { slug: 'demo', name: 'Demo' }, by: demo })
  const work = await register(environment, 'News')
  const read = async (after: number, waitMs = 0) => {
    await catalogue.news(after, waitMs)
    const { body } = await catalogue.changes({ cursor: after, limit: 10 })
    return JSON.parse(Buffer.from(body).toString())
  }
  t.like(await read(0), {
    changes: [
      { seq: 1, type: 'organization.created', organization: { slug: 'demo' } },
      {
        seq: 2,
        type: 'work.registered',
        ark: work.ark_identifier,
        version: 1,
        status: 'registered',
        metadata: { work_title: 'News' },
        sets: ['demo'],
      },
    ],
    next: 2,
  })
  const waiting = read(2, 60_000)
  await environment.works.withdraw({ ark: arkOf(work), reason: 'test', by: demo })
  t.like(await waiting, {
    changes: [{ seq: 3, type: 'work.withdrawn', status: 'withdrawn', metadata: null }],
    next: 3,
  })
  t.deepEqual(await read(3), { changes: [], next: 3, end: 3 })
})

test('what is in the store is shown once its checkpoint is published', async (t) => {
  const registry = await makeRegistry(t)
  const below = openMemoryStore(registry.disk)
  const written = Promise.withResolvers<void>()
  const returned = Promise.withResolvers<void>()
  let isHeld = false
  const store = wrapStore(below, {
    async commit(operations) {
      await below.commit(operations)
      if (!isHeld) return
      written.resolve()
      await returned.promise
    },
  })
  const environment = await registry.open(store)
  t.teardown(() => environment.close())
  const ark = arkOf(await register(environment, 'Held back'))
  const { catalogue, works } = environment
  isHeld = true
  const updated = works.update({ ark, by: demo, patch: { keywords: 'later' } })
  await written.promise
  const asked = Promise.all([
    catalogue.resolve(ark, ark),
    catalogue.resolve(ark, ark, 2),
    catalogue.receipt(ark, 2),
    catalogue.proofs(ark, 2),
  ])
  await new Promise((resolve) => setImmediate(resolve))
  isHeld = false
  returned.resolve()
  for (const rendered of await asked) t.is((bodyOf(rendered) as { version: number }).version, 2)
  t.is((await updated).type, 'changed')
})

for (const [what, lostRow] of [
  ['a work', (ark: string) => `work/${ark}`],
  ['a version', (ark: string) => `version/${ark}/00000001`],
] as const) {
  test(`${what} whose row is lost is damage, and not unknown`, async (t) => {
    const registry = await makeRegistry(t)
    const environment = await registry.open()
    t.teardown(() => environment.close())
    const ark = arkOf(await register(environment, 'Lost'))
    await environment.works.update({ ark, patch: { work_title: 'Found' }, by: demo })
    t.true(registry.disk.delete(lostRow(ark)))
    const error = await t.throwsAsync(environment.catalogue.resolve(ark, ark, 1))
    t.like(error, { code: 'store_corrupt' })
    t.is(environment.status().damage.found, 1)
    t.regex(String(error), /the row of .* is missing; restore the store from a copy and run audit/)
  })
}

test('a long work is read when its turn comes, unless it is at hand', async (t) => {
  const environment = await openRegistry(t)
  const { catalogue } = environment
  const authors = Array.from({ length: 5_000 }, (_, index) => `Collaborator, Ada ${index}`)
  const long = metadataOf('By many', { authors: authors.join('; ') })
  const ark = arkOf(await register(environment, long))
  const short = arkOf(await register(environment, 'By one'))
  let turns = 0
  const whenLong: WhenLong = (task) => {
    turns += 1
    return task()
  }
  const atOnce = bodyOf(await catalogue.resolve(ark, ark, 1))
  t.deepEqual(bodyOf(await catalogue.resolve(ark, ark, 1, whenLong)), atOnce)
  t.is(turns, 1)
  for (const _ of [1, 2, 3]) {
    t.deepEqual(bodyOf(await catalogue.resolve(ark, ark, undefined, whenLong)), atOnce)
  }
  t.is(turns, 3)
  t.is((await catalogue.resolve(short, short, undefined, whenLong)).type, 'found')
  t.is((await catalogue.resolve(ark, ark, 2, whenLong)).type, 'not_found')
  await environment.works.withdraw({ ark, reason: 'test', by: demo })
  t.like(bodyOf(await catalogue.resolve(ark, ark, undefined, whenLong)), { status: 'withdrawn' })
  t.is(turns, 4)
})
