import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

import test from 'ava'
import fc from 'fast-check'

import {
  apiKeyCharactersMax,
  apiKeyRandomBytes,
  createKeyHasher,
  keyPrefix,
  type KeyPrefix,
  mintApiKey,
  parseApiKey,
} from '#src/identity/store/api_key.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes: KeyPrefix[] = ['svc_live_', 'svc_test_', 'svc-']

function mintedKey(prefix: KeyPrefix = 'svc_live_') {
  return mintApiKey(prefix, randomBytes(apiKeyRandomBytes))
}

test('a key has its prefix, 10 digits of id, 32 of secret and 6 of CRC-32', (t) => {
  for (const prefix of prefixes) {
    const { id, text } = mintedKey(prefix)
    t.regex(text, new RegExp(`^${prefix}${id}[0-9A-Za-z]{38}$`))
    const value = text
      .slice(-6)
      .split('')
      .reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)
    t.is(value, crc32(text.slice(0, -6)))
  }
  t.is(mintedKey().text.length, 57)
  t.is(apiKeyCharactersMax, 57)
})

test('a parsed key is the key that was minted', (t) => {
  const bytes = fc.uint8Array({ minLength: apiKeyRandomBytes, maxLength: apiKeyRandomBytes })
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), bytes, (prefix, random) => {
      const minted = mintApiKey(prefix, random)
      t.deepEqual(parseApiKey(minted.text), minted)
    }),
  )
})

test('no single-character typo passes the checksum', (t) => {
  const { text } = mintedKey()
  let typos = 0
  for (let at = 0; at < text.length; at += 1) {
    for (const wrong of `${base62}_- `) {
      if (wrong === text[at]) continue
      typos += 1
      t.is(parseApiKey(text.slice(0, at) + wrong + text.slice(at + 1)), undefined)
    }
  }
  t.is(typos, 57 * 64)
})

test('a key in other case, with white space, cut, doubled or of another kind is no key', (t) => {
  const { text } = mintedKey()
  const body = text.slice('svc_live_'.length)
  const wrong = [
    '',
    text.toLowerCase(),
    text.toUpperCase(),
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    text.slice(0, -1),
    text + text,
    `svc_test_${body}`,
    `svc-${body}`,
    `svc_prod_${body}`,
    body,
    'x'.repeat(1_000_000),
  ]
  for (const presented of wrong) t.is(parseApiKey(presented), undefined)
})

test('two keys share neither id nor secret', (t) => {
  const keys = Array.from({ length: 1000 }, () => mintedKey())
  t.is(new Set(keys.map(({ id }) => id)).size, 1000)
  t.is(new Set(keys.map(({ text }) => text)).size, 1000)
})

test('only the prefix and four digits of the id are shown', (t) => {
  const minted = mintedKey('svc-')
  t.is(keyPrefix(minted), `svc-${minted.id.slice(0, 4)}`)
})

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
