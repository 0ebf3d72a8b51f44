import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import test from 'ava'

import { parseRetryAfter } from '#actors/values/clock.ts'
import { createHostPacing, type PacingLimits } from '#src/delivery/fetch/host_pacing.ts'
import { until } from '#test/_until.ts'
import { never, openFetcher, testPacing } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** Pacing over a clock that a test moves. */
function pacingOf(limits: Partial<PacingLimits> = {}) {
  const clock = { nowMs: 0 }
  return { clock, pacing: createHostPacing({ ...testPacing, ...limits }, () => clock.nowMs) }
}

/** A job that runs until it is let go, and says how many like it ran at once. */
function heldJobs() {
  const held: (() => void)[] = []
  const counts = { running: 0, peak: 0, done: 0 }
  const job = async () => {
    counts.running += 1
    counts.peak = Math.max(counts.peak, counts.running)
    await new Promise<void>((resolve) => held.push(resolve))
    counts.running -= 1
    return (counts.done += 1)
  }
  return { job, counts, letGo: () => held.shift()?.() }
}

test('a host gets no more jobs at a time than its limit, and all in the end', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 3 })
  const { job, counts, letGo } = heldJobs()
  const all = Array.from({ length: 20 }, () => pacing.run('a.example', job, never))
  while (counts.done < 20) {
    await until('so many jobs run', () => counts.running === Math.min(3, 20 - counts.done))
    letGo()
    await setImmediate()
  }
  const types = (await Promise.all(all)).map(({ type }) => type)
  t.true(types.every((type) => type === 'ran'))
  t.is(counts.peak, 3)
})

test('hosts do not wait for each other, but share the places of all', async (t) => {
  const { pacing } = pacingOf({ concurrencyMax: 4, hostConcurrencyMax: 2 })
  const { job, counts, letGo } = heldJobs()
  const all = Array.from({ length: 12 }, (_, nth) => pacing.run(`${nth % 6}.example`, job, never))
  while (counts.done < 12) {
    await until('so many jobs run', () => counts.running === Math.min(4, 12 - counts.done))
    letGo()
    await setImmediate()
  }
  await Promise.all(all)
  t.is(counts.peak, 4)
})

test('two starts at one host are an interval apart', async (t) => {
  const limits = { ...testPacing, hostIntervalMs: 40 }
  const pacing = createHostPacing(limits, () => performance.now())
  const startsMs: number[] = []
  const firstMs = performance.now()
  const job = async () => startsMs.push(performance.now())
  await Promise.all(Array.from({ length: 5 }, () => pacing.run('a.example', job, never)))
  // A timer may be late, but not earlier than by its rounding.
  for (const [nth, ms] of startsMs.entries()) t.true(ms - firstMs >= nth * 40 - 2)
})

test('what exceeds the queue of a host is postponed, not run later', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 1, hostQueueMax: 2 })
  const { job, counts, letGo } = heldJobs()
  const settled: unknown[] = []
  const run = async () => void settled.push(await pacing.run('a.example', job, never))
  const all = Array.from({ length: 6 }, run)
  await until('three jobs are postponed', () => settled.length === 3)
  for (const outcome of settled) t.deepEqual(outcome, { type: 'postponed', retryAfterMs: 30_000 })
  while (counts.done < 3) {
    letGo()
    await setImmediate()
  }
  await Promise.all(all)
  t.deepEqual(
    settled.slice(3),
    [1, 2, 3].map((value) => ({ type: 'ran', value })),
  )
})

test('as many as may run at a time are run, however many come at once', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 50, hostQueueMax: 2 })
  const { job, counts, letGo } = heldJobs()
  const all = Array.from({ length: 53 }, () => pacing.run('a.example', job, never))
  await until('so many jobs run', () => counts.running === 50)
  while (counts.done < 52) {
    letGo()
    await setImmediate()
  }
  const types = (await Promise.all(all)).map(({ type }) => type)
  t.is(types.filter((type) => type === 'ran').length, 52)
  t.is(types.at(-1), 'postponed')
})

