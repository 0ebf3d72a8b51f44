import test from 'ava'
import type { Sequencer } from '#actors/journal/sequencer.ts'
import { gatedStore, logEntry, makeSequencer } from '#test/actors/journal/_sequencer.ts'
import { until } from '#test/_until.ts'
import { replaceCommit } from '#test/contracts/_commit_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const row = { type: 'put', key: 'cosigned', value: Uint8Array.of(123, 125) } as const

function keeping(sequencer: Sequencer): Promise<void> {
  return new Promise((resolve, reject) => {
    sequencer.receive({ type: 'keep', rows: [row], reply: { resolve, reject } })
  })
}

test('rows that follow from no event go with the next batch, and who waits is told', async (t) => {
  const { store, commits, release } = gatedStore()
  const { sequencer, propose } = makeSequencer({ store })
  const first = propose(logEntry('a'))
  await until('the first is being written', () => commits.length === 1)
  const kept = keeping(sequencer)
  const second = propose(logEntry('b'))
  release()
  await first
  await until('the next batch is being written', () => commits.length === 2)
  t.is(store.get(row.key), undefined)
  release()
  await Promise.all([kept, second])
  t.deepEqual(store.get(row.key), row.value)
  t.is(commits.length, 2)
})

test('rows alone are a batch too; without room they are refused', async (t) => {
  let hasRoom = true
  const store = openMemoryStore()
  const { sequencer, published } = makeSequencer({ store, hasRoom: () => hasRoom })
  await keeping(sequencer)
  t.deepEqual(store.get(row.key), row.value)
  t.deepEqual(published, [])
  hasRoom = false
  await t.throwsAsync(keeping(sequencer), { code: 'overloaded' })
})

test('rows of a batch of unknown outcome are not said to be kept', async (t) => {
  const store = replaceCommit(openMemoryStore(), () => Promise.reject(new Error('gone')))
  const { sequencer } = makeSequencer({ store })
  await t.throwsAsync(keeping(sequencer), {
    code: 'lost',
    message: 'the outcome of a write is unknown',
  })
  await t.throwsAsync(keeping(sequencer), { code: 'stopped', message: /^nothing is written after/ })
})

test('once it is stopped nothing more is written but the batch that is on its way', async (t) => {
  const { store, commits, release } = gatedStore()
  const { sequencer, propose, fatal, published } = makeSequencer({ store })
  const first = propose(logEntry('a'))
  await until('the first is being written', () => commits.length === 1)
  const second = propose(logEntry('b'))
  const kept = keeping(sequencer)
  const error = new Error('a witness has seen a longer history')
  sequencer.receive({ type: 'stop', error })
  sequencer.receive({ type: 'stop', error: new Error('and again') })
  t.deepEqual(fatal, [error])
  const expected = { code: 'stopped', message: error.message }
  await t.throwsAsync(propose(logEntry('c')), expected)
  release()
  t.is((await first).type, 'committed')
  await t.throwsAsync(second, expected)
  await t.throwsAsync(kept, expected)
  await sequencer.idle()
  t.is(commits.length, 1)
  t.is(published.length, 1)
})
