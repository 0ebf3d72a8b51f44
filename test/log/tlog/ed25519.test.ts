import * as ed from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import test from 'ava'
import fc from 'fast-check'
import { generateKeyPairSync } from 'node:crypto'

import {
  ed25519Keys,
  formatPrivateKey,
  noteSigner,
  noteVerifier,
  sign,
  verify,
} from '#log/tlog/ed25519.ts'
import { isStrictPublicKey, isStrictSignature } from '#log/tlog/key_form.ts'
import { formatVkey } from '#log/tlog/note.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

ed.hashes.sha512 = sha512

type SignatureVector = {
  readonly seed?: string
  readonly public_key: string
  readonly message: string
  readonly signature: string
  /** Whether the equation holds after a multiplication by the cofactor, and only then. */
  readonly cofactored?: boolean
}

type Judge = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean

/** The second opinion: the same policy, then noble's verification in its strict mode. */
const nobleVerify: Judge = (message, signature, publicKey) => {
  if (!isStrictSignature(publicKey, signature)) return false
  return ed.verify(signature, message, publicKey, { zip215: false })
}

/** The third: the same policy, then the equation of RFC 8032 §5.1.7 itself, [S]B - [k]A = R. */
const equationHolds: Judge = (message, signature, publicKey) => {
  if (!isStrictSignature(publicKey, signature)) return false
  const r = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  const k = littleEndian(sha512(Buffer.concat([r, publicKey, message]))) % ed.Point.CURVE().n
  const a = decodePoint(publicKey)
  if (a === undefined) return false
  const expected = ed.Point.BASE.multiply(s, false).subtract(a.multiply(k, false))
  return Buffer.compare(expected.toBytes(), r) === 0
}