test('a paused host gets nothing until its pause is over, and pauses never shrink', async (t) => {
  const { pacing, clock } = pacingOf({ pauseMsMax: 10_000 })
  const run = () => pacing.run('a.example', async () => 'done', never)
  pacing.pauseHost('a.example', 4_000)
  pacing.pauseHost('a.example', 1_000)
  t.deepEqual(await run(), { type: 'postponed', retryAfterMs: 4_000 })
  const other = await pacing.run('b.example', async () => 'done', never)
  t.deepEqual(other, { type: 'ran', value: 'done' })
  clock.nowMs = 3_999
  t.deepEqual(await run(), { type: 'postponed', retryAfterMs: 1 })
  clock.nowMs = 4_000
  t.deepEqual(await run(), { type: 'ran', value: 'done' })
  pacing.pauseHost('a.example', 1_000_000)
  t.deepEqual(await run(), { type: 'postponed', retryAfterMs: 10_000 })
})

test('a pause holds for what was waiting when it began', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 1 })
  const { job, counts, letGo } = heldJobs()
  const first = pacing.run('a.example', job, never)
  const second = pacing.run('a.example', job, never)
  await until('so many jobs run', () => counts.running === 1)
  pacing.pauseHost('a.example', 5_000)
  letGo()
  t.deepEqual(await first, { type: 'ran', value: 1 })
  t.deepEqual(await second, { type: 'postponed', retryAfterMs: 5_000 })
})

test('after its pause a host gets one job at a time, until one ends without another', async (t) => {
  const { pacing, clock } = pacingOf({ hostConcurrencyMax: 3 })
  let hasHadEnough = true
  const asked: number[] = []
  const runAll = async () => {
    const job = async () => {
      asked.push(clock.nowMs)
      if (hasHadEnough) pacing.pauseHost('a.example', 1_000)
    }
    const all = Array.from({ length: 3 }, () => pacing.run('a.example', job, never))
    return (await Promise.all(all)).map(({ type }) => type)
  }
  pacing.pauseHost('a.example', 1_000)
  for (clock.nowMs = 1_000; clock.nowMs < 4_000; clock.nowMs += 1_000) {
    t.deepEqual(await runAll(), ['ran', 'postponed', 'postponed'])
  }
  t.deepEqual(asked, [1_000, 2_000, 3_000])
  hasHadEnough = false
  t.deepEqual(await runAll(), ['ran', 'ran', 'ran'])
  const { job, counts, letGo } = heldJobs()
  const all = Array.from({ length: 4 }, () => pacing.run('a.example', job, never))
  await until('so many jobs run', () => counts.running === 3)
  while (counts.done < 4) {
    letGo()
    await setImmediate()
  }
  await Promise.all(all)
  t.is(counts.peak, 3)
})

test('no more hosts are remembered than the limit; idle ones give way', async (t) => {
  const { pacing, clock } = pacingOf({ hostsMax: 2, hostIntervalMs: 10 })
  const { job, counts, letGo } = heldJobs()
  const done = async () => 'done'
  const held = pacing.run('a.example', job, never)
  await pacing.run('b.example', done, never)
  await until('so many jobs run', () => counts.running === 1)
  const early = await pacing.run('c.example', done, never)
  t.deepEqual(early, { type: 'postponed', retryAfterMs: 30_000 })
  clock.nowMs = 11
  t.deepEqual(await pacing.run('c.example', done, never), { type: 'ran', value: 'done' })
  letGo()
  t.deepEqual(await held, { type: 'ran', value: 1 })
  for (const host of ['x.example', 'y.example', 'z.example']) pacing.pauseHost(host, 1_000)
  clock.nowMs = 22
  t.is((await pacing.run('x.example', done, never)).type, 'ran')
  t.is((await pacing.run('z.example', done, never)).type, 'postponed')
})

