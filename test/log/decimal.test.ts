import test from 'ava'
import fc from 'fast-check'

import { parseDecimal } from '#log/decimal.ts'

test('every count is read from its decimal digits', (t) => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      t.is(parseDecimal(count.toString()), count)
    }),
  )
  t.is(parseDecimal('0'), 0)
  t.is(parseDecimal('9007199254740991'), Number.MAX_SAFE_INTEGER)
})

test('a text that is read is the only spelling of its number', (t) => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('0', '1', '9', '+', '-', '.', 'e', 'x', ' ', '_', '\n') }),
      (text) => {
        const value = parseDecimal(text)
        t.true(value === undefined || value.toString() === text)
      },
    ),
  )
})

test('no sign, leading zero, exponent, other base, blank or foreign digit is read', (t) => {
  const texts = ['', '00', '01', '+1', '-1', '-0', '1.0', '1e3', '0x10', '0b1', '1_000', '1,000']
  const blanks = [' 1', '1 ', '1\n', '\t1', '1\u0000']
  const others = ['１', '٣', 'NaN', 'Infinity', '1n', 'true']
  for (const text of [...texts, ...blanks, ...others]) t.is(parseDecimal(text), undefined, text)
})

test('no number from 2^53 on is read', (t) => {
  for (const text of ['9007199254740992', '9007199254740993', '18446744073709551615']) {
    t.is(parseDecimal(text), undefined, text)
  }
  t.is(parseDecimal('9'.repeat(1_000_000)), undefined)
})
