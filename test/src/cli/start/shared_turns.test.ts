import test from 'ava'
import type { ExecutionContext } from 'ava'

import { QueueError } from '#actors/kernel/fair_queue.ts'
import { createTurnQueues, type TurnQueues } from '#src/edge/turns.ts'
import { offerTurns, remoteTurnQueues } from '#src/cli/start/thread_services.ts'
import { until } from '#test/_until.ts'
import { connect } from '#test/actors/kernel/_connected.ts'

/** Tasks of each kind that run at a time. */
const runningMax = 3

function join(t: ExecutionContext, queues: TurnQueues) {
  const { toJoined, toOwner } = connect(t)
  offerTurns(toJoined, queues)
  return { queues: remoteTurnQueues(toOwner), end: () => toJoined.close() }
}

/** A task that runs until it is ended. */
function heldTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let hasBegun = false
  const task = () => {
    hasBegun = true
    return promise
  }
  return { task, end: resolve, hasBegun: () => hasBegun }
}

for (const kind of ['heavy', 'longBodies'] as const) {
  test(`threads take turns as one: ${kind}`, async (t) => {
    const owned = createTurnQueues()
    const [one, other] = [join(t, owned), join(t, owned)]
    const tasks = Array.from({ length: runningMax + 2 }, heldTask)
    const runs = tasks.map(({ task }, index) => {
      const { queues } = index % 2 === 0 ? one : other
      return queues[kind].run(`caller ${index}`, task)
    })
    const begun = () => tasks.filter(({ hasBegun }) => hasBegun()).length
    await until('as many have begun as may', () => begun() === runningMax)
    const own = heldTask()
    const ownRun = owned[kind].run('own caller', own.task)
    t.false(own.hasBegun())
    for (const { end } of tasks.slice(0, runningMax)) end()
    await until('the next have begun', () => begun() === tasks.length && own.hasBegun())
    for (const { end } of [...tasks, own]) end()
    await Promise.all([...runs, ownRun])
  })
}

test('what a thread had ends with it, and what it waited for', async (t) => {
  const owned = createTurnQueues()
  const [one, other] = [join(t, owned), join(t, owned)]
  const held = Array.from({ length: runningMax + 1 }, heldTask)
  const runs = held.map(({ task }, index) => one.queues.heavy.run(`caller ${index}`, task))
  const begun = () => held.filter(({ hasBegun }) => hasBegun()).length
  await until('as many have begun as may', () => begun() === runningMax)
  const next = heldTask()
  const nextRun = other.queues.heavy.run('next', next.task)
  one.end()
  await until('another thread has its turn', next.hasBegun)
  next.end()
  await nextRun
  const waited = runs.at(-1)
  if (waited === undefined) throw new Error('one more was asked for than may run')
  await t.throwsAsync(waited, { code: 'lost' })
  for (const { end } of held) end()
  await Promise.all(runs.slice(0, runningMax))
})

test('who leaves before its turn has none, and keeps nobody waiting', async (t) => {
  const owned = createTurnQueues()
  const { queues } = join(t, owned)
  const held = Array.from({ length: 2 }, heldTask)
  const runs = held.map(({ task }) => queues.heavy.run('caller', task))
  await until('both have begun', () => held.every(({ hasBegun }) => hasBegun()))
  const leaving = new AbortController()
  const left = heldTask()
  const leftRun = queues.heavy.run('caller', left.task, leaving.signal)
  leaving.abort()
  await t.throwsAsync(leftRun, { instanceOf: QueueError, message: /left/ })
  for (const { end } of held) end()
  await Promise.all(runs)
  t.false(left.hasBegun())
  await queues.heavy.run('caller', async () => undefined)
})
