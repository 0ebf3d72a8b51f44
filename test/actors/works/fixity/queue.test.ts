import test from 'ava'
import { FixityQueue } from '#actors/works/fixity/checker.ts'
import { type DueClass, dueFrom } from '#actors/works/record.ts'
import type { Store } from '#log/store/store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const limits = { checksMax: 4, hostChecksMax: 2 }

async function put(
  store: Store,
  ark: string,
  due: { readonly dueClass?: DueClass; readonly atMs?: number; readonly host?: string } = {},
): Promise<void> {
  const { dueClass = 0, atMs = 10, host = 'a.example' } = due
  const key = dueFrom(dueClass, atMs) + ark
  await store.commit([{ type: 'put', key, value: Buffer.from(host) }])
}

/** Takes all that can be taken, after reading all there is. */
async function takeAll(queue: FixityQueue, nowMs: number): Promise<string[]> {
  const taken: string[] = []
  queue.endRests(nowMs)
  for (;;) {
    for (let ark = queue.take(); ark !== undefined; ark = queue.take()) taken.push(ark)
    if (queue.isFull || !(await queue.read(nowMs))) return taken
  }
}

test('works are taken by class, then by time, once each', async (t) => {
  const store = openMemoryStore()
  await put(store, '1/old', { dueClass: 1, atMs: 1, host: 'b.example' })
  await put(store, '1/second', { atMs: 20 })
  await put(store, '1/first', { atMs: 10 })
  await put(store, '1/later', { dueClass: 1, atMs: 101, host: 'c.example' })
  const queue = new FixityQueue(store, limits)
  t.deepEqual(await takeAll(queue, 100), ['1/first', '1/second', '1/old'])
  t.is(queue.busy, 3)
  t.is(await queue.nextMs(100), 101)
  t.deepEqual(await takeAll(queue, 101), ['1/later'])
  t.true(queue.isFull)
})

test('a host has no more than its share, and hosts take turns', async (t) => {
  const store = openMemoryStore()
  for (const name of ['a1', 'a2', 'a3']) await put(store, `1/${name}`)
  for (const name of ['b1', 'b2']) await put(store, `1/${name}`, { host: 'b.example' })
  const queue = new FixityQueue(store, limits)
  t.deepEqual(await takeAll(queue, 100), ['1/a1', '1/b1', '1/a2', '1/b2'])
  queue.release('1/b1')
  t.deepEqual(await takeAll(queue, 100), [], 'the third of a host waits for one of the two')
  queue.release('1/a2')
  t.deepEqual(await takeAll(queue, 100), ['1/a3'])
})

test('a host with many due works does not hide those of others, nor lose its own', async (t) => {
  const store = openMemoryStore()
  const many = Array.from({ length: 1_000 }, (_, index) => `1/a${String(index).padStart(4, '0')}`)
  for (const ark of many) await put(store, ark)
  await put(store, '1/b', { atMs: 50, host: 'b.example' })
  const queue = new FixityQueue(store, { checksMax: 3, hostChecksMax: 2 })
  const first = await takeAll(queue, 100)
  t.deepEqual(first, ['1/a0000', '1/a0001', '1/b'])
  const done: string[] = []
  let taken = first
  while (taken.length > 0) {
    for (const ark of taken) {
      const atMs = ark === '1/b' ? 50 : 10
      await store.commit([{ type: 'del', key: dueFrom(0, atMs) + ark }])
      queue.release(ark)
      done.push(ark)
    }
    taken = await takeAll(queue, 100)
  }
  t.deepEqual(done.toSorted(), [...many, '1/b'])
})

test('a work that rests, or whose host does, is taken again after its time', async (t) => {
  const store = openMemoryStore()
  await put(store, '1/a1')
  await put(store, '1/a2')
  await put(store, '1/b', { host: 'b.example' })
  const queue = new FixityQueue(store, limits)
  t.deepEqual(await takeAll(queue, 100), ['1/a1', '1/b', '1/a2'])
  queue.rest('1/b', 150)
  queue.restHost('a.example', 200)
  queue.putBack('1/a1')
  queue.release('1/a2')
  await put(store, '1/a3')
  queue.noteWritten(0, 10)
  t.deepEqual(await takeAll(queue, 149), [])
  t.is(await queue.nextMs(149), 150)
  t.deepEqual(await takeAll(queue, 150), ['1/b'])
  t.is(await queue.nextMs(150), 200)
  // `1/a2` was given back without a change of its row, so it is due like the others.
  t.deepEqual(await takeAll(queue, 200), ['1/a1', '1/a2'], 'what was put back is in its place')
  queue.release('1/a1')
  t.deepEqual(await takeAll(queue, 200), ['1/a3'])
})

test('a host that has rested gets its share, and what was put back in its order', async (t) => {
  const store = openMemoryStore()
  await put(store, '1/again', { dueClass: 1, atMs: 1 })
  for (const name of ['a1', 'a2', 'a3']) await put(store, `1/${name}`)
  const queue = new FixityQueue(store, { checksMax: 4, hostChecksMax: 3 })
  t.deepEqual(await takeAll(queue, 100), ['1/a1', '1/a2', '1/a3'])
  queue.restHost('a.example', 200)
  for (const ark of ['1/a2', '1/a1', '1/a3']) queue.putBack(ark)
  t.deepEqual(await takeAll(queue, 199), [])
  t.deepEqual(await takeAll(queue, 200), ['1/a1', '1/a2', '1/a3'], 'first checks go first')
  queue.restHost('a.example', 300)
  queue.putBack('1/a1')
  t.deepEqual(await takeAll(queue, 299), [])
  t.deepEqual(await takeAll(queue, 300), ['1/a1'])
  await store.commit([{ type: 'del', key: `${dueFrom(0, 10)}1/a1` }])
  queue.release('1/a1')
  t.deepEqual(await takeAll(queue, 300), ['1/again'])
})

test('a host without due works is not held to one check after its rest', async (t) => {
  const store = openMemoryStore()
  const queue = new FixityQueue(store, limits)
  queue.restHost('a.example', 50)
  t.deepEqual(await takeAll(queue, 50), [])
  for (const name of ['a1', 'a2']) await put(store, `1/${name}`)
  t.deepEqual(await takeAll(queue, 100), ['1/a1', '1/a2'])
})

test('a row of the millisecond that was read last is found when it is noted', async (t) => {
  const store = openMemoryStore()
  await put(store, '1/m')
  const queue = new FixityQueue(store, limits)
  t.deepEqual(await takeAll(queue, 10), ['1/m'])
  await put(store, '1/a')
  t.deepEqual(await takeAll(queue, 10), [], 'nothing is looked for twice')
  queue.noteWritten(0, 10)
  t.deepEqual(await takeAll(queue, 10), ['1/a'])
})

test('a work that became due under its check is found once it is noted', async (t) => {
  const store = openMemoryStore()
  await put(store, '1/a')
  const queue = new FixityQueue(store, limits)
  t.deepEqual(await takeAll(queue, 100), ['1/a'])
  await store.commit([{ type: 'del', key: `${dueFrom(0, 10)}1/a` }])
  await put(store, '1/a', { atMs: 60 })
  queue.noteWritten(0, 60)
  t.deepEqual(await takeAll(queue, 100), [])
  queue.release('1/a')
  queue.noteWritten(0, 60)
  t.deepEqual(await takeAll(queue, 100), ['1/a'])
})