test('a wait that is called off ends at once, and its job is not run', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 1, concurrencyMax: 1 })
  const { job, counts, letGo } = heldJobs()
  const first = pacing.run('a.example', job, never)
  await until('so many jobs run', () => counts.running === 1)
  const stop = new AbortController()
  const sameHost = pacing.run('a.example', job, stop.signal)
  const otherHost = pacing.run('b.example', job, stop.signal)
  stop.abort(new Error('enough'))
  await t.throwsAsync(sameHost, { message: 'enough' })
  await t.throwsAsync(otherHost, { message: 'enough' })
  await t.throwsAsync(pacing.run('a.example', job, stop.signal), { message: 'enough' })
  letGo()
  await first
  const last = pacing.run('b.example', job, never)
  await until('so many jobs run', () => counts.running === 1)
  letGo()
  t.deepEqual(await last, { type: 'ran', value: 2 })
})

test('a job that fails gives its place back', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 1, concurrencyMax: 1 })
  const fail = () => Promise.reject(new Error('a defect'))
  await t.throwsAsync(pacing.run('a.example', fail, never), { message: 'a defect' })
  t.is((await pacing.run('a.example', async () => 1, never)).type, 'ran')
  t.is((await pacing.run('b.example', async () => 1, never)).type, 'ran')
})

test('closing drops what waits', async (t) => {
  const { pacing } = pacingOf({ hostConcurrencyMax: 1 })
  const { job, counts, letGo } = heldJobs()
  const first = pacing.run('a.example', job, never)
  const second = pacing.run('a.example', job, never)
  await until('so many jobs run', () => counts.running === 1)
  pacing.close()
  t.is((await second).type, 'postponed')
  letGo()
  await first
  t.is(counts.done, 1)
})

test('closing drops what waits for a place among all hosts', async (t) => {
  const { pacing } = pacingOf({ concurrencyMax: 1 })
  const { job, counts, letGo } = heldJobs()
  const first = pacing.run('a.example', job, never)
  await until('so many jobs run', () => counts.running === 1)
  const second = pacing.run('b.example', job, never)
  pacing.close()
  t.is((await second).type, 'postponed')
  letGo()
  await first
  t.is(counts.done, 1)
  t.is((await pacing.run('c.example', job, never)).type, 'postponed', 'nothing is run any more')
})

test('fetches of one host keep its limit whatever address redirects to it', async (t) => {
  let running: ServerResponse[] = []
  let peak = 0
  // Each waits for a second one, and both for a third that must not come.
  const server = await serve(t, (_request, response) => {
    peak = Math.max(peak, running.push(response))
    if (running.length < 2) return
    setTimeout(() => {
      const answered = running
      running = []
      for (const each of answered) each.end('content')
    }, 5)
  })
  const first = await serve(
    t,
    (_request, response) => response.writeHead(302, { location: server.url }).end(),
    { host: '::1' },
  )
  const { pacing } = pacingOf({ hostConcurrencyMax: 2 })
  const fetcher = openFetcher(t, { pacing, allow: [server.hostPort, first.hostPort] })
  const urls = Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? server.url : first.url))
  const outcomes = await Promise.all(urls.map((url) => fetcher.fetchDigest(url, { signal: never })))
  t.true(outcomes.every(({ type }) => type === 'fetched'))
  t.is(peak, 2)
})

const nowMs = Date.parse('1994-11-06T08:49:00Z')

test('seconds and dates are read, dates that have passed as now', (t) => {
  t.is(parseRetryAfter('0', nowMs), 0)
  t.is(parseRetryAfter('120', nowMs), 120_000)
  t.is(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', nowMs), 37_000)
  t.is(parseRetryAfter('Sun, 06 Nov 1994 08:48:00 GMT', nowMs), 0)
})

test('what is neither is not read', (t) => {
  for (const value of [
    '',
    '-1',
    '1.5',
    '1e3',
    ' 7',
    '1'.repeat(20),
    'soon',
    'Sun Nov  6 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xyz 1994 08:49:37 GMT',
  ]) {
    t.is(parseRetryAfter(value, nowMs), undefined, value)
  }
})
