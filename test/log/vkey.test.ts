import test from 'ava'
import fc from 'fast-check'

import {
  computeKeyId,
  cosignatureType,
  ed25519Type,
  formatVkey,
  isKeyName,
  parseVkey,
} from '#log/vkey.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type ValidVkey = {
  readonly vkey: string
  readonly key_name: string
  readonly key_id: string
  readonly type: number
  readonly public_key: string
}

type InvalidVkey = { readonly vkey: string; readonly code: string; readonly error: string }

for (const vector of loadVectors<ValidVkey>('vkey/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    const { keyName, keyId, type, publicKey } = parseVkey(vector.vkey)
    t.is(keyName, vector.key_name)
    t.is(keyId, Number.parseInt(vector.key_id, 16))
    t.is(type, vector.type)
    t.is(toHex(publicKey), vector.public_key)
    t.is(formatVkey(keyName, type, publicKey), vector.vkey)
    t.is(computeKeyId(keyName, type, fromHex(vector.public_key)), keyId)
  })
}

for (const vector of loadVectors<InvalidVkey>('vkey/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    t.throws(() => parseVkey(vector.vkey), { code: vector.code, message: vector.error })
  })
}

test('what is written is read', (t) => {
  const names = fc.string({ unit: 'binary', minLength: 1 }).filter(isKeyName)
  const types = fc.constantFrom(ed25519Type, cosignatureType)
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(names, types, keys, (keyName, type, publicKey) => {
      const read = parseVkey(formatVkey(keyName, type, publicKey))
      t.deepEqual([read.keyName, read.type], [keyName, type])
      t.is(toHex(read.publicKey), toHex(publicKey))
    }),
  )
})

test('one key has different IDs as a log and as a witness', (t) => {
  const publicKey = new Uint8Array(32).fill(9)
  t.not(computeKeyId('a', ed25519Type, publicKey), computeKeyId('a', cosignatureType, publicKey))
})

test('a key name has no white space, control, plus or lone surrogate', (t) => {
  for (const name of ['a', 'example.com/log', '127.0.0.1:8080/log', 'ключ', '世界', 'a—b']) {
    t.true(isKeyName(name), name)
  }
  const spaces = ['\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u3000']
  for (const part of ['', ' ', '+', '\n', '\t', '\u0000', '\u007f', '\ud800', ...spaces]) {
    t.false(isKeyName(part), JSON.stringify(part))
    if (part !== '') t.false(isKeyName(`a${part}b`), JSON.stringify(part))
  }
})
