import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'

import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import { beginJournal, JournaledStore, readForm } from '#log/store/journaled_store.ts'
import { openLevelRows } from '#log/store/level_rows.ts'
import { joinLevelStore, openLevelStore } from '#log/store/level_store.ts'
import type { Operation, Range, ReadStore, Store } from '#log/store/store.ts'
import { testStore } from '#test/contracts/store.ts'
import { until } from '#test/_until.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const journal = 'event/'

testStore(test, async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  let create = true
  return async () => {
    const store = await openLevelStore(dir, { create, journal })
    create = false
    return store
  }
})

function numbered(prefix: string, number: number): string {
  return prefix + number.toString(16).padStart(12, '0')
}

function put(key: string, text: string): Operation {
  return { type: 'put', key, value: Buffer.from(text) }
}

/**
 * Batches such as a registry writes: events, of which two in three have an entry, rows that are new
 * or replaced, and now and then no event at all. `from` is the number of the first.
 */
function* batches(random: () => number, count: number, from = 0): Generator<Operation[]> {
  let [events, entries] = [from, from]
  for (let nth = 0; nth < count; nth += 1) {
    const operations: Operation[] = []
    for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
      operations.push(put(numbered('event/', events), `event ${events} ${random()}`))
      operations.push(put(`work/${events}`, `${events}`))
      if (events % 3 > 0) operations.push(put(numbered('entry/', entries), `entry ${entries++}`))
      events += 1
    }
    operations.push(put('journal', `${events}`))
    const old = Math.floor(random() * events)
    if (events > 0) operations.push({ type: 'del', key: `work/${old}` }, put(`zone/${old}`, 'zone'))
    yield operations
  }
}

function rowText(key: string, value: Uint8Array | undefined): string {
  return `${key} ${value === undefined ? 'nothing' : Buffer.from(value).toString()}`
}

async function rowsOf(store: ReadStore, range: Range = {}): Promise<string[]> {
  const rows: string[] = []
  for await (const [key, value] of store.scan(range)) rows.push(rowText(key, value))
  return rows
}

/** Flushes after each few batches, and keeps no more in memory. */
const small = { writeBufferBytes: 16 * 1024 }

async function makeBoth(t: ExecutionContext, options = small) {
  const dir = await makeTempDir(t)
  const plain = await openLevelStore(path.join(dir, 'plain'), { create: true })
  const store = await openLevelStore(path.join(dir, 'store'), { create: true, journal, ...options })
  return { plain, store, dir: path.join(dir, 'store') }
}

test('every row and range reads as it does without a journal', async (t) => {
  const { plain, store, dir } = await makeBoth(t)
  for (const operations of batches(seededRandom(1), 200)) {
    await Promise.all([plain.commit(operations), store.commit(operations)])
  }
  const all = await rowsOf(plain)
  t.deepEqual(await rowsOf(store), all)
  const joined = await joinLevelStore(dir)
  t.deepEqual(await rowsOf(joined), all)
  for (const row of all) {
    const [key = ''] = row.split(' ', 1)
    t.is(rowText(key, store.get(key)), row)
    t.is(rowText(key, joined.get(key)), row)
  }
  const anyKey = fc.constantFrom(
    ...all.map((row) => row.split(' ', 1)[0] ?? ''),
    'e',
    'f',
    'event/',
    'zz',
  )
  const bounds = { gte: anyKey, gt: anyKey, lt: anyKey, lte: anyKey }
  const anyRange = fc
    .record({ ...bounds, reverse: fc.boolean(), limit: fc.nat(300) }, { requiredKeys: [] })
    .filter(
      ({ gt, gte, lt, lte }) => [gt, gte].includes(undefined) && [lt, lte].includes(undefined),
    )
  await fc.assert(
    fc.asyncProperty(anyRange, async (range: Range) => {
      t.deepEqual(await rowsOf(store, range), await rowsOf(plain, range))
    }),
    { numRuns: 60 },
  )
  await joined.close()
  await Promise.all([plain.close(), store.close()])
})

test('a scan of everything has whole batches, whatever is written meanwhile', async (t) => {
  const { plain, store, dir } = await makeBoth(t)
  await plain.close()
  const joined = await joinLevelStore(dir)
  let isWriting = true
  const writing = (async () => {
    for (const operations of batches(seededRandom(2), 300)) await store.commit(operations)
    isWriting = false
  })()
  let scans = 0
  while (isWriting) {
    const rows = await rowsOf(joined)
    const events = rows.filter((row) => row.startsWith('event/')).length
    const told = rows.find((row) => row.startsWith('journal '))?.slice('journal '.length) ?? '0'
    t.is(Number(told), events)
    scans += 1
  }
  await writing
  t.true(scans > 0)
  await joined.close()
  await store.close()
})

