import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'

import type { Operation, Range, Store } from '#log/store/store.ts'
import { wrapStore } from '#test/contracts/_wrapped_store.ts'

/** Opens one and the same store again and again; each opening follows a close. */
export type StoreOpener = () => Promise<Store>

/** Gives a fresh store to a test, and sees to its removal afterwards. */
export type MakeOpener = (t: ExecutionContext) => Promise<StoreOpener>

/** The contract of the Store port: what every adapter does alike. */
export function testStore(test: TestFn, makeOpener: MakeOpener): void {
  testReads(test, makeOpener)
  testScans(test, makeOpener)
  testCommits(test, makeOpener)
  testPurges(test, makeOpener)
}

function testReads(test: TestFn, makeOpener: MakeOpener): void {
  test('get answers undefined where no row is', async (t) => {
    await using store = await openStore(t, makeOpener)
    t.is(store.get('a'), undefined)
    await store.commit([put('ab', 'x')])
    t.is(store.get('a'), undefined)
    t.is(store.get('abc'), undefined)
  })

  test('get gives back the bytes that were put, whatever they are', async (t) => {
    await using store = await openStore(t, makeOpener)
    const values = [new Uint8Array(0), Uint8Array.from(Array(256).keys()), new Uint8Array(70_000)]
    await store.commit(values.map((value, i) => ({ type: 'put', key: `row/${i}`, value })))
    for (const [i, value] of values.entries()) {
      t.is(Buffer.compare(store.get(`row/${i}`) ?? Buffer.from('none'), value), 0)
    }
  })

  test('what a reader does to the bytes it got does not reach the store', async (t) => {
    await using store = await openStore(t, makeOpener)
    await store.commit([put('a', 'text')])
    store.get('a')?.fill(0)
    t.is(read(store, 'a'), 'text')
  })

  test('a closed store refuses to read and to write', async (t) => {
    const store = await (await makeOpener(t))()
    await store.close()
    const expected = { code: 'store_closed', message: /cannot be read/ }
    t.throws(() => store.get('a'), expected)
    await t.throwsAsync(collect(store, {}), expected)
    await t.throwsAsync(store.commit([put('a', 'text')]), expected)
  })
}

// Every character here has its own place among the bytes: "/" < "0" < "A" < "a" < "~".
const characters = fc.constantFrom('/', '0', 'A', 'a', '~')
const anyKey = fc.string({ unit: characters, minLength: 1, maxLength: 3 })
const anyRange = fc.oneof(
  rangesWith('gte', 'lt'),
  rangesWith('gt', 'lte'),
  rangesWith('gte', 'lte'),
)

function rangesWith(low: 'gte' | 'gt', high: 'lte' | 'lt'): fc.Arbitrary<Range> {
  const bounds = {
    [low]: anyKey,
    [high]: anyKey,
    reverse: fc.boolean(),
    limit: fc.nat({ max: 70 }),
  }
  return fc.record(bounds, { requiredKeys: [] })
}

function testScans(test: TestFn, makeOpener: MakeOpener): void {
  test('scan gives the rows of any range in byte order', async (t) => {
    await using store = await openStore(t, makeOpener)
    const all = fc.sample(anyKey, { numRuns: 60, seed: 7 })
    await store.commit(all.map((key) => put(key, key)))
    const model = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1))
    await fc.assert(
      fc.asyncProperty(anyRange, async (range: Range) => {
        const expected = model.filter((key) => inRange(range, key))
        if (range.reverse === true) expected.reverse()
        t.deepEqual(await collect(store, range), expected.slice(0, range.limit))
      }),
    )
  })

  test('scan reads a snapshot of its first step', async (t) => {
    await using store = await openStore(t, makeOpener)
    await store.commit([put('a', '1'), put('c', '1')])
    const rows = store.scan({})[Symbol.asyncIterator]()
    const [first] = (await rows.next()).value
    await store.commit([put('b', '2'), { type: 'del', key: 'c' }])
    const [second] = (await rows.next()).value
    t.deepEqual([first, second, (await rows.next()).done], ['a', 'c', true])
    t.deepEqual(await collect(store, {}), ['a', 'b'])
  })

  test('scan goes over more rows than fit in one batch, with their values', async (t) => {
    await using store = await openStore(t, makeOpener)
    const keys = Array.from({ length: 2_500 }, (_, i) => `row/${i.toString().padStart(6, '0')}`)
    await store.commit(keys.map((key) => put(key, key)))
    const range: Range = { gt: 'row/', lt: 'row/~' }
    const rows = await Array.fromAsync(store.scan(range))
    t.deepEqual(
      rows.map(([, value]) => Buffer.from(value).toString()),
      keys,
    )
    t.deepEqual(await collect(store, range), keys)
  })

  test('scanBatches gives the rows of scan, none of its batches empty', async (t) => {
    await using store = await openStore(t, makeOpener)
    t.deepEqual(await Array.fromAsync(store.scanBatches({})), [])
    const keys = Array.from({ length: 2_500 }, (_, i) => `row/${i.toString().padStart(6, '0')}`)
    await store.commit(keys.map((key) => put(key, key)))
    for (const range of [{}, { limit: 1_700 }, { gte: 'row/001234', reverse: true }]) {
      const batches = await Array.fromAsync(store.scanBatches(range))
      t.true(batches.length > 1)
      t.false(batches.some((batch) => batch.length === 0))
      t.deepEqual(batches.flat(), await Array.fromAsync(store.scan(range)))
    }
  })

  test('a scan may be left half-way', async (t) => {
    await using store = await openStore(t, makeOpener)
    await store.commit([put('a', '1'), put('b', '1')])
    for await (const [key] of store.scan({})) {
      t.is(key, 'a')
      break
    }
    await store.commit([put('c', '1')])
    t.deepEqual(await collect(store, {}), ['a', 'b', 'c'])
  })
}

