import test from 'ava'
import { encodeEvent, eventKey } from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { metadataAt } from '#actors/works/events.ts'
import { demo, metadataOf } from '#test/actors/_environment.ts'

function registered(metadata: object | null): Uint8Array {
  const data = { identifier: 'ark:/99999/x1', metadata }
  const place = { position: 3, stream: 'work/99999/x1', seq: 1, previous: -1, leafIndex: 0 }
  const event = { type: 'WorkRegistered', schema: 1, by: demo, data, ...place }
  const at = '2026-11-21T00:00:00.000Z'
  return encodeEvent({ ...event, at, entryCount: 1 } satisfies JournalEvent)
}

test('metadata are read from the event that they came with', (t) => {
  const row = registered(metadataOf('On Engines'))
  const read = (key: string) => (key === eventKey(3) ? row : undefined)
  t.deepEqual(metadataAt(3, read), metadataOf('On Engines'))
})

test('metadata that were erased are undefined', (t) => {
  t.is(
    metadataAt(3, () => registered(null)),
    undefined,
  )
})

test('a journal without the event is corrupt, and no defect of ours', (t) => {
  const message = 'the event at position 3 is missing; restore the store from a copy and run audit'
  t.like(
    t.throws(() => metadataAt(3, () => undefined)),
    { code: 'store_corrupt', message },
  )
})
