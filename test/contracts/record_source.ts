import type { ExecutionContext, TestFn } from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { HarvestRange, HarvestRecord, RecordSource } from '#src/discovery/oai/record_source.ts'
import { admin, arkOf, demo, metadataOf, other, register } from '#test/actors/_environment.ts'
import { orderedJson } from '#actors/values/serialization.ts'

/** A source, and the registry whose records it has. */
export type SourceFixture = {
  readonly source: RecordSource
  readonly registry: Environment
  /** Moves the registry's time on; it starts on a full second. */
  advance(ms: number): void
  /** The registry's time, in seconds since 1970. */
  nowSeconds(): number
  /** Resolves when the source knows all that has happened in the registry. */
  settled(): Promise<void>
}

export type OpenSource = (t: ExecutionContext) => Promise<SourceFixture>

/** Tests a source of records: every adapter of the port has to pass. */
export function testRecordSource(test: TestFn, open: OpenSource): void {
  testOrder(test, open)
  testChanges(test, open)
  testRanges(test, open)
  testSets(test, open)
  testTimes(test, open)
}

const everything: HarvestRange = { from: 0, until: Date.UTC(9999, 11, 31) / 1_000 }

/** More bytes than any list of these tests has. */
const bytesEnough = 2 ** 30

async function all(source: RecordSource, range = everything): Promise<readonly HarvestRecord[]> {
  const { records, hasMore } = await source.records(range, { limit: 1_000, bytesEnough })
  return hasMore ? [] : records
}

function metadataIn({ work }: HarvestRecord): Metadata | undefined {
  return work && (JSON.parse(Buffer.from(work.metadata).toString('utf8')) as Metadata)
}

function titles(records: readonly HarvestRecord[]): (string | undefined)[] {
  return records.map((record) => metadataIn(record)?.work_title)
}

/** Registers works of one title each, one second after the other. */
async function registerAll(
  { registry, advance, settled }: SourceFixture,
  works: readonly string[],
  by = demo,
): Promise<string[]> {
  const arks: string[] = []
  for (const title of works) {
    arks.push(arkOf(await register(registry, title, { by })))
    advance(1_000)
  }
  await settled()
  return arks
}

function testOrder(test: TestFn, open: OpenSource): void {
  test('a source has nothing at first', async (t) => {
    const { source } = await open(t)
    t.deepEqual(await all(source), [])
    t.is(await source.count(everything), 0)
    t.is(await source.record('12345/k2x'), undefined)
  })

  test('records are what the registry says of them, in the order of registration', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    const began = fixture.nowSeconds()
    const arks = await registerAll(fixture, ['One', 'Two', 'Three'])
    const records = await all(source)
    t.deepEqual(titles(records), ['One', 'Two', 'Three'])
    t.deepEqual(
      records.map(({ datestamp }) => datestamp),
      [began, began + 1, began + 2],
    )
    const positions = records.map(({ position }) => position)
    t.deepEqual(
      positions,
      [...new Set(positions)].toSorted((a, b) => a - b),
    )
    const state = registry.catalogue.state(arks[0] ?? '')
    const [first] = records
    t.like(first, {
      ark: state?.identifier,
      sets: ['demo'],
      work: {
        version: 1,
        metadata: Buffer.from(orderedJson(metadataOf('One'))),
        createdAt: state?.created_at,
        writtenAt: state?.created_at,
        receiptId: state?.receipt_id,
        metadataHash: state?.metadata_hash,
        contentHash: null,
        source: { type: 'organization', id: 'demo', name: 'Demo', via: 'api_key' },
      },
    })
    t.deepEqual(await source.record(arks[0] ?? ''), first)
  })
}

