import test from 'ava'

import { encodeHex } from '#log/hex.ts'

test('spells a part of a larger buffer', (t) => {
  const bytes = Uint8Array.of(0, 10, 255, 1)
  t.is(encodeHex(bytes.subarray(1, 3)), '0aff')
  t.is(encodeHex(new Uint8Array(0)), '')
})
