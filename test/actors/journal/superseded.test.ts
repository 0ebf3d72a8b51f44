import { setImmediate as nextTurn } from 'node:timers/promises'

import test from 'ava'
import type { Appended } from '#actors/journal/shared_stream.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { until } from '#test/_until.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { gatedStore, logEntry, makeSequencer } from '#test/actors/journal/_sequencer.ts'

test('a sequencer that another one has superseded takes nothing any more', async (t) => {
  const store = openMemoryStore()
  const { propose, sequencer, fatal, superseded, published } = makeSequencer({
    store,
    journal: { append: async () => 'fenced' },
  })
  const stopped = { instanceOf: ActorError, code: 'stopped', message: /another sequencer/ }
  const both = [propose(logEntry('a')), propose(logEntry('b'))]
  for (const proposed of both) await t.throwsAsync(proposed, stopped)
  await sequencer.idle()
  await t.throwsAsync(propose(logEntry('c')), stopped)
  t.deepEqual([superseded(), fatal.length, published.length], [1, 0, 0])
})

test('whoever waits for a batch of which nothing is known is told so', async (t) => {
  const store = openMemoryStore()
  const answer = Promise.withResolvers<Appended>()
  const { propose, sequencer, superseded, fatal } = makeSequencer({
    store,
    journal: { append: () => answer.promise },
  })
  const first = propose(logEntry('first'))
  await until('the first is under way', () => sequencer.pooled === 1)
  await nextTurn()
  const second = propose(logEntry('second'))
  answer.resolve('undecided')
  await t.throwsAsync(first, { instanceOf: ActorError, code: 'lost' })
  await t.throwsAsync(second, { instanceOf: ActorError, code: 'stopped' })
  t.deepEqual([superseded(), fatal.length], [1, 0])
})

test('a sequencer that was stopped ends what it was given, and refuses what comes', async (t) => {
  const { store, commits, release } = gatedStore()
  const { propose, sequencer, published } = makeSequencer({ store })
  const first = propose(logEntry('first'))
  await until('the first is being written', () => commits.length === 1)
  const second = propose(logEntry('second'))
  sequencer.stop(new ActorError('stopped', 'another one is to lead'))
  await t.throwsAsync(propose(logEntry('third')), {
    instanceOf: ActorError,
    code: 'stopped',
    message: 'another one is to lead',
  })
  release()
  t.is((await first).type, 'committed')
  await until('the second is being written', () => commits.length === 2)
  release()
  t.is((await second).type, 'committed')
  await sequencer.idle()
  t.is(published.at(-1)?.log.treeSize, 2)
})