function testChanges(test: TestFn, open: OpenSource): void {
  test('a record that changes moves to the end, with its newest version', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    const [one = '', two = ''] = await registerAll(fixture, ['One', 'Two', 'Three'])
    for (const work_title of ['One again', 'One at last']) {
      await registry.works.update({ ark: one, patch: { work_title }, by: demo })
      fixture.advance(1_000)
    }
    const at = fixture.nowSeconds()
    await registry.works.update({ ark: two, patch: { work_title: 'Two again' }, by: demo })
    await fixture.settled()
    const records = await all(source)
    t.deepEqual(titles(records), ['Three', 'One at last', 'Two again'])
    t.deepEqual(
      records.map(({ datestamp }) => datestamp),
      [at - 3, at - 1, at],
    )
    t.is(records[1]?.work?.version, 3)
    t.is(await source.count(everything), 3)
  })

  test('a work that is withdrawn stays as a deleted record, also when it is erased', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    const [one = '', two = ''] = await registerAll(fixture, ['One', 'Two', 'Three'])
    await registry.works.withdraw({ ark: one, reason: 'test', by: demo })
    fixture.advance(1_000)
    const erasure = { ark: two, reason: 'legal', withdraws: true, by: admin } as const
    t.is((await registry.works.erase(erasure)).type, 'changed')
    await fixture.settled()
    const records = await all(source)
    t.deepEqual(titles(records), ['Three', undefined, undefined])
    t.deepEqual(records.map(({ ark }) => ark.slice('ark:/'.length)).slice(1), [one, two])
    for (const record of records.slice(1)) {
      t.false('work' in record)
      t.deepEqual(record.sets, ['demo'])
      t.deepEqual(await source.record(record.ark.slice('ark:/'.length)), record)
    }
  })
}

/** All records, read page by page. */
async function everyPage(
  source: RecordSource,
  size: { readonly limit: number; readonly bytesEnough: number },
): Promise<readonly HarvestRecord[]> {
  const found: HarvestRecord[] = []
  for (;;) {
    const after = found.at(-1)?.position ?? -1
    const { records, hasMore } = await source.records(everything, { ...size, after })
    found.push(...records)
    if (!hasMore || records.length === 0 || records.length > size.limit) return found
  }
}

function testRanges(test: TestFn, open: OpenSource): void {
  test('pages have every record once, whatever their size', async (t) => {
    const fixture = await open(t)
    const works = Array.from({ length: 7 }, (_, index) => `Work ${index}`)
    const [first = ''] = await registerAll(fixture, works)
    const patch = { work_title: 'Work 0 again' }
    await fixture.registry.works.update({ ark: first, patch, by: demo })
    await fixture.settled()
    const whole = await all(fixture.source)
    for (const limit of [1, 2, 3, 7, 8]) {
      t.deepEqual(await everyPage(fixture.source, { limit, bytesEnough }), whole)
    }
  })

  test('pages end by bytes too, and have one record at least', async (t) => {
    const fixture = await open(t)
    await registerAll(fixture, ['a', 'b'.repeat(500), 'c', 'd'.repeat(900), 'e', 'f'])
    const whole = await all(fixture.source)
    const sizes = whole.map(({ work }) => work?.metadata.length ?? 0)
    const [first = 0, second = 0] = sizes
    for (const enough of [0, 1, first, first + 1, first + second, 1_000, bytesEnough]) {
      const page = { limit: 4, bytesEnough: enough }
      const { records, hasMore } = await fixture.source.records(everything, page)
      const before = sizes.slice(0, records.length - 1).reduce((sum, size) => sum + size, 0)
      t.true(records.length >= 1 && hasMore)
      t.true(records.length === 1 || before < enough)
      t.true(records.length === 4 || before + (sizes[records.length - 1] ?? 0) >= enough)
      t.deepEqual(await everyPage(fixture.source, page), whole)
    }
  })

  test('a range has both its ends, and the records between', async (t) => {
    const fixture = await open(t)
    const { source } = fixture
    const began = fixture.nowSeconds()
    await registerAll(fixture, ['0', '1', '2', '3', '4'])
    const between = { from: began + 1, until: began + 3 }
    t.deepEqual(titles(await all(source, between)), ['1', '2', '3'])
    t.is(await source.count(between), 3)
    t.deepEqual(titles(await all(source, { from: began, until: began })), ['0'])
    t.deepEqual(await all(source, { from: began - 10, until: began - 1 }), [])
    t.deepEqual(await all(source, { from: began + 5, until: began + 50 }), [])
    t.is(await source.count({ from: began + 5, until: began + 50 }), 0)
    const [, second] = await all(source, between)
    const after = second?.position ?? -1
    const rest = await source.records(between, { after, limit: 10, bytesEnough })
    t.deepEqual(titles(rest.records), ['3'])
  })

  test('records of one second are kept apart by their positions', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    for (const title of ['a', 'b', 'c']) await register(registry, title)
    await fixture.settled()
    const now = fixture.nowSeconds()
    const range = { from: now, until: now }
    const { records } = await source.records(range, { limit: 1, bytesEnough })
    const [first] = records
    await register(registry, 'd')
    await fixture.settled()
    const after = first?.position ?? -1
    const rest = await source.records(range, { after, limit: 10, bytesEnough })
    t.deepEqual(titles(rest.records), ['b', 'c', 'd'])
  })
}

