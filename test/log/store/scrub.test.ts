import test from 'ava'

import { CorruptRowError } from '#log/store/damage.ts'
import { Scrubber } from '#log/store/scrub.ts'
import type { Range, Store } from '#log/store/store.ts'
import { FaultyStore } from '#test/contracts/_faulty_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { wrapStore } from '#test/contracts/_wrapped_store.ts'
import { put } from '#test/log/_log.ts'

const keys = Array.from({ length: 25 }, (_, i) => `row/${String.fromCharCode(97 + i)}`)

async function storeOfRows(): Promise<Store> {
  const store = openMemoryStore()
  await store.commit(keys.map((key) => put(key, key)))
  return store
}

/** A store of which `meet` sees each row that a scan reads, before it is given. */
function meeting(store: Store, meet: (key: string, range: Range) => unknown): Store {
  return wrapStore(store, {
    async *scan(range) {
      for await (const row of store.scan(range)) {
        await meet(row[0], range)
        yield row
      }
    },
    async *scanBatches(range) {
      for await (const rows of store.scanBatches(range)) {
        for (const [key] of rows) await meet(key, range)
        yield rows
      }
    },
  })
}

/** Makes one pass over a store; what it counted and reported, and how often it paused. */
async function scrubOnce(store: Store, atPause: () => Promise<void> = async () => undefined) {
  const problems: string[] = []
  const stop = new AbortController()
  let pauses = 0
  const scrubber = new Scrubber(store, {
    stepRows: 10,
    pause: async () => {
      pauses += 1
      await atPause()
      if (scrubber.counters.passes === 1) stop.abort()
    },
    onProblem: (message) => problems.push(message),
  })
  await scrubber.run(stop.signal)
  return { counters: scrubber.counters, problems, pauses }
}

test('a pass reads every row, with a pause after each step', async (t) => {
  const { counters, problems, pauses } = await scrubOnce(await storeOfRows())
  t.deepEqual(counters, { passes: 1, rows: 25, problems: 0 })
  t.deepEqual(problems, [])
  t.is(pauses, 4)
})

test('a store is scrubbed again and again, until told to stop', async (t) => {
  const stop = new AbortController()
  let pauses = 0
  const scrubber = new Scrubber(await storeOfRows(), {
    stepRows: 10,
    pause: async () => {
      pauses += 1
      if (pauses === 10) stop.abort()
    },
    onProblem: (message) => t.fail(message),
  })
  await scrubber.run(stop.signal)
  t.deepEqual(scrubber.counters, { passes: 2, rows: 70, problems: 0 })
})

test('a corrupt row is reported, and the rows after it are read', async (t) => {
  const store = await storeOfRows()
  const damaged = ['row/c', 'row/y']
  const { counters, problems } = await scrubOnce(
    meeting(store, (key) => {
      if (damaged.includes(key)) throw new CorruptRowError(key)
    }),
  )
  t.deepEqual(counters, { passes: 1, rows: 23, problems: 2 })
  t.regex(problems[0] ?? '', /^the row "row\/c" fails its checksum/)
})

test('a damaged key that lies out of order ends the pass and not the scrubber', async (t) => {
  const store = await storeOfRows()
  const { counters } = await scrubOnce(
    meeting(store, (key) => {
      if (key === 'row/m') throw new CorruptRowError('rov/m')
    }),
  )
  t.deepEqual(counters, { passes: 1, rows: 12, problems: 1 })
})

test('beside a corrupt row, what a look-up does not find is reported too', async (t) => {
  const store = await storeOfRows()
  const scanned = meeting(store, (key) => {
    if (key === 'row/f') throw new CorruptRowError(key)
  })
  const missed = ['row/d', 'row/h']
  const { counters } = await scrubOnce(
    wrapStore(scanned, { get: (key) => (missed.includes(key) ? undefined : store.get(key)) }),
  )
  t.deepEqual(counters, { passes: 1, rows: 24, problems: 3 })
})

test('a row that a look-up does not find is reported', async (t) => {
  const store = await storeOfRows()
  const { counters, problems } = await scrubOnce(
    wrapStore(store, {
      get: (key) => (key === 'row/d' ? undefined : store.get(key)),
    }),
  )
  t.deepEqual(counters, { passes: 1, rows: 25, problems: 1 })
  t.regex(problems[0] ?? '', /^the row "row\/d" is in the store but a look-up does not find it/)
})

test('a row that changes while it is looked at is no problem', async (t) => {
  const store = await storeOfRows()
  const { counters } = await scrubOnce(
    meeting(store, async (key, { limit }) => {
      if (limit !== undefined && key === 'row/d') await store.commit([put(key, 'new')])
      if (limit !== undefined && key === 'row/e') await store.commit([{ type: 'del', key }])
    }),
  )
  t.deepEqual(counters, { passes: 1, rows: 25, problems: 0 })
})

test('a row that changes at every look is no problem', async (t) => {
  const store = await storeOfRows()
  let commits = 0
  const { counters } = await scrubOnce(
    meeting(store, async (key) => {
      if (key === 'row/d') await store.commit([put(key, `value ${commits++}`)])
    }),
  )
  t.deepEqual(counters, { passes: 1, rows: 25, problems: 0 })
})

test('a store that cannot be read ends the scrubber with its error', async (t) => {
  const fault = { operation: 'scan', nth: 2, outcome: 'lost' } as const
  const faulty = new FaultyStore(await storeOfRows(), fault)
  await t.throwsAsync(scrubOnce(faulty), { code: 'store_failed', message: /scan 2 is lost/ })
})
