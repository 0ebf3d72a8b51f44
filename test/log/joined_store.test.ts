import { on, once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

import test, { type ExecutionContext } from 'ava'

import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation } from '#log/store/store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import type { JoinedOrder } from '#test/log/_joined_store_thread.ts'

type Joined = {
  readonly worker: Worker
  /** Has the other thread do something; gives its answer. */
  order(order: JoinedOrder): Promise<string>
}

/** Joins a store in a thread of its own, until the end of the test. */
async function join(t: ExecutionContext, dir: string): Promise<Joined> {
  const file = new URL('./_joined_store_thread.ts', import.meta.url)
  const worker = new Worker(file, { workerData: dir })
  t.teardown(() => worker.terminate())
  t.deepEqual(await once(worker, 'message'), ['joined'])
  const order = async (asked: JoinedOrder) => {
    const answers = on(worker, 'message') as AsyncIterable<[string]>
    worker.postMessage(asked)
    for await (const [answer] of answers) if (answer.startsWith(asked.type)) return answer
    return 'nothing'
  }
  return { worker, order }
}

function put(key: string, text: string): Operation {
  return { type: 'put', key, value: Buffer.from(text) }
}

/** More rows than a scan fetches at once. */
const rows = Array.from({ length: 200 }, (_, index) =>
  put(`row/${String(index).padStart(3, '0')}`, 'old'),
)

test('a thread that joins a store sees each commit once it is acknowledged', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const store = await openLevelStore(dir, { create: true })
  const { order } = await join(t, dir)
  for (let index = 0; index < 20; index += 1) {
    await store.commit([put('a', String(index))])
    t.is(await order({ type: 'get', key: 'a' }), `get ${index}`)
  }
  await store.commit([{ type: 'del', key: 'a' }])
  t.is(await order({ type: 'get', key: 'a' }), 'get undefined')
  t.is(await order({ type: 'close' }), 'close closed')
  await store.close()
})

test('who has joined a store and leaves takes nothing from its owner', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const store = await openLevelStore(dir, { create: true })
  const [one, other] = [await join(t, dir), await join(t, dir)]
  await one.order({ type: 'close' })
  await other.worker.terminate()
  await store.commit([put('a', 'kept')])
  t.is(Buffer.from(store.get('a') ?? []).toString(), 'kept')
  await store.close()
  const reopened = await openLevelStore(dir, { create: false })
  t.is(Buffer.from(reopened.get('a') ?? []).toString(), 'kept')
  await reopened.close()
})

test('what threads commit at once is there for all, and whole if one of them dies', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const store = await openLevelStore(dir, { create: true })
  const threads = await Promise.all([1, 2].map(() => join(t, dir)))
  const times = 30
  const committing = threads.map(({ order }, nth) => {
    return order({ type: 'commit', name: String(nth), times })
  })
  for (let nth = 0; nth < times; nth += 1) await store.commit([put(`own/${nth}`, 'own')])
  t.deepEqual(await Promise.all(committing), [`commit ${times}`, `commit ${times}`])
  const [dying] = threads
  void dying?.order({ type: 'commit', name: 'dying', times: 10_000 })
  while (store.get('a/dying/3') === undefined) await store.commit([put('waited', 'for')])
  await dying?.worker.terminate()
  await threads[1]?.order({ type: 'close' })
  await store.close()
  const reopened = await openLevelStore(dir, { create: false })
  t.teardown(() => reopened.close())
  const keysOf = async (prefix: string) => {
    const keys: string[] = []
    for await (const [key] of reopened.scan({ gte: prefix, lt: `${prefix}~` })) keys.push(key)
    return keys
  }
  t.is((await keysOf('own/')).length, times)
  for (const name of ['0', '1']) t.is((await keysOf(`a/${name}/`)).length, times)
  const begun = await keysOf('a/dying/')
  t.true(begun.length > 3)
  t.deepEqual(
    begun.map((key) => key.slice(2)),
    (await keysOf('b/dying/')).map((key) => key.slice(2)),
  )
})

test('a purge waits for the scans of other threads', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const others: Joined[] = []
  const asked: string[] = []
  const otherScans = async () => {
    for (const { order } of others) asked.push(await order({ type: 'await_scans' }))
  }
  const store = await openLevelStore(dir, { create: true, otherScans })
  t.teardown(() => store.close())
  await store.commit(rows)
  const joined = await join(t, dir)
  others.push(joined)
  t.is(await joined.order({ type: 'scan' }), 'scan row/000')
  let isPurged = false
  await store.commit([put('row/007', 'new')])
  const purged = store.purge(['row/007']).then(() => (isPurged = true))
  // A purge of the same rows that waits for nothing.
  const unread = await openLevelStore(`${dir} of others`, { create: true })
  t.teardown(() => unread.close())
  await unread.commit(rows)
  await unread.commit([put('row/007', 'new')])
  await unread.purge(['row/007'])
  t.deepEqual([isPurged, asked], [false, []])
  t.is(await joined.order({ type: 'finish' }), 'finish 199')
  await purged
  t.deepEqual([...new Set(asked)], ['await_scans ended'])
})

test('a store that is not there cannot be joined', async (t) => {
  const dir = path.join(await makeTempDir(t), 'store')
  const file = new URL('./_joined_store_thread.ts', import.meta.url)
  const worker = new Worker(file, { workerData: dir })
  const [error] = (await once(worker, 'error')) as [Error & { code: string }]
  t.regex(error.message, /^the store .* cannot be joined: /)
})
