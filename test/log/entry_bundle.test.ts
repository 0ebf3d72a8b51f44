import test from 'ava'
import fc from 'fast-check'

import {
  checkEntry,
  decodeEntryBundle,
  encodeEntryBundle,
  entryBytesMax,
} from '#log/entry_bundle.ts'
import { toHex } from '#test/log/_vectors.ts'

test('an entry is its length in two bytes, big-endian, and its bytes', (t) => {
  const long = Buffer.alloc(258, 0xee)
  const bundle = encodeEntryBundle([Buffer.from('ab'), new Uint8Array(0), long])
  t.is(toHex(bundle), ['00026162', '0000', '0102', toHex(long)].join(''))
})

test('what is encoded is decoded to the same entries', (t) => {
  const entries = fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 256 })
  fc.assert(
    fc.property(entries, (list) => {
      const decoded = decodeEntryBundle(encodeEntryBundle(list), list.length)
      t.deepEqual(decoded.map(toHex), list.map(toHex))
    }),
    { numRuns: 50 },
  )
})

test('a bundle of 256 of the longest entries is kept', (t) => {
  const entries = Array.from({ length: 256 }, (_, index) => Buffer.alloc(entryBytesMax, index))
  const bundle = encodeEntryBundle(entries)
  t.is(bundle.length, 256 * (2 + 65_535))
  t.true(decodeEntryBundle(bundle, 256).every((entry, index) => entries[index]?.equals(entry)))
})

test('the entries are found in a view of a larger buffer', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('ab')])
  const larger = Buffer.concat([Buffer.from('before'), bundle, Buffer.from('after')])
  const [entry] = decodeEntryBundle(larger.subarray(6, 6 + bundle.length), 1)
  t.is(Buffer.from(entry ?? []).toString(), 'ab')
})

const malformed = (width: number) => ({
  code: 'malformed_entry_bundle',
  message: `the bundle does not hold exactly ${width} entries`,
})

test('every bundle that is cut or has bytes left over is refused', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('abc'), Buffer.from('de')])
  for (let length = 0; length < bundle.length; length += 1) {
    t.throws(() => decodeEntryBundle(bundle.subarray(0, length), 2), malformed(2))
  }
  t.throws(() => decodeEntryBundle(Buffer.concat([bundle, Buffer.of(0)]), 2), malformed(2))
  t.throws(() => decodeEntryBundle(Buffer.concat([bundle, Buffer.of(0, 0)]), 2), malformed(2))
})

test('a bundle of another width is refused', (t) => {
  const bundle = encodeEntryBundle([Buffer.from('abc'), Buffer.from('de')])
  t.throws(() => decodeEntryBundle(bundle, 1), malformed(1))
  t.throws(() => decodeEntryBundle(bundle, 3), malformed(3))
  t.throws(() => decodeEntryBundle(bundle, 0), malformed(0))
})

test('a length that points behind the bundle is refused', (t) => {
  t.throws(() => decodeEntryBundle(Buffer.from('ffff00', 'hex'), 1), malformed(1))
})

test('an entry longer than 65,535 bytes is too large', (t) => {
  t.notThrows(() => checkEntry(Buffer.alloc(entryBytesMax)))
  t.throws(() => checkEntry(Buffer.alloc(entryBytesMax + 1)), {
    code: 'entry_too_large',
    message: 'an entry has at most 65535 bytes, this one has 65536',
  })
  t.throws(() => encodeEntryBundle([Buffer.alloc(entryBytesMax + 1)]), {
    message: 'assertion failed: an entry that was accepted fits a bundle',
  })
})
