import test from 'ava'
import fc from 'fast-check'

import { FairQueue, type FairQueueLimits, QueueError } from '#actors/kernel/fair_queue.ts'

const limits: FairQueueLimits = {
  runningMax: 1,
  runningPerCallerMax: 1,
  waitingMax: 100,
  waitingPerCallerMax: 100,
}

/** Lets everything go on that waits for nothing but its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('callers take turns, however many tasks one has', async (t) => {
  const queue = new FairQueue(limits)
  const begun: string[] = []
  const tasks = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((caller) =>
    queue.run(caller, async () => {
      begun.push(caller)
      await settle()
    }),
  )
  await Promise.all(tasks)
  t.deepEqual(begun, ['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('tasks of one caller never take all places', async (t) => {
  const queue = new FairQueue({ ...limits, runningMax: 3, runningPerCallerMax: 2 })
  const gate = Promise.withResolvers<void>()
  const greedy = [1, 2, 3, 4].map(() => queue.run('greedy', () => gate.promise))
  t.deepEqual(queue.size, { running: 2, waiting: 2 })
  t.is(await queue.run('other', async () => 'at once'), 'at once')
  gate.resolve()
  await Promise.all(greedy)
  t.deepEqual(queue.size, { running: 0, waiting: 0 })
})

test('a caller, and all together, wait with no more tasks than they may', async (t) => {
  const queue = new FairQueue({ ...limits, waitingMax: 3, waitingPerCallerMax: 2 })
  const gate = Promise.withResolvers<void>()
  const run = (caller: string) => queue.run(caller, () => gate.promise)
  const taken = [run('a'), run('a'), run('a')]
  const own = await t.throwsAsync(run('a'), { instanceOf: QueueError })
  t.is(own.code, 'queue_full_for_caller')
  t.is(own.message, 'too many tasks of this caller are waiting')
  taken.push(run('b'))
  const all = await t.throwsAsync(run('c'), { instanceOf: QueueError })
  t.is(all.code, 'queue_full')
  gate.resolve()
  await Promise.all(taken)
})

test('a task that waits leaves with its caller; one that runs goes on', async (t) => {
  const queue = new FairQueue(limits)
  const gate = Promise.withResolvers<string>()
  const controller = new AbortController()
  const running = queue.run('a', () => gate.promise, controller.signal)
  const waiting = queue.run('a', async () => t.fail(), controller.signal)
  controller.abort()
  const left = await t.throwsAsync(waiting, { instanceOf: QueueError })
  t.is(left.code, 'queue_left')
  const late = queue.run('a', async () => t.fail(), controller.signal)
  await t.throwsAsync(late, { instanceOf: QueueError })
  gate.resolve('done')
  t.is(await running, 'done')
  t.is(await queue.run('a', async () => 'next'), 'next')
})

test('a task that fails makes room', async (t) => {
  const queue = new FairQueue(limits)
  const failing = queue.run('a', () => Promise.reject(new Error('its own fault')))
  const next = queue.run('b', async () => 'next')
  await t.throwsAsync(failing, { message: 'its own fault' })
  t.is(await next, 'next')
})

test('no limit is ever passed, and every task ends', async (t) => {
  const callers = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 })
  const bounds = fc.record({
    runningMax: fc.integer({ min: 1, max: 4 }),
    runningPerCallerMax: fc.integer({ min: 1, max: 4 }),
    waitingMax: fc.integer({ min: 0, max: 30 }),
    waitingPerCallerMax: fc.integer({ min: 0, max: 10 }),
  })
  await fc.assert(
    fc.asyncProperty(callers, bounds, fc.infiniteStream(fc.nat(3)), async (names, max, turns) => {
      const queue = new FairQueue(max)
      const running = new Map<string, number>()
      const outcomes = names.map((caller) =>
        queue.run(caller, async () => {
          running.set(caller, (running.get(caller) ?? 0) + 1)
          t.true((running.get(caller) ?? 0) <= max.runningPerCallerMax)
          t.true(queue.size.running <= max.runningMax && queue.size.waiting <= max.waitingMax)
          for (let turn = turns.next().value ?? 0; turn > 0; turn -= 1) await settle()
          running.set(caller, (running.get(caller) ?? 0) - 1)
        }),
      )
      const settled = await Promise.allSettled(outcomes)
      t.deepEqual(queue.size, { running: 0, waiting: 0 })
      const refused = settled.filter(({ status }) => status === 'rejected').length
      const begunAtOnce = Math.min(max.runningMax, max.runningPerCallerMax)
      t.true(refused <= Math.max(0, names.length - begunAtOnce))
    }),
    { numRuns: 50 },
  )
})
