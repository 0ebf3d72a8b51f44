import test from 'ava'
import { dayRowPrefixes } from '#actors/registry/views.ts'
import { RowSweeper } from '#actors/journal/row_sweeper.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { encodeRow } from '#actors/journal/rows.ts'
import { close, createSystem, spawn, stopSystem } from '#actors/kernel/kernel.ts'
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
        if (message.type === 'forget') forgotten.push(...message.keys)
      },
    }),
    { name: 'sequencer', mailboxMax: 10 },
  )
  const prefixes = dayRowPrefixes
  const options = { store, prefixes, sequencer, nowMs: () => nowMs, report: t.log }
  const sweeper = new RowSweeper(options)
  await sweeper.sweep()
  await sweeper.close()
  await close(sequencer)
  await stopSystem(system)
  t.deepEqual(forgotten.sort(), ['idempotency/organization/demo/old', 'recent/0a'])
})
