import test from 'ava'
import { dayRowPrefixes } from '#actors/registry/views.ts'
import { RowSweeper } from '#actors/journal/row_sweeper.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { encodeRow } from '#actors/journal/rows.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import {
  close,
  createSystem,
  referTo,
  type Reply,
  spawn,
  stopSystem,
} from '#actors/kernel/kernel.ts'
import { untilGiven } from '#test/_until.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')

test('rows that were kept for a day are forgotten, and no others', async (t) => {
  const store = openMemoryStore()
  const rows = {
    'idempotency/organization/demo/old': '2026-11-21T11:00:00.000Z',
    'idempotency/organization/demo/new': '2026-11-21T13:00:00.000Z',
    'recent/0a': '2026-11-20T00:00:00.000Z',
    // Of a proposal that was made half a minute ago, a day is not over.
    'recent/0b': '2026-11-21T11:59:45.000Z',
    'recent/0c': '2026-11-22T12:00:00.000Z',
    'receipt/old': '2026-01-01T00:00:00.000Z',
  }
  await store.commit(
    Object.entries(rows).map(([key, at]) => ({ type: 'put', key, value: encodeRow({ at }) })),
  )
  const forgotten: string[] = []
  const system = createSystem('sweeping', { report: (report) => t.log(report) })
  const sequencer = spawn<SequencerMessage>(
    system,
    () => ({
      receive(message) {
        if (message.type !== 'keep') return
        forgotten.push(...message.rows.map(({ key }) => key))
        message.reply.resolve()
      },
    }),
    { name: 'sequencer', mailboxMax: 10 },
  )
  const prefixes = dayRowPrefixes
  const options = {
    store,
    prefixes,
    sequencer,
    askTimeoutMs: 60_000,
    nowMs: () => nowMs,
    report: t.log,
  }
  const sweeper = new RowSweeper(options)
  await sweeper.sweep()
  await sweeper.close()
  await close(sequencer)
  await stopSystem(system)
  t.deepEqual(forgotten.sort(), ['idempotency/organization/demo/old', 'recent/0a'])
})

test('however many rows are old, some at a time wait to be deleted', async (t) => {
  const store = openMemoryStore()
  const value = encodeRow({ at: '2026-11-20T00:00:00.000Z' })
  const keys = Array.from(
    { length: 2_500 },
    (_, index) => `recent/${String(index).padStart(4, '0')}`,
  )
  await store.commit(keys.map((key) => ({ type: 'put', key, value })))
  const asked: { readonly count: number; readonly reply: Reply<void> }[] = []
  const sequencer = referTo<SequencerMessage>('sequencer', (message) => {
    if (message.type === 'keep') asked.push({ count: message.rows.length, reply: message.reply })
    return true
  })
  const options = { store, prefixes: ['recent/'], sequencer, askTimeoutMs: 60_000 }
  const sweeper = new RowSweeper({ ...options, nowMs: () => nowMs, report: t.log })
  const sweep = async (answers: readonly ((reply: Reply<void>) => void)[]) => {
    const swept = sweeper.sweep()
    for (const answer of answers) {
      const next = await untilGiven('rows are to be deleted', async () => asked[0])
      for (let turn = 0; turn < 100; turn += 1)
        await new Promise((resolve) => setImmediate(resolve))
      t.is(asked.length, 1)
      asked.length = 0
      t.true(next.count <= 1_000)
      answer(next.reply)
    }
    await swept
    t.is(asked.length, 0)
  }
  const deleted = (reply: Reply<void>) => reply.resolve()
  await sweep([deleted, deleted, deleted])
  const full = (reply: Reply<void>) => reply.reject(new ActorError('overloaded', 'no room'))
  await sweep([deleted, full])
  await sweeper.close()
})
