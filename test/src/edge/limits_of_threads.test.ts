import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { createLimitMemory } from '#src/edge/limits/limits.ts'
import type { LimitedThreadData } from '#test/src/edge/_limited_thread.ts'

async function startThread(t: ExecutionContext, data: LimitedThreadData): Promise<Worker> {
  const worker = new Worker(new URL('./_limited_thread.ts', import.meta.url), { workerData: data })
  t.teardown(() => worker.terminate())
  await once(worker, 'message')
  return worker
}

test('a limit of ten lets ten through of what servers on three threads are asked', async (t) => {
  const limits = loadConfig(
    {},
    JSON.stringify({ LIMIT_PUBLIC_READ: 10, LIMIT_SIGN_IN_ACCOUNT: 10 }),
  )
  const data = { limits, limitMemory: createLimitMemory(limits) }
  const workers = await Promise.all([1, 2, 3].map(() => startThread(t, data)))
  for (const url of ['/read', '/form']) {
    const told = workers.map((worker) => once(worker, 'message') as Promise<[number[]]>)
    for (const worker of workers) worker.postMessage({ url, calls: 8 })
    const statuses = (await Promise.all(told)).flatMap(([each]) => each)
    t.is(statuses.filter((status) => status === 200).length, 10, url)
    t.is(statuses.filter((status) => status === 429).length, 14, url)
  }
})

test('there is memory for the limits that are on, and for no others', (t) => {
  const on = createLimitMemory(loadConfig({}, JSON.stringify({ LIMIT_TOKEN: 'off' })))
  t.false('token' in on.windows)
  t.true('oauth' in on.windows)
  const off = createLimitMemory(loadConfig({ RATE_LIMITS: 'off' }))
  t.deepEqual(Object.keys(off.windows), ['notices'])
})
