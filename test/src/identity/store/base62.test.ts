import { hash } from 'node:crypto'
import test from 'ava'

import { base62RandomBytes, formatBase62, randomBase62 } from '#src/identity/store/base62.ts'

test('numbers are written in base 62, padded with zeros', (t) => {
  t.is(formatBase62(0, 6), '000000')
  t.is(formatBase62(61, 1), 'z')
  t.is(formatBase62(62, 2), '10')
  t.is(formatBase62(2 ** 32 - 1, 6), '4gfFC3')
})

test('a value that is no non-negative integer is a bug', (t) => {
  t.throws(() => formatBase62(-1, 2), { message: /non-negative integer/ })
  t.throws(() => formatBase62(0.5, 2), { message: /non-negative integer/ })
})

test('random digits need exactly the bytes that were asked for', (t) => {
  t.is(base62RandomBytes(42), 40)
  t.is(randomBase62(42, new Uint8Array(40)), '0'.repeat(42))
  t.throws(() => randomBase62(42, new Uint8Array(39)), { message: /fit the digits wanted/ })
})

test('every digit comes up about equally often', (t) => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 4000; round += 1) {
    const random = hash('sha512', `round ${round}`, 'buffer').subarray(0, 40)
    for (const digit of randomBase62(42, random)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  t.is(counts.size, 62)
  const expected = (4000 * 42) / 62
  for (const count of counts.values()) t.true(Math.abs(count - expected) < expected / 4)
})
