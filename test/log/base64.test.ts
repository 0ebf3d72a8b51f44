import test from 'ava'
import fc from 'fast-check'

import { decodeBase64, encodeBase64 } from '#log/base64.ts'

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
