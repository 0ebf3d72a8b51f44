import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { elapsedMs } from '#actors/values/clock.ts'
import type { HashKey } from '#src/edge/limits/half_sip_hash.ts'
import { bucketBytes, bucketClientsMax, ClientHashes, Windows } from '#src/edge/limits/windows.ts'
import { until } from '#test/_until.ts'
import type { CountingThreadData } from '#test/src/edge/limits/_counting_thread.ts'

const windowMs = 1_000
const hourMs = 3_600_000
const hashKey: HashKey = [1, 2]

function open({ buckets = 1, key = hashKey }: { buckets?: number; key?: HashKey } = {}) {
  const clock = { nowMs: 0 }
  const memory = new SharedArrayBuffer(buckets * bucketBytes)
  const hashes = new ClientHashes(key)
  const windows = new Windows({ memory, hashes, elapsedMs: () => clock.nowMs })
  return { clock, memory, count: (client: string) => windows.count(client, windowMs).current }
}

function clientsOf(name: string, length: number): string[] {
  return Array.from({ length }, (_, index) => `${name} ${index}`)
}

test('a client is counted until its window ends', (t) => {
  const { clock, count } = open()
  t.is(count('a'), 1)
  clock.nowMs = 999
  t.is(count('a'), 2)
  clock.nowMs = 1_000
  t.is(count('a'), 1)
})

test('a window tells when it ends, which is never later than its length from now', (t) => {
  const memory = new SharedArrayBuffer(bucketBytes)
  let nowMs = 5_000
  const clock = { hashes: new ClientHashes(hashKey), elapsedMs: () => nowMs }
  const windows = new Windows({ memory, ...clock })
  t.is(windows.count('a', windowMs).ttl, 1_000)
  nowMs = 5_750
  t.is(windows.count('a', windowMs).ttl, 250)
  // As another thread does that has looked at the clock a little earlier.
  nowMs = 4_999
  t.deepEqual(windows.count('a', windowMs), { current: 3, ttl: 1_000 })
})

test('beyond what a bucket holds its oldest window is forgotten, and no other', (t) => {
  const { clock, count } = open()
  const clients = clientsOf('client', bucketClientsMax)
  for (const [at, client] of clients.entries()) {
    clock.nowMs = at
    t.is(count(client), 1)
  }
  t.is(count('another'), 1)
  for (const client of clients.slice(1)) t.is(count(client), 2)
  t.is(count('client 0'), 1)
})

test('windows that have ended make room first', (t) => {
  const { clock, count } = open()
  const [first = '', ...others] = clientsOf('client', bucketClientsMax)
  count(first)
  clock.nowMs = 500
  for (const client of others) count(client)
  clock.nowMs = 1_000
  count('another')
  for (const client of others) t.is(count(client), 2)
})

test('whoever has other memory counts for themselves', (t) => {
  const [one, other] = [open(), open()]
  t.is(one.count('a'), 1)
  t.is(other.count('a'), 1)
})

test('strangers make a count forgotten as the number of buckets says, and not sooner', (t) => {
  const { count } = open({ buckets: 8_192 })
  const counted = clientsOf('counted', 1_000)
  const strangers = clientsOf('stranger', 200_000)
  for (const client of counted) t.is(count(client), 1)
  for (const client of strangers.slice(0, 50_000)) count(client)
  // Where on average 6 others come to a bucket, 25 come to none.
  t.deepEqual(new Set(counted.map(count)), new Set([2]))
  for (const client of strangers.slice(50_000)) count(client)
  // 24 come now on average, and half of the buckets get more.
  const forgotten = counted.filter((client) => count(client) < 3).length
  t.true(forgotten > 250 && forgotten < 600, String(forgotten))
})

test('who shares a bucket under one key does not under another', (t) => {
  const memory = new SharedArrayBuffer(64 * bucketBytes)
  const first = new ClientHashes(hashKey)
  const together = clientsOf('client', 10_000)
    .filter((client) => (first.of(client).first & 63) === 0)
    .slice(0, 100)
  t.is(together.length, 100)
  const forgottenUnder = (key: HashKey): number => {
    const hashes = new ClientHashes(key)
    new Int32Array(memory).fill(0)
    const windows = new Windows({ memory, hashes, elapsedMs: () => 0 })
    for (const client of together) windows.count(client, windowMs)
    return together.filter((client) => windows.count(client, windowMs).current === 1).length
  }
  t.true(forgottenUnder(hashKey) >= 75)
  t.is(forgottenUnder([2, 1]), 0)
})

async function startThread(t: ExecutionContext, data: CountingThreadData): Promise<Worker> {
  const worker = new Worker(new URL('./_counting_thread.ts', import.meta.url), { workerData: data })
  t.teardown(() => worker.terminate())
  await once(worker, 'message')
  return worker
}

test('threads that count at once count each call, once', async (t) => {
  const [threads, calls] = [3, 8_000]
  const memory = new SharedArrayBuffer(2 * bucketBytes)
  const data = { memory, hashKey, clients: ['a', 'b', 'c'], windowMs: hourMs, calls }
  const workers = await Promise.all(Array.from({ length: threads }, () => startThread(t, data)))
  const counted = workers.map((worker) => once(worker, 'message') as Promise<[number[]]>)
  for (const worker of workers) worker.postMessage('count')
  const all = (await Promise.all(counted)).flatMap(([counts]) => counts)
  const times = new Map<number, number>()
  for (const count of all) times.set(count, (times.get(count) ?? 0) + 1)
  // Each number from 1 on was counted once for each client.
  t.is(Math.max(...times.keys()), threads * calls)
  t.is(times.size, threads * calls)
  t.deepEqual(new Set(times.values()), new Set([data.clients.length]))
})

test('a thread that ends in the middle of counting stops nobody', async (t) => {
  const memory = new SharedArrayBuffer(bucketBytes)
  const windows = new Windows({ memory, hashes: new ClientHashes(hashKey), elapsedMs })
  const data = { memory, hashKey, clients: ['a', 'b'], windowMs: hourMs, calls: 'endless' } as const
  for (let round = 0; round < 10; round += 1) {
    const worker = await startThread(t, data)
    const before = windows.count('a', hourMs).current
    await until('the thread counts', () => windows.count('a', hourMs).current > before + 1_000)
    await worker.terminate()
    const [a, b] = ['a', 'b'].map((client) => windows.count(client, hourMs).current)
    t.true(a !== undefined && a > before)
    t.is(windows.count('b', hourMs).current, (b ?? 0) + 1)
  }
})

test('the lock of a thread that has died is taken over, whatever it was doing', (t) => {
  const { memory, count } = open()
  t.is(count('a'), 1)
  const words = new Int32Array(memory)
  t.is(words[0], 0)
  words[0] = 12_345
  t.is(count('a'), 2)
  t.is(words[0], 0)
  t.is(count('a'), 3)
})
