import test from 'ava'
import fc from 'fast-check'

import { decodeBase64, encodeBase64, encodeHex, parseDecimal } from '#log/tlog/encoding.ts'

test('hex spells a part of a larger buffer', (t) => {
  const bytes = Uint8Array.of(0, 10, 255, 1)
  t.is(encodeHex(bytes.subarray(1, 3)), '0aff')
  t.is(encodeHex(new Uint8Array(0)), '')
})

test('what is encoded is decoded to the same bytes', (t) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      t.deepEqual(decodeBase64(encodeBase64(bytes), 'it'), bytes)
    }),
  )
})

test('a view of a larger buffer is encoded alone', (t) => {
  t.is(encodeBase64(Buffer.from('-foobar-').subarray(1, -1)), 'Zm9vYmFy')
})

test('the vectors of RFC 4648 §10 are read', (t) => {
  const texts = ['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy']
  const decoded = texts.map((text) => Buffer.from(decodeBase64(text, 'it')).toString())
  t.deepEqual(decoded, ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'])
})

const refused = {
  'padding missing': 'Zg',
  'padding cut': 'Zg=',
  'padding added': 'Zm9v=',
  'padding alone': '=',
  'stray bits': 'Zh==',
  'more stray bits': 'Zm9=',
  'the URL alphabet': '-_-_',
  'a space': 'Zm 9v',
  'a space before': ' Zm9v',
  'a newline': 'Zm9v\n',
  'a carriage return': 'Zm9v\r',
  'a foreign character': 'Zm*9v',
  'text after padding': 'Zg==Zg==',
  'one digit': 'Z',
  'a NUL': 'Zm9v\u0000',
  'a full-width digit': 'Zm９v',
}

for (const [rule, text] of Object.entries(refused)) {
  test(`base64 is refused: ${rule}`, (t) => {
    t.throws(() => decodeBase64(text, 'the root hash'), {
      name: 'LogError',
      code: 'malformed_base64',
      message: 'the root hash is not canonical base64',
    })
  })
}

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
