import { readFileSync } from 'node:fs'
import test from 'ava'

import { halfSipHash, type HashKey } from '#src/edge/limits/half_sip_hash.ts'

type Vectors = {
  readonly key: string
  readonly hashes: readonly { readonly message: string; readonly hash: string }[]
}

const file = new URL(
  '../../../vectors/half_sip_hash/valid/reference_of_64_bits.json',
  import.meta.url,
)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

function hexOf(key: HashKey, text: string): string {
  const { first, last } = halfSipHash(key, text)
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(first, 0)
  bytes.writeInt32LE(last, 4)
  return bytes.toString('hex')
}

test('the vectors of the reference implementation', (t) => {
  const bytes = Buffer.from(vectors.key, 'hex')
  const key: HashKey = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  t.is(vectors.hashes.length, 32)
  for (const { message, hash } of vectors.hashes) {
    t.is(hexOf(key, Buffer.from(message, 'hex').toString('utf16le')), hash, message)
  }
})

test('every part of a text and of the key counts', (t) => {
  const texts = ['', 'a', 'b', 'ab', 'ba', 'a\0', '\u{1f600}', '\ud83d', 'a'.repeat(128)]
  const keys: HashKey[] = [
    [0, 0],
    [1, 0],
    [0, 1],
    [-1, -1],
  ]
  const hashes = keys.flatMap((key) => texts.map((text) => hexOf(key, text)))
  t.is(new Set(hashes).size, keys.length * texts.length)
})