/** The names and sizes of all files of a store. */
async function filesOf(dir: string): Promise<string> {
  const files: string[] = []
  for (const file of await fs.readdir(dir, { recursive: true })) {
    files.push(`${file} ${(await fs.stat(path.join(dir, file))).size}`)
  }
  return files.sort().join()
}

/** Copies a store that is open, as a kill leaves it: once nothing is under way in its files. */
async function copyKilled(dir: string, copy: string): Promise<void> {
  await until('the files of a store rest', async () => {
    try {
      await fs.rm(copy, { recursive: true, force: true })
      const before = await filesOf(dir)
      await fs.cp(dir, copy, { recursive: true })
      const files = await Promise.all([filesOf(dir), filesOf(copy)])
      return files.every((each) => each === before)
    } catch (error) {
      // A file that was deleted since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  })
}

/** LevelDB reads on behind a block of its file that is damaged. */
const blockBytes = 32_768

/**
 * What a power cut leaves: the journal as it was synced, and of the newest file of the views only
 * its beginning, or all but a block in the middle that was not written yet.
 */
async function cutViews(dir: string, random: () => number): Promise<void> {
  for (const name of await fs.readdir(dir)) {
    if (!name.endsWith('.log')) continue
    const file = path.join(dir, name)
    const bytes = await fs.readFile(file)
    const hole = blockBytes * Math.floor((random() * bytes.length) / blockBytes)
    const isCut = random() < 0.5
    if (!isCut) bytes.fill(0, hole, Math.min(hole + blockBytes, bytes.length))
    const end = isCut ? Math.floor(random() * (bytes.length + 1)) : bytes.length
    await fs.writeFile(file, bytes.subarray(0, end))
  }
}

test('what the views lose in a crash is written again from the journal', async (t) => {
  for (let seed = 0; seed < 6; seed += 1) {
    const random = seededRandom(seed)
    const { plain, store, dir } = await makeBoth(t, { writeBufferBytes: 512 * 1024 })
    for (const operations of batches(random, 30 + 66 * seed)) {
      const wide = [...operations, put(`wide/${random()}`, 'w'.repeat(500))]
      await Promise.all([plain.commit(wide), store.commit(wide)])
    }
    const copy = `${dir}-${seed}`
    await copyKilled(dir, copy)
    await cutViews(copy, random)
    const again = await openLevelStore(copy, { create: false, journal, ...small })
    t.deepEqual(await rowsOf(again), await rowsOf(plain), `seed ${seed}`)
    const more = [...batches(random, 10, 1_000)]
    for (const operations of more)
      await Promise.all([plain.commit(operations), again.commit(operations)])
    await again.close()
    const last = await openLevelStore(copy, { create: false, journal })
    t.deepEqual(await rowsOf(last), await rowsOf(plain), `seed ${seed}`)
    await Promise.all([plain, store, last].map((each) => each.close()))
  }
})

test('a journal that has lost its end, or all of it, is refused', async (t) => {
  const { plain, store, dir } = await makeBoth(t)
  await plain.close()
  for (const operations of batches(seededRandom(3), 9)) await store.commit(operations)
  await store.close()
  const folder = path.join(dir, 'journal')
  const log = (await fs.readdir(folder)).find((name) => name.endsWith('.log')) ?? ''
  const { size } = await fs.stat(path.join(folder, log))
  await fs.truncate(path.join(folder, log), Math.floor(size / 2))
  const open = () => openLevelStore(dir, { create: false, journal })
  await t.throwsAsync(open, { code: 'log_rolled_back', message: /batch 9 was written/ })
  await fs.rm(folder, { recursive: true })
  for (const options of [{ create: false, journal }, { create: false }]) {
    await t.throwsAsync(openLevelStore(dir, options), {
      code: 'store_missing',
      message: /has lost its journal/,
    })
  }
})

test('a journal that was made and not begun is none yet, and begins later', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const row = Buffer.from('a')
  const before = await openLevelStore(dir, { create: true })
  await before.commit([{ type: 'put', key: 'a', value: row }])
  await before.close()
  const folder = path.join(dir, 'journal')
  const begun = await openLevelStore(folder, { create: true })
  await begun.close()
  const plain = await openLevelStore(dir, { create: false })
  const joined = await joinLevelStore(dir)
  t.deepEqual([plain.get('a'), joined.get('a')], [row, row])
  await joined.close()
  await plain.close()
  const store = await openLevelStore(dir, { create: false, journal })
  t.deepEqual(store.get('a'), row)
  for (const operations of batches(seededRandom(3), 2)) await store.commit(operations)
  await store.close()
})

test('a store of before goes on with a journal, and its rows stay where they are', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const { plain, store: other } = await makeBoth(t)
  await other.close()
  const random = seededRandom(4)
  const [before, after] = [[...batches(random, 50)], [...batches(random, 50, 1_000)]]
  const old = await openLevelStore(dir, { create: true })
  for (const operations of before)
    await Promise.all([old.commit(operations), plain.commit(operations)])
  await old.close()
  // A start that writes nothing, and one of the program of before: it goes on where it was.
  await (await openLevelStore(dir, { create: false, journal })).close()
  const store = await openLevelStore(dir, { create: false, journal })
  t.deepEqual(await rowsOf(store), await rowsOf(plain))
  for (const operations of after)
    await Promise.all([store.commit(operations), plain.commit(operations)])
  const rewritten = [put(numbered('event/', 3), 'blank'), put(numbered('event/', 1_003), 'blank')]
  await Promise.all([store.commit(rewritten), plain.commit(rewritten)])
  await store.close()
  const again = await openLevelStore(dir, { create: false })
  t.deepEqual(await rowsOf(again), await rowsOf(plain))
  await Promise.all([again, plain].map((each) => each.close()))
})

async function filesWith(dir: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const file of await fs.readdir(dir, { recursive: true })) {
    const bytes = await fs.readFile(path.join(dir, file)).catch(() => Buffer.alloc(0))
    if (bytes.includes(text)) found.push(file)
  }
  return found
}

