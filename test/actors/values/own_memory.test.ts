import test from 'ava'

import { ownMemory } from '#actors/values/serialization.ts'

test('what is kept is alone in its memory, and the same bytes', (t) => {
  const pooled = Buffer.from('a reply')
  t.true(pooled.buffer.byteLength > pooled.length)
  const own = ownMemory(pooled)
  t.is(own.buffer.byteLength, pooled.length)
  t.deepEqual(Buffer.from(own), pooled)
})

test('what is alone already is not copied', (t) => {
  const alone = new Uint8Array([1, 2, 3])
  t.is(ownMemory(alone), alone)
  t.is(ownMemory(alone.subarray(1)).buffer.byteLength, 2)
})
