import test, { type ExecutionContext } from 'ava'

import { batchWorksMax, type UsageBatch } from '#src/operations/usage/usage_batch.ts'
import { UsageGathering } from '#src/operations/usage/usage.ts'
import { until } from '#test/_until.ts'

const day = 20_000

function gathering(t: ExecutionContext) {
  const sent: UsageBatch[] = []
  const gathered = new UsageGathering({ gatherMs: 60_000, send: (batch) => sent.push(batch) })
  t.teardown(() => gathered.close())
  const use = (ark: string, on = day) => {
    const work = { day: on, environment: 'live', ark, organization: 'press' } as const
    gathered.add(work, [1, 0, 0, 0])
  }
  const uses = () =>
    sent.flatMap(({ works }) => works).reduce((sum, [, , , [count = 0]]) => sum + count, 0)
  return { gathered, sent, use, uses }
}

test('a work that is used again is told once, and another day is told apart', (t) => {
  const { gathered, sent, use } = gathering(t)
  for (let count = 0; count < 100; count += 1) use('1/a')
  use('1/a', day + 1)
  gathered.flush()
  t.deepEqual(sent, [
    { day, works: [['live', '1/a', 'press', [100, 0, 0, 0]]] },
    { day: day + 1, works: [['live', '1/a', 'press', [1, 0, 0, 0]]] },
  ])
})

test('more than a batch is not sent at once because somebody asks, but when it ends', (t) => {
  const { gathered, sent, use, uses } = gathering(t)
  for (let count = 0; count < batchWorksMax + 1; count += 1) use(`1/w${count}`)
  gathered.flush()
  t.is(sent.length, 0)
  gathered.close()
  t.deepEqual(
    sent.map(({ works }) => works.length),
    [batchWorksMax, 1],
  )
  t.is(uses(), batchWorksMax + 1)
})

test('what is gathered is bounded, in works and in bytes, and sent in batches', async (t) => {
  const { sent, use, uses } = gathering(t)
  // Without a turn of the event loop: only what is sent while they are added makes room.
  const works = 60_000
  for (let count = 0; count < works; count += 1) use(`1/w${count}`)
  const atOnce = uses()
  t.true(works - atOnce <= 40_000, `${works - atOnce} works wait`)
  t.true(sent.every(({ works: of }) => of.length <= batchWorksMax))
  await until('the rest is sent', () => uses() === works)
  const long = gathering(t)
  for (let count = 0; count < 6_000; count += 1) long.use(`1/${count}${'x'.repeat(2_000)}`)
  t.true((6_000 - long.uses()) * 2_000 <= 9 * 1_048_576)
  t.true(long.sent.every(({ works: of }) => of.length < 100))
})

test('a batch of another thread is added as it is', (t) => {
  const { gathered, sent, use } = gathering(t)
  use('1/a')
  gathered.addBatch({ day, works: [['live', '1/a', null, [1, 2, 0, 0]]] })
  gathered.flush()
  t.deepEqual(sent[0]?.works, [['live', '1/a', 'press', [2, 2, 0, 0]]])
})
