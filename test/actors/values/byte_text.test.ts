import test from 'ava'
import fc from 'fast-check'

import { bytesOf, decodeText, encodeText, readBytes } from '#actors/values/serialization.ts'

test('a text is its UTF-8, in one character for each byte', (t) => {
  t.is(String(encodeText('plain')), 'plain')
  t.is(String(encodeText('é')), '\u00c3\u00a9')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodeText(text)
      return bytesOf(encoded).equals(Buffer.from(text)) && decodeText(encoded) === text
    }),
  )
})

test('bytes are read as they are, whatever they mean', (t) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => bytesOf(readBytes(bytes)).equals(Buffer.from(bytes))),
  )
  t.is(String(readBytes(new Uint8Array([1, 2, 3, 0xff]).subarray(2))), '\u0003\u00ff')
})
