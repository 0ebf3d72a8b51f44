import test, { type ExecutionContext } from 'ava'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

import { FetchThread } from '#src/delivery/fetch/fetch_thread.ts'
import { until } from '#test/_until.ts'
import { opened, serveEndless, settingsOf, testFetcher } from '#test/contracts/fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

testFetcher(test, (t, settings) => new FetchThread(settings, (fault) => t.fail(fault.message)))

const died = 'the thread that fetches has died and is started again'

/** A thread that may die, and what it said of that. */
function mortal(t: ExecutionContext, ...[servers, changes]: Parameters<typeof settingsOf>) {
  const faults: Error[] = []
  const thread = new FetchThread(settingsOf(servers, changes), (fault) => faults.push(fault))
  return { ...opened(t, thread), faults }
}

/** The next thread that this process starts. */
async function nextWorker(): Promise<Worker> {
  const [worker] = (await once(process, 'worker')) as [Worker]
  return worker
}

test.serial('a thread that dies is started again, and what it did is interrupted', async (t) => {
  const endless = await serveEndless(t)
  const server = await serve(t, (_request, response) => response.end('content'))
  const started = nextWorker()
  const { call, faults } = mortal(t, [endless, server])
  const fetches = [call(endless.url), call(endless.url, { fresh: true })]
  await until('both requests are there', () => endless.seen.length === 2)
  const worker = await started
  await worker.terminate()
  for (const outcome of await Promise.all(fetches)) t.deepEqual(outcome, { type: 'interrupted' })
  t.deepEqual(
    faults.map(({ message, cause }) => [message, cause]),
    [[died, 'it ended with code 1']],
  )
  const [again, restarted] = await Promise.all([call(server.url), nextWorker()])
  t.is(again.type, 'fetched')
  t.not(restarted, worker)
  t.is(faults.length, 1)
})

test.serial('a thread that cannot start says why, and loses no fetch', async (t) => {
  const { call, faults } = mortal(t, [], { ownUrl: 'no address' })
  t.deepEqual(await call('https://example.org/'), { type: 'interrupted' })
  t.is(faults[0]?.message, died)
  t.regex(String(faults[0]?.cause), /Invalid URL/)
})

test.serial('a thread that waits to be started again can be closed', async (t) => {
  const { call, fetcher } = mortal(t, [], { ownUrl: 'no address' })
  t.deepEqual(await call('https://example.org/'), { type: 'interrupted' })
  const waiting = call('https://example.org/')
  await setImmediate()
  await fetcher.close()
  t.deepEqual(await waiting, { type: 'aborted' })
})

test('many fetches go over together and each has its own outcome', async (t) => {
  const server = await serve(t, ({ url }, response) => response.end(url))
  const { call } = opened(t, new FetchThread(settingsOf([server]), () => t.fail()))
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, nth) => call(`${server.url}/${'x'.repeat(nth)}`)),
  )
  for (const [nth, outcome] of outcomes.entries()) {
    t.like(outcome, { type: 'fetched', bytes: nth + 1 })
  }
})
