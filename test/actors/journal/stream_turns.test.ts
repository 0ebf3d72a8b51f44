import test from 'ava'

import { StreamTurns, type StreamTurnsOptions } from '#actors/journal/proposing.ts'

/** Turns on a clock that stands, until it is put forward. */
function makeTurns(changes: Partial<StreamTurnsOptions> = {}) {
  const clock = { nowMs: 0 }
  const turns = new StreamTurns({
    turnMsMax: 1_000_000,
    quietMs: 1_000,
    streamsMax: 2,
    elapsedMs: () => clock.nowMs,
    ...changes,
  })
  return { turns, clock }
}

test('whoever asks first has the turn, and the others one after the other', async (t) => {
  const { turns } = makeTurns()
  const order: string[] = []
  const taking = ['a', 'b', 'c'].map(async (name) => {
    const turn = await turns.take('work/1')
    order.push(name)
    return turn
  })
  const first = (await taking[0]) ?? 0
  turns.end('work/2', await turns.take('work/2'))
  t.deepEqual(order, ['a'], 'another stream has turns of its own')
  turns.end('work/1', first)
  const second = (await taking[1]) ?? 0
  turns.end('work/1', first)
  await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(order, ['a', 'b'], 'a turn is ended once')
  turns.end('work/1', second)
  turns.end('work/1', (await taking[2]) ?? 0)
  t.deepEqual(order, ['a', 'b', 'c'])
})

test('a turn that nobody ends is over after its time', async (t) => {
  const { turns } = makeTurns({ turnMsMax: 5 })
  const lost = await turns.take('work/1')
  const next = await turns.take('work/1')
  t.not(next, lost)
})

test('a stream is contended until it was quiet for a while', async (t) => {
  const { turns, clock } = makeTurns()
  t.false(turns.isContended('work/1'))
  turns.note('work/1')
  t.true(turns.isContended('work/1'))
  const turn = await turns.take('work/1')
  clock.nowMs = 5_000
  t.true(turns.isContended('work/1'), 'its turn is held')
  turns.end('work/1', turn)
  clock.nowMs = 5_999
  t.true(turns.isContended('work/1'))
  clock.nowMs = 6_000
  t.false(turns.isContended('work/1'))
})

test('so many streams are remembered, and others are changed without turns', async (t) => {
  const { turns, clock } = makeTurns()
  for (const stream of ['work/1', 'work/2', 'work/3']) turns.note(stream)
  t.false(turns.isContended('work/3'))
  const free = await Promise.all([turns.take('work/3'), turns.take('work/3')])
  t.is(free[0], free[1])
  clock.nowMs = 1_000
  turns.note('work/3')
  t.true(turns.isContended('work/3'), 'the others were quiet for long enough')
})