function testSets(test: TestFn, open: OpenSource): void {
  test('a set has the records of its organization, changed or not, in their order', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    const [one = '', two = ''] = await registerAll(fixture, ['One', 'Two', 'Three', 'Four'])
    await registerAll(fixture, ['Of another', 'And one more'], other)
    await registry.works.update({ ark: two, patch: { work_title: 'Two again' }, by: demo })
    await registry.works.withdraw({ ark: one, reason: 'test', by: demo })
    fixture.advance(1_000)
    await registerAll(fixture, ['Five'])
    const set = { ...everything, set: 'demo' }
    const records = await all(source, set)
    t.deepEqual(titles(records), ['Three', 'Four', 'Two again', undefined, 'Five'])
    t.is(await source.count(set), 5)
    const whole = await all(source)
    t.deepEqual(
      records,
      whole.filter(({ sets }) => sets.includes('demo')),
    )
    const after = records[1]?.position ?? -1
    const page = await source.records(set, { after, limit: 2, bytesEnough })
    t.true(page.hasMore)
    t.deepEqual(titles(page.records), ['Two again', undefined])
    const others = await all(source, { ...everything, set: 'other' })
    t.deepEqual(titles(others), ['Of another', 'And one more'])
    t.deepEqual(await all(source, { ...everything, set: 'nowhere' }), [])
  })

  test('works of people and of the operator are in no set', async (t) => {
    const fixture = await open(t)
    await registerAll(fixture, ['Mine'], admin)
    const [record] = await all(fixture.source)
    t.deepEqual(record?.sets, [])
    t.deepEqual(await all(fixture.source, { ...everything, set: 'operator' }), [])
  })

  test('organizations have names, and come page by page', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    for (const slug of ['alpha', 'beta', 'gamma']) {
      await registry.organizations.create({ body: { slug, name: `The ${slug}` }, by: admin })
    }
    await registry.organizations.update({ slug: 'beta', body: { name: 'Beta & Co' }, by: admin })
    await fixture.settled()
    t.is(source.setName('alpha'), 'The alpha')
    t.is(source.setName('nowhere'), undefined)
    const named = async (page: Parameters<RecordSource['sets']>[0]) =>
      (await source.sets(page)).map(({ slug, name }) => [slug, name])
    t.deepEqual(await named({ limit: 2 }), [
      ['alpha', 'The alpha'],
      ['beta', 'Beta & Co'],
    ])
    t.deepEqual(await named({ after: 'beta', limit: 2 }), [['gamma', 'The gamma']])
    t.deepEqual(await named({ after: 'gamma', limit: 2 }), [])
  })
}

function testTimes(test: TestFn, open: OpenSource): void {
  test('no datestamp is before the earliest, which never changes', async (t) => {
    const fixture = await open(t)
    const { source, registry } = fixture
    const [one = ''] = await registerAll(fixture, ['One', 'Two'])
    const { earliest } = source
    t.true(earliest <= ((await all(source))[0]?.datestamp ?? 0))
    await registry.works.update({ ark: one, patch: { work_title: 'Again' }, by: demo })
    await fixture.settled()
    t.is(source.earliest, earliest)
    t.is(Math.floor(earliest), earliest)
  })

  test('what is settled reaches the newest record, and never goes back', async (t) => {
    const fixture = await open(t)
    const { source } = fixture
    let last = 0
    for (const title of ['One', 'Two', 'Three']) {
      await registerAll(fixture, [title])
      const { at, until } = await source.settle(fixture.nowSeconds())
      const newest = (await all(source)).at(-1)?.datestamp ?? 0
      t.true(until >= newest && until >= at && at >= last)
      t.true(until <= fixture.nowSeconds())
      last = at
    }
  })
}
