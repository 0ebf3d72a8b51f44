import test from 'ava'
import fc from 'fast-check'

import { CorruptRowError, decodeRow, encodeRow, rowOverheadBytes } from '#log/row.ts'

const keys = fc.string({ unit: 'grapheme-ascii', minLength: 1 })

test('a row decodes to the value it was encoded from', (t) => {
  fc.assert(
    fc.property(keys, fc.uint8Array(), (key, value) => {
      const row = encodeRow(key, value)
      t.is(row.length, value.length + rowOverheadBytes)
      t.deepEqual(new Uint8Array(decodeRow(key, row)), value)
    }),
  )
})

test('the checksum is the CRC-32 of key and value, big-endian', (t) => {
  // CRC-32 of "123456789" is the check value of its definition.
  t.is(encodeRow('1234', Buffer.from('56789')).toString('hex'), '3536373839cbf43926')
})

test('any flipped bit is store_corrupt, in the value and in the checksum', (t) => {
  const row = encodeRow('entry/000000000001', Buffer.from('the bytes of an entry'))
  for (let bit = 0; bit < row.length * 8; bit += 1) {
    const flipped = Buffer.from(row)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const error = t.throws(() => decodeRow('entry/000000000001', flipped))
    t.true(error instanceof CorruptRowError)
  }
})

test('a row under another key, or cut, names the key and says what to do', (t) => {
  const row = encodeRow('work/a', Buffer.from('a'))
  const expected = {
    instanceOf: CorruptRowError,
    code: 'store_corrupt',
    message: /^the row "work\/b" fails its checksum, .*restore the store from a backup$/,
  }
  t.is(t.throws(() => decodeRow('work/b', row), expected)?.key, 'work/b')
  t.throws(() => decodeRow('work/b', row.subarray(0, 3)), expected)
  t.throws(() => decodeRow('work/b', new Uint8Array(0)), expected)
})