test('nothing is left of what was purged, in the journal and among the views', async (t) => {
  const { plain, store, dir } = await makeBoth(t)
  await plain.close()
  const [event, view, kept] = [1, 2, 3].map(() => randomBytes(24).toString('hex')) as [
    string,
    string,
    string,
  ]
  const fill = async (open: Store, from: number) => {
    for (const operations of batches(seededRandom(5), 100, from)) await open.commit(operations)
  }
  await fill(store, 0)
  const key = numbered('event/', 1_000)
  await store.commit([put(key, event), put('work/planted', view), put('zone/kept', kept)])
  await fill(store, 1_001)
  await store.commit([put(key, 'blank'), put('work/planted', 'blank')])
  t.not((await filesWith(dir, event)).length, 0)
  t.not((await filesWith(dir, view)).length, 0)
  await store.purge([key])
  await store.purge(['work/planted'])
  t.deepEqual([await filesWith(dir, event), await filesWith(dir, view)], [[], []])
  const rows = await rowsOf(store)
  // As after a kill: nothing of what was purged comes back, and nothing else is missing.
  const copy = `${dir}-killed`
  await copyKilled(dir, copy)
  const again = await openLevelStore(copy, { create: false, journal })
  t.deepEqual(await rowsOf(again), rows)
  t.is(Buffer.from(again.get('zone/kept') ?? '').toString(), kept)
  await Promise.all([store.close(), again.close()])
})

async function openParts(dir: string, create: boolean) {
  const sizes = { writeBufferBytes: 1_048_576, cacheBytes: 1_048_576 }
  const open = (name: string) =>
    openLevelRows(path.join(dir, name), { create, ...sizes, release: () => undefined })
  return { views: await open('views'), journal: await open('journal') }
}

test('less is never said to be flushed, so that a purge leaves no row as it was', async (t) => {
  const dir = await makeTempDir(t)
  const parts = await openParts(dir, true)
  const { views } = parts
  const form = await beginJournal(parts, 'event/', 1_024)
  const options = { flushBytes: 1, bypassesBlockCache: undefined }
  const store = await JournaledStore.open({ ...parts, form }, options)
  const [flush, write] = [views.flush.bind(views), views.write.bind(views)]
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  // The first flush goes on for as long as two further batches are written.
  views.flush = async () => {
    views.flush = flush
    begun.resolve()
    await gate.promise
    return flush()
  }
  await store.commit([put(numbered('event/', 0), 'first'), put('row', '0')])
  await begun.promise
  await store.commit([put(numbered('event/', 1), 'second'), put('row', '1')])
  await store.commit([put(numbered('event/', 2), 'secret'), put('row', '2')])
  // One more is committed while it is written how far all is flushed.
  views.write = async (batch, { sync }) => {
    if (!sync) return write(batch, { sync })
    views.write = write
    const written = write(batch, { sync })
    await Promise.all([written, store.commit([put(numbered('event/', 3), 'fourth')])])
  }
  const purged = store.purge([numbered('event/', 2)])
  gate.resolve()
  await purged
  const copy = path.join(dir, 'copy')
  for (const name of ['views', 'journal']) {
    await copyKilled(path.join(dir, name), path.join(copy, name))
  }
  await store.close()
  const found = await openParts(copy, false)
  const known = readForm(found.journal)
  if (known === undefined) return t.fail()
  const again = await JournaledStore.open({ ...found, form: known }, options)
  t.teardown(() => again.close())
  t.is(rowText('row', again.get('row')), 'row 2')
})