function testCommits(test: TestFn, makeOpener: MakeOpener): void {
  test('a batch is applied in its order', async (t) => {
    await using store = await openStore(t, makeOpener)
    const del: Operation = { type: 'del', key: 'a' }
    await store.commit([put('a', '1'), del, put('b', '1'), put('b', '2')])
    t.deepEqual([read(store, 'a'), read(store, 'b')], [undefined, '2'])
    await store.commit([del, put('a', '3'), { type: 'del', key: 'nothing' }])
    t.is(read(store, 'a'), '3')
    await store.commit([])
    t.deepEqual(await collect(store, {}), ['a', 'b'])
  })

  test('a batch is taken as it is when commit is called', async (t) => {
    await using store = await openStore(t, makeOpener)
    const value = Buffer.from('before')
    const operations: Operation[] = [{ type: 'put', key: 'a', value }]
    const written = store.commit(operations)
    value.fill('x')
    operations.push(put('b', 'late'))
    await written
    t.is(read(store, 'a'), 'before')
    t.is(read(store, 'b'), undefined)
  })

  test('what was committed is there after the store was closed and opened', async (t) => {
    const open = await makeOpener(t)
    const before = await open()
    await before.commit([put('a', '1'), put('b', '1')])
    await before.commit([{ type: 'del', key: 'a' }])
    await before.close()
    const after = await open()
    t.deepEqual([read(after, 'a'), read(after, 'b')], [undefined, '1'])
    await after.close()
  })
}

function testPurges(test: TestFn, makeOpener: MakeOpener): void {
  test('a purge changes no row, and brings none back', async (t) => {
    await using store = await openStore(t, makeOpener)
    await store.commit([put('a', '1'), put('b', '1'), put('c', '1'), put('d', '1')])
    await store.commit([put('b', '2'), { type: 'del', key: 'c' }])
    await store.purge(['b', 'c'])
    await store.purge([])
    const rows = await Array.fromAsync(store.scan({}))
    t.deepEqual(
      rows.map(([key, value]) => [key, Buffer.from(value).toString()]),
      [
        ['a', '1'],
        ['b', '2'],
        ['d', '1'],
      ],
    )
    t.is(store.get('c'), undefined)
  })
}

async function openStore(
  t: ExecutionContext,
  makeOpener: MakeOpener,
): Promise<Store & AsyncDisposable> {
  const store = await (await makeOpener(t))()
  return { ...wrapStore(store, {}), [Symbol.asyncDispose]: () => store.close() }
}

function put(key: string, text: string): Operation {
  return { type: 'put', key, value: Buffer.from(text) }
}

function read(store: Store, key: string): string | undefined {
  const value = store.get(key)
  return value === undefined ? undefined : Buffer.from(value).toString()
}

async function collect(store: Store, range: Range): Promise<string[]> {
  const rows = await Array.fromAsync(store.scan(range))
  return rows.map(([key]) => key)
}

function inRange({ gte = '', gt, lte = '~~~~', lt = '~~~~' }: Range, key: string): boolean {
  return key >= gte && key <= lte && key < lt && (gt === undefined || key > gt)
}
