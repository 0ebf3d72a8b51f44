import { hash } from 'node:crypto'

import { assert } from '#log/errors.ts'
import { apiKeyCharactersMax } from '#src/identity/store/api_key.ts'

/** Bytes of the pepper, and of the digests it makes. */
export const pepperBytes = 32
const blockBytes = 64

/** The digest of a key's text that is kept in its place: 32 bytes, valid until the next call. */
export type KeyHasher = (text: string) => Buffer

/**
 * HMAC-SHA256 (RFC 2104) under the pepper, for ASCII texts no longer than a key. `createHmac` costs
 * 20 µs and every request pays for one, so the two hashes are made with the one-shot `hash`, whose
 * `binary` output is four times faster than its buffers: about 1 µs in all.
 */
export function createKeyHasher(pepper: Uint8Array): KeyHasher {
  assert(pepper.length === pepperBytes, `a pepper has ${pepperBytes} bytes`)
  const inner = Buffer.alloc(blockBytes + apiKeyCharactersMax, 0x36)
  const outer = Buffer.alloc(blockBytes + pepperBytes, 0x5c)
  const digest = Buffer.alloc(pepperBytes)
  for (const [index, byte] of pepper.entries()) {
    inner[index] = 0x36 ^ byte
    outer[index] = 0x5c ^ byte
  }
  return (text) => {
    assert(text.length <= apiKeyCharactersMax, 'a key has a greatest length')
    inner.write(text, blockBytes, 'latin1')
    const message = inner.subarray(0, blockBytes + text.length)
    outer.write(hash('sha256', message, 'binary'), blockBytes, 'latin1')
    digest.write(hash('sha256', outer, 'binary'), 'latin1')
    return digest
  }
}
