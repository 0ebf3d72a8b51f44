import test from 'ava'

import type { QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import { type LoopTurnLimits, LoopTurns } from '#src/edge/request_turns.ts'

type Task = {
  readonly name: string
  readonly caller: string
  /** Milliseconds that it takes of the loop. */
  readonly ms: number
  /** Whether it goes on after it was begun. */
  readonly goesOn: boolean
}

const limits: LoopTurnLimits = {
  sliceMs: 2,
  quantumMs: 1,
  underWayPerCallerMax: 2,
  underWayMs: 500,
  waitingMax: 100,
  waitingPerCallerMax: 60,
}

/** Turns on a clock and a loop that the test moves: `turn` is one turn of the loop. */
function openTurns(more: Partial<LoopTurnLimits> = {}) {
  let nowMs = 0
  let immediates: (() => void)[] = []
  const timers: { readonly atMs: number; readonly task: () => void }[] = []
  const done: string[] = []
  const refused: [string, QueueErrorCode][] = []
  const turns = new LoopTurns<Task>({
    limits: { ...limits, ...more },
    elapsedMs: () => nowMs,
    later: (task) => void immediates.push(task),
    after: (ms, task) => void timers.push({ atMs: nowMs + ms, task }),
    work: {
      callerOf: ({ caller }) => caller,
      isCounted: ({ name }) => !name.startsWith('write'),
      doAtOnce: ({ goesOn, ms, name }) => {
        if (goesOn) return false
        nowMs += ms
        done.push(name)
        return true
      },
      begin: ({ ms, name }) => {
        nowMs += ms
        done.push(name)
        return true
      },
      refuse: ({ name }, code) => void refused.push([name, code]),
    },
  })
  return {
    turns,
    done,
    refused,
    take(caller: string, name: string, ms = 0.1, goesOn = false): Task {
      const task = { caller, name, ms, goesOn }
      turns.take(task)
      return task
    },
    /** One turn of the event loop, with what of it is done without waiting. */
    async turn(): Promise<readonly string[]> {
      const before = done.length
      const due = immediates
      immediates = []
      for (const task of due) task()
      await new Promise((resolve) => setImmediate(resolve))
      return done.slice(before)
    },
    pass(ms: number): void {
      nowMs += ms
      for (const { atMs, task } of timers.splice(0)) {
        if (atMs <= nowMs) task()
        else timers.push({ atMs, task })
      }
    },
    isIdle: () => immediates.length === 0,
  }
}

test('where nothing waits, a task is done at once, and the loop is left alone', async (t) => {
  const { take, done, turn, isIdle, turns } = openTurns()
  take('a', 'first')
  take('b', 'second')
  t.deepEqual(done, ['first', 'second'])
  await turn()
  t.true(isIdle())
  t.deepEqual(turns.size, { waiting: 0, underWay: 0 })
})

test('one who has 50 tasks has one turn where another has one', async (t) => {
  const { take, turn } = openTurns()
  for (let nth = 0; nth < 50; nth += 1) take('many', `many ${nth}`, 1)
  take('one', 'one', 1)
  take('two', 'two', 1)
  // Two fitted into the slice in which they came.
  t.deepEqual(await turn(), ['many 2', 'one'])
  t.deepEqual(await turn(), ['two', 'many 3'])
})

test('a slice of time in each turn of the loop goes to tasks, and one task at least', async (t) => {
  const { take, turn } = openTurns()
  take('a', 'long', 50)
  for (let nth = 0; nth < 6; nth += 1) take('a', `${nth}`, 0.5)
  t.deepEqual(await turn(), ['0', '1', '2', '3'])
  take('a', 'longer', 50)
  t.deepEqual(await turn(), ['4', '5', 'longer'])
  t.deepEqual(await turn(), [])
})

test('who uses much of the loop passes as many turns', async (t) => {
  const { take, turn } = openTurns({ sliceMs: 20 })
  take('a', 'long before', 20)
  for (let nth = 0; nth < 3; nth += 1) take('long', `long ${nth}`, 4)
  for (let nth = 0; nth < 8; nth += 1) take('short', `short ${nth}`, 1)
  const order = [...(await turn()), ...(await turn())].map((name) => name.split(' ')[0])
  t.is(order.length, 11)
  t.deepEqual(order.slice(0, 2), ['long', 'short'])
  t.is(order.slice(0, 7).filter((name) => name === 'long').length, 2, order.join())
})

test('of one caller two tasks are under way, and others go past those that are held', async (t) => {
  const { take, turn, turns, done } = openTurns()
  const first = take('a', 'first', 0.1, true)
  take('a', 'second', 0.1, true)
  take('a', 'third', 0.1, true)
  take('a', 'write', 0.1, true)
  take('a', 'at once')
  take('b', 'of another', 0.1, true)
  t.deepEqual(done, ['first', 'second', 'write', 'at once', 'of another'])
  t.deepEqual(turns.size, { waiting: 1, underWay: 3 })
  turns.ended(first)
  turns.ended(first)
  t.deepEqual(await turn(), ['third'])
  t.deepEqual(turns.size, { waiting: 0, underWay: 3 })
})

test('what can be done at once passes what is held, which still has its time', async (t) => {
  const { take, turn, turns } = openTurns()
  const begun = ['first', 'second'].map((name) => take('a', name, 0.1, true))
  for (let nth = 0; nth < 4; nth += 1) take('a', `held ${nth}`, 1, true)
  take('a', 'long', 2)
  for (let nth = 0; nth < 4; nth += 1) take('a', `late ${nth}`, 1, true)
  for (let nth = 0; nth < 3; nth += 1) take('a', `at once ${nth}`, 0.5)
  for (const task of begun) turns.ended(task)
  t.deepEqual(await turn(), ['at once 0', 'at once 1', 'held 0'])
  t.deepEqual(await turn(), ['at once 2', 'held 1'])
  t.deepEqual(await turn(), [])
})

test('all that waits is looked at before a read of the same caller is begun', async (t) => {
  const { take, turn } = openTurns()
  take('a', 'long', 2)
  for (let nth = 0; nth < 2; nth += 1) take('a', `read ${nth}`, 0.5, true)
  take('a', 'write', 0.5, true)
  take('a', 'at once', 0.1)
  t.deepEqual(await turn(), ['write', 'at once', 'read 0', 'read 1'])
})

test('all that is held goes on, two at a time, though nothing more is asked for', async (t) => {
  const { take, turn, pass } = openTurns()
  for (let nth = 0; nth < 6; nth += 1) take('a', `task ${nth}`, 0, true)
  await turn()
  for (const next of [2, 4]) {
    pass(500)
    t.deepEqual(await turn(), [`task ${next}`, `task ${next + 1}`])
  }
})

test('tasks that only wait for others hold nobody up for ever', async (t) => {
  const { take, turn, pass } = openTurns()
  for (const name of ['first', 'second', 'third', 'fourth']) take('a', name, 0, true)
  await turn()
  pass(499)
  t.deepEqual(await turn(), [])
  pass(1)
  t.deepEqual(await turn(), ['third', 'fourth'])
  take('a', 'fifth', 0, true)
  pass(499)
  t.deepEqual(await turn(), [])
  pass(1)
  t.deepEqual(await turn(), ['fifth'])
})

test('while connections are lined up, tasks get a turn now and then', async (t) => {
  const { take, turn, turns, pass } = openTurns()
  for (let nth = 0; nth < 10; nth += 1) take('a', `${nth}`, 1)
  turns.hurry()
  t.deepEqual(await turn(), [])
  pass(2)
  turns.hurry()
  t.deepEqual(await turn(), ['2'])
  turns.hurry()
  t.deepEqual(await turn(), [])
  t.deepEqual(await turn(), ['3', '4'])
})

test('what waits is bounded, of one caller and of all', (t) => {
  const { take, refused, turns } = openTurns({ waitingMax: 5, waitingPerCallerMax: 3 })
  take('a', 'long', 10)
  for (let nth = 0; nth < 4; nth += 1) take('a', `a${nth}`)
  for (let nth = 0; nth < 3; nth += 1) take('b', `b${nth}`)
  t.deepEqual(refused, [
    ['a3', 'queue_full_for_caller'],
    ['b2', 'queue_full'],
  ])
  t.is(turns.size.waiting, 5)
})
