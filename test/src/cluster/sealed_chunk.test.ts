import { randomBytes } from 'node:crypto'
import test from 'ava'

import { openChunk, sealChunk } from '#src/cluster/join_keys.ts'

const key = randomBytes(32)
const bytes = Buffer.from('rows of a store')

test('a chunk is opened at its place, under its key', (t) => {
  for (const isLast of [false, true]) {
    const sealed = sealChunk(key, 7, { bytes, isLast })
    t.false(sealed.includes(bytes))
    t.deepEqual(openChunk(key, 7, sealed), { bytes, isLast })
  }
})

test('a chunk that was changed, moved, cut off or made another one is not opened', (t) => {
  const sealed = sealChunk(key, 7, { bytes, isLast: false })
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    t.is(openChunk(key, 7, changed), undefined, `byte ${at}`)
  }
  for (let length = 0; length < sealed.length; length += 1) {
    t.is(openChunk(key, 7, sealed.subarray(0, length)), undefined, `${length} bytes`)
  }
  t.is(openChunk(key, 6, sealed), undefined)
  t.is(openChunk(randomBytes(32), 7, sealed), undefined)
})
