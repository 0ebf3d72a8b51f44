import { createHmac, randomBytes } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'

import { createKeyHasher } from '#src/identity/store/key_hash.ts'

test('the digest is HMAC-SHA256 of the text under the pepper', (t) => {
  const pepper = randomBytes(32)
  const hashKey = createKeyHasher(pepper)
  const text = fc.string({ maxLength: 57, unit: 'grapheme-ascii' })
  fc.assert(
    fc.property(text, (key) => {
      t.deepEqual(hashKey(key), createHmac('sha256', pepper).update(key).digest())
    }),
  )
})

test('another pepper gives another digest', (t) => {
  const digests = [1, 2].map((byte) => {
    return createKeyHasher(new Uint8Array(32).fill(byte))('key').toString('hex')
  })
  t.not(digests[0], digests[1])
})

test('a short pepper or a long text is a bug', (t) => {
  t.throws(() => createKeyHasher(new Uint8Array(31)), { message: /a pepper has 32 bytes/ })
  const hashKey = createKeyHasher(new Uint8Array(32))
  t.throws(() => hashKey('x'.repeat(58)), { message: /greatest length/ })
})
