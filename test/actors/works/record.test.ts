import test from 'ava'

import { decodeRow, type StreamRow } from '#actors/journal/rows.ts'
import { rebuildViews } from '#actors/registry/views.ts'
import { readWork } from '#actors/works/record.ts'
import { workStream } from '#actors/works/events.ts'
import { arkOf, demo, makeRegistry, metadataOf, register } from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'

test('the state of a work that was left alone is read from its registration', async (t) => {
  const registry = await makeRegistry(t)
  const environment = await registry.open()
  t.teardown(() => environment.close())
  const store = openMemoryStore(registry.disk)
  const read = (key: string) => store.get(key)
  const rowOf = (ark: string) => decodeRow<StreamRow>(read(workStream(ark)))
  const answer = await register(environment, 'One')
  const ark = arkOf(answer)
  t.deepEqual(rowOf(ark), { seq: 1, newest: 0 } as StreamRow)
  const stored = readWork(ark, read)
  t.like(stored?.state, {
    ark,
    identifier: answer.ark_identifier,
    receipt_id: answer.receipt_id,
    metadata_hash: answer.metadata_hash,
    owner: { type: demo.type, id: demo.id },
    created_at: answer.created_at,
    seq: 1,
    version: 1,
    position: 0,
    leafIndex: 0,
  })
  await environment.works.update({ ark, patch: metadataOf('Two'), by: demo })
  const changed = rowOf(ark)
  t.like(changed, { seq: 2, newest: 1, state: { ark, version: 2, position: 1 } })
  t.deepEqual(readWork(ark, read), { state: changed?.state as never, newest: 1 })
  const other = arkOf(await register(environment, 'Three'))
  const rows = [rowOf(ark), rowOf(other)]
  await rebuildViews(store, environment.records.events)
  t.deepEqual([rowOf(ark), rowOf(other)], rows)
})
