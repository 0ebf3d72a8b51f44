import test, { type ExecutionContext } from 'ava'
import { Worker } from 'node:worker_threads'

import { type TaskTime, watchTime } from '#actors/kernel/task_threads.ts'

const plenty: TaskTime = { cpuMsMax: 600_000, msMax: 600_000 }

function startThread(t: ExecutionContext, code: string): () => Worker {
  const worker = new Worker(code, { eval: true })
  t.teardown(() => worker.terminate())
  return () => worker
}

const busy = 'for (;;) {}'
const idle = 'setInterval(() => {}, 1_000)'

for (const [name, code, limit] of [
  ['CPU', busy, { cpuMsMax: 200 }],
  ['time', idle, { msMax: 200 }],
] as const) {
  test(`a task is told that takes too much ${name}`, async (t) => {
    const worker = startThread(t, code)
    await new Promise<void>((resolve) => {
      watchTime(worker, { ...plenty, ...limit }, resolve)
    })
    t.pass()
  })
}

test('a task that is over, an ended thread, and one that waits exceed nothing', async (t) => {
  let excesses = 0
  const count = () => (excesses += 1)
  const ended = startThread(t, '')
  await new Promise((resolve) => ended().once('exit', resolve))
  const stopEnded = watchTime(ended, { ...plenty, cpuMsMax: 1 }, count)
  const over = startThread(t, busy)
  watchTime(over, { ...plenty, cpuMsMax: 1 }, count)()
  const stopIdle = watchTime(startThread(t, idle), { ...plenty, cpuMsMax: 60_000 }, count)
  // By the time that another thread has used half a second, all were looked at.
  await new Promise<void>((resolve) => {
    watchTime(startThread(t, busy), { ...plenty, cpuMsMax: 500 }, resolve)
  })
  stopIdle()
  stopEnded()
  t.is(excesses, 0)
})
