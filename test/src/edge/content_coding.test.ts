import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import test from 'ava'

import { chooseCoding, encodeContent } from '#src/edge/content_coding.ts'

const headers: readonly [string | undefined, ReturnType<typeof chooseCoding>][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br;q=0.9', 'gzip'],
  ['deflate', 'deflate'],
  ['deflate, gzip;q=0.5', 'deflate'],
  ['gzip;q=0', undefined],
  ['gzip;q=0, deflate', 'deflate'],
  ['*', 'br'],
  ['*;q=0.1, br;q=0, gzip;q=0', 'deflate'],
  ['gzip;q=junk', undefined],
  ['br', 'br'],
  ['zstd', undefined],
]

for (const [header, coding] of headers) {
  test(`Accept-Encoding ${header ?? 'that is not sent'} asks for ${coding ?? 'none'}`, (t) => {
    t.is(chooseCoding(header), coding)
  })
}

test('what is encoded is decoded by others', async (t) => {
  const text = '<a>é</a>'.repeat(100)
  t.is(brotliDecompressSync(await encodeContent(text, 'br')).toString(), text)
  t.is(gunzipSync(await encodeContent(text, 'gzip')).toString(), text)
  t.is(inflateSync(await encodeContent(text, 'deflate')).toString(), text)
})
