import test from 'ava'
import { sign } from 'node:crypto'

import { leafHash, nodeHash } from '#log/tlog/hash.ts'
import { nobleHasher, nobleVerifier, verifyStrict } from '#src/verify/noble.ts'
import { privateKey, rawPublicKey, vkeyOf } from '#test/src/verify/_registry.ts'

const key = privateKey(9)
const message = Buffer.from('a message')
const signature = sign(null, message, key)

test('the second hasher agrees with the first', (t) => {
  const [left, right] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  t.deepEqual(Buffer.from(nobleHasher.leafHash(message)), Buffer.from(leafHash(message)))
  t.deepEqual(Buffer.from(nobleHasher.nodeHash(left, right)), Buffer.from(nodeHash(left, right)))
})

test('signatures of the server are accepted, and nothing else', (t) => {
  t.true(verifyStrict(message, signature, rawPublicKey(key)))
  t.false(verifyStrict(Buffer.from('another'), signature, rawPublicKey(key)))
  t.false(verifyStrict(message, signature, rawPublicKey(privateKey(8))))
})

test('wrong lengths and points of small order are false, never an error', (t) => {
  const identity = Buffer.concat([Buffer.of(1), Buffer.alloc(31)])
  const zeroS = Buffer.concat([identity, Buffer.alloc(32)])
  t.false(verifyStrict(message, zeroS, identity))
  t.false(verifyStrict(message, signature.subarray(1), rawPublicKey(key)))
  t.false(verifyStrict(message, signature, rawPublicKey(key).subarray(1)))
  t.false(verifyStrict(message, Buffer.alloc(0), Buffer.alloc(0)))
})

test('a key that is not on the curve is false, never an error', (t) => {
  for (let y = 2; y < 20; y += 1) {
    const offCurve = Buffer.concat([Buffer.of(y), Buffer.alloc(31)])
    t.false(verifyStrict(message, signature, offCurve))
  }
})

test('a vkey gives the verifier of its notes', (t) => {
  const verifier = nobleVerifier(vkeyOf('registry.example/log', key))
  t.is(verifier.keyName, 'registry.example/log')
  t.true(verifier.verify(message, signature))
  t.throws(() => nobleVerifier('registry.example/log+00000000+AAAA'), { code: 'malformed_vkey' })
})
