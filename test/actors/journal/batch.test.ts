import test from 'ava'
import fc from 'fast-check'

import { messageDigest } from '#actors/journal/shared_stream.ts'
import {
  decodeBatch,
  encodeBatch,
  type JournalBatch,
  JournalError,
} from '#actors/journal/journal.ts'
import type { Operation } from '#log/store/store.ts'
import { demo } from '#test/actors/_environment.ts'

const event = fc.record({
  type: fc.string(),
  schema: fc.constant(1),
  by: fc.constant(demo),
  data: fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat())),
})

const proposal = fc.record({
  stream: fc.string(),
  expectedSeq: fc.nat(),
  at: fc.constant('2026-11-21T00:00:00.000Z'),
  events: fc.array(event, { maxLength: 3 }),
  entries: fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 }),
})

const put = fc.record({
  type: fc.constant('put' as const),
  key: fc.string(),
  value: fc.uint8Array({ maxLength: 30 }),
})
const del = fc.record({ type: fc.constant('del' as const), key: fc.string() })

const batch: fc.Arbitrary<JournalBatch> = fc.record({
  position: fc.nat(),
  proposals: fc.array(proposal, { maxLength: 4 }),
  maintenance: fc.array(fc.oneof(put, del), { maxLength: 3 }),
  treeSize: fc.nat(),
  rootHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
})

test('a batch is what it was after it was sent, byte for byte', (t) => {
  fc.assert(
    fc.property(batch, fc.string(), fc.string(), (sent, log, previous) => {
      const message = encodeBatch({ batch: sent, log, previous })
      const read = decodeBatch(message)
      const again = encodeBatch(read)
      t.deepEqual(again, message)
      t.is(messageDigest(again), messageDigest(message))
      t.deepEqual(
        read.batch.proposals.map(({ entries }) => entries.map((entry) => [...entry])),
        sent.proposals.map(({ entries }) => entries.map((entry) => [...entry])),
      )
      t.deepEqual(
        [
          read.log,
          read.previous,
          read.batch.position,
          read.batch.treeSize,
          read.batch.maintenance.map(plain),
        ],
        [log, previous, sent.position, sent.treeSize, sent.maintenance.map(plain)],
      )
    }),
  )
})

test('a message that is cut, longer, of another format or none at all is malformed', (t) => {
  const log = 'registry.example/log+00000000+AQ=='
  const entries = [Buffer.from('entry')]
  const at = '2026-11-21T00:00:00.000Z'
  const proposals = [{ stream: 'work/a', expectedSeq: 0, at, events: [], entries }]
  const one = { position: 0, proposals, maintenance: [], treeSize: 1, rootHash: Buffer.alloc(32) }
  const message = encodeBatch({ batch: one, log, previous: '' })
  const other = Buffer.from(message)
  other.write('9', message.indexOf('"format":1') + '"format":'.length)
  const broken = [
    ...Array.from({ length: message.length }, (_, length) => message.subarray(0, length)),
    Buffer.concat([message, Buffer.of(0)]),
    other,
    Buffer.alloc(64, 0xff),
  ]
  for (const bytes of broken) {
    t.throws(() => decodeBatch(bytes), { instanceOf: JournalError, code: 'malformed_batch' })
  }
})

/** A row in a form in which it can be compared. */
function plain(operation: Operation) {
  return operation.type === 'put' ? { ...operation, value: [...operation.value] } : operation
}
