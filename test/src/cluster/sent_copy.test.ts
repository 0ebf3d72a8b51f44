import { randomBytes } from 'node:crypto'
import test from 'ava'

import { encodeIndex, openChunk, tagOf } from '#src/cluster/join_keys.ts'
import { SentCopy, type SentOutcome } from '#src/cluster/invitations.ts'
import { until } from '#test/_until.ts'

const keys = { seal: randomBytes(32), ask: randomBytes(32) }
const chunkBytes = 256 * 1_024

function tagged(index: number): Uint8Array {
  return tagOf(keys.ask, [encodeIndex(index)])
}

function sending(chunks: number, withinMs = 60_000) {
  const bytes = randomBytes(chunks * chunkBytes)
  const source = { read: 0, isEnded: false }
  const outcomes: SentOutcome['type'][] = []
  const read = async function* () {
    try {
      for (let at = 0; at < bytes.length; at += chunkBytes / 2) {
        source.read += 1
        yield bytes.subarray(at, at + chunkBytes / 2)
      }
    } finally {
      source.isEnded = true
    }
  }
  const ended = ({ type }: SentOutcome) => outcomes.push(type)
  return { bytes, source, outcomes, copy: new SentCopy({ keys, pieces: read(), withinMs, ended }) }
}

test('a chunk that is asked for again is the same; one of long ago is gone', async (t) => {
  const { bytes, copy, outcomes } = sending(40)
  const first = await copy.chunk(0, tagged(0))
  t.is(await copy.chunk(0, tagged(0)), first)
  const parts: Buffer[] = []
  for (let index = 0; index < 40; index += 1) {
    const sealed = (await copy.chunk(index, tagged(index))) ?? Buffer.alloc(0)
    const opened = openChunk(keys.seal, index, sealed)
    t.is(opened?.isLast, index === 39)
    parts.push(opened?.bytes ?? Buffer.alloc(0))
  }
  t.is(Buffer.compare(Buffer.concat(parts), bytes), 0)
  t.deepEqual(outcomes, ['sent'])
  t.truthy(await copy.chunk(39, tagged(39)))
  t.is(await copy.chunk(40, tagged(40)), undefined)
  t.is(await copy.chunk(0, tagged(0)), undefined)
})

test('a chunk is asked for by who has the key, and not far ahead', async (t) => {
  const { copy, source } = sending(40)
  t.is(await copy.chunk(0, randomBytes(32)), undefined)
  t.is(await copy.chunk(0, tagged(1)), undefined)
  t.is(await copy.chunk(30, tagged(30)), undefined)
  t.is(source.read, 0)
  const [second, first] = await Promise.all([copy.chunk(1, tagged(1)), copy.chunk(0, tagged(0))])
  t.is(openChunk(keys.seal, 1, second ?? Buffer.alloc(0))?.bytes.length, chunkBytes)
  t.is(openChunk(keys.seal, 0, first ?? Buffer.alloc(0))?.bytes.length, chunkBytes)
})

test('a copy that takes too long is given up, and its source ended', async (t) => {
  const { copy, source, outcomes } = sending(40, 1)
  await copy.chunk(0, tagged(0))
  await until('it is given up', () => source.isEnded)
  t.deepEqual(outcomes, ['given_up'])
  t.is(await copy.chunk(1, tagged(1)), undefined)
})

test('a copy that is ended reads no more of its source, which is told', async (t) => {
  const { copy, source, outcomes } = sending(40)
  await copy.chunk(0, tagged(0))
  const { read } = source
  await copy.close()
  t.true(source.isEnded)
  t.deepEqual(outcomes, ['given_up'])
  t.is(await copy.chunk(1, tagged(1)), undefined)
  t.is(source.read, read)
})