function decodePoint(encoded: Uint8Array): ed.Point | undefined {
  try {
    return ed.Point.fromBytes(encoded)
  } catch {
    return undefined
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(new Uint8Array(bytes).reverse())}`)
}

function judge(judgement: Judge, vector: SignatureVector): boolean {
  return judgement(fromHex(vector.message), fromHex(vector.signature), fromHex(vector.public_key))
}

for (const vector of loadVectors<SignatureVector>('ed25519/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    t.true(judge(verify, vector))
    t.true(judge(nobleVerify, vector))
    t.true(judge(equationHolds, vector))
    if (vector.seed === undefined) return
    const key = ed25519Keys.fromSeed(fromHex(vector.seed))
    t.is(toHex(key.publicKey), vector.public_key)
    t.is(toHex(sign(fromHex(vector.message), key)), vector.signature)
  })
}

for (const vector of loadVectors<SignatureVector>('ed25519/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    t.false(judge(verify, vector))
    t.false(judge(equationHolds, vector))
    // Noble multiplies by the cofactor even in its strict mode. Whoever holds a key can make
    // signatures that it accepts and others refuse, so a verifier on noble needs the equation.
    t.is(judge(nobleVerify, vector), vector.cofactored === true)
  })
}

test('all points of small order and all their encodings are refused as keys and as R', (t) => {
  const order8 = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
  const generator = ed.Point.fromHex(order8)
  const encodings = new Set<string>()
  for (let count = 0, point = ed.Point.ZERO; count < 8; count += 1) {
    const encoded = Buffer.from(point.toBytes())
    const y = littleEndian(encoded) & (2n ** 255n - 1n)
    for (const spelling of [y, y + 2n ** 255n - 19n]) {
      if (spelling >= 2n ** 255n) continue
      for (const signBit of [0n, 2n ** 255n]) encodings.add(encodePoint(spelling | signBit))
    }
    encodings.add(toHex(encoded))
    point = point.add(generator)
  }
  t.is(encodings.size, 14)
  const key = ed25519Keys.generate()
  const honest = sign(Buffer.from('a'), key)
  for (const encoding of encodings) {
    const point = fromHex(encoding)
    t.false(isStrictPublicKey(point), encoding)
    t.false(isStrictSignature(point, honest), encoding)
    const withR = Buffer.concat([point, honest.subarray(32)])
    t.false(isStrictSignature(key.publicKey, withR), encoding)
  }
})

function encodePoint(y: bigint): string {
  return toHex(Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse())
}

test('y below the prime is canonical, and the prime is not', (t) => {
  const prime = 2n ** 255n - 19n
  for (const [y, isStrict] of [
    [2n, true],
    [prime - 2n, true],
    [prime - 1n, false],
    [prime, false],
    [prime + 2n, false],
    [2n ** 255n - 1n, false],
  ] as const) {
    t.is(isStrictPublicKey(fromHex(encodePoint(y))), isStrict)
  }
})

test('S below the group order is accepted, and the order is not', (t) => {
  const order = ed.Point.CURVE().n
  const key = ed25519Keys.generate()
  const r = sign(Buffer.from('a'), key).subarray(0, 32)
  for (const [s, isStrict] of [
    [0n, true],
    [order - 1n, true],
    [order, false],
    [2n ** 253n, false],
    [2n ** 256n - 1n, false],
  ] as const) {
    const signature = Buffer.concat([r, fromHex(encodePoint(s))])
    t.is(isStrictSignature(key.publicKey, signature), isStrict)
  }
})

test('signatures are accepted by all verifiers, and after any change by none', (t) => {
  const message = fc.uint8Array({ maxLength: 200 })
  fc.assert(
    fc.property(message, fc.nat(63), fc.nat(7), (bytes, at, bit) => {
      const key = ed25519Keys.generate()
      const signature = sign(bytes, key)
      const changed = new Uint8Array(signature)
      changed[at] = (signature[at] ?? 0) ^ (1 << bit)
      for (const verifies of [verify, nobleVerify, equationHolds]) {
        t.true(verifies(bytes, signature, key.publicKey))
        t.false(verifies(bytes, changed, key.publicKey))
      }
    }),
    { numRuns: 30 },
  )
})

test('node signs as noble does', (t) => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(seed, fc.uint8Array(), (secret, message) => {
      const key = ed25519Keys.fromSeed(secret)
      t.is(toHex(key.publicKey), toHex(ed.getPublicKey(secret)))
      t.is(toHex(sign(message, key)), toHex(ed.sign(message, secret)))
    }),
    { numRuns: 20 },
  )
})

test('a private key is written as PEM and read', (t) => {
  const key = ed25519Keys.generate()
  const pem = formatPrivateKey(key)
  t.regex(pem, /^-----BEGIN PRIVATE KEY-----\n/)
  const read = ed25519Keys.parse(pem)
  t.is(toHex(read.publicKey), toHex(key.publicKey))
  t.is(toHex(sign(Buffer.from('a'), read)), toHex(sign(Buffer.from('a'), key)))
})

test('a text that is not an Ed25519 private key in PEM is refused', (t) => {
  const notPem = { code: 'malformed_private_key', message: 'the private key is not PEM (PKCS #8)' }
  for (const pem of ['', 'a', '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n']) {
    t.throws(() => ed25519Keys.parse(pem), notPem)
  }
  const { privateKey } = generateKeyPairSync('x25519')
  const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  t.throws(() => ed25519Keys.parse(other), {
    code: 'malformed_private_key',
    message: 'the private key is not an Ed25519 key',
  })
})

test('a seed has 32 bytes', (t) => {
  for (const length of [0, 31, 33, 64]) {
    t.throws(() => ed25519Keys.fromSeed(new Uint8Array(length)), {
      message: 'assertion failed: an Ed25519 seed has 32 bytes',
    })
  }
})

test('the published test key of Go signs its note as published', (t) => {
  const blob = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64')
  const signer = noteSigner('PeterNeumann', ed25519Keys.fromSeed(blob.subarray(1)))
  t.is(signer.keyId, 0xc74f20a3)
  const [vector] = loadVectors<{ message: string; text: string }>('note/valid').filter(
    (note) => note.name === 'go_note_example',
  )
  const signature = signer.sign(Buffer.from(vector?.text ?? ''))
  const line = Buffer.concat([Buffer.from('c74f20a3', 'hex'), signature]).toString('base64')
  t.true(vector?.message.endsWith(`\n\n— PeterNeumann ${line}\n`))
})

test('a verifier of notes is made of a usable Ed25519 key alone', (t) => {
  const key = ed25519Keys.generate()
  const vkey = formatVkey('example.com/log', 1, key.publicKey)
  const verifier = noteVerifier(vkey)
  t.is(verifier.keyName, 'example.com/log')
  t.is(verifier.keyId, noteSigner('example.com/log', key).keyId)
  const error = {
    code: 'malformed_vkey',
    message: 'the vkey of example.com/log holds no usable key of Ed25519 (type 01)',
  }
  t.throws(() => noteVerifier(formatVkey('example.com/log', 4, key.publicKey)), error)
  t.throws(() => noteVerifier(formatVkey('example.com/log', 2, key.publicKey)), {
    code: 'malformed_vkey',
    message:
      /^the key of example.com\/log is of the unknown type 0x02: what is verified here is Ed25519 /,
  })
  t.throws(() => noteVerifier(formatVkey('example.com/log', 1, new Uint8Array(32))), error)
})
