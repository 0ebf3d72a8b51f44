import { createHmac, createSecretKey } from 'node:crypto'

import { assert } from '#log/errors.ts'
import { apiKeyCharactersMax } from '#src/identity/store/api_key.ts'

/** Bytes of the pepper, and of the digests it makes. */
export const pepperBytes = 32

/** The digest of a key's text that is kept in its place: 32 bytes. */
export type KeyHasher = (text: string) => Buffer

/**
 * HMAC-SHA256 (RFC 2104) under the pepper, for ASCII texts no longer than a key. Every request pays
 * for one: with a key object that is made once it costs a fifth of what it does with the bytes.
 */
export function createKeyHasher(pepper: Uint8Array): KeyHasher {
  assert(pepper.length === pepperBytes, `a pepper has ${pepperBytes} bytes`)
  const key = createSecretKey(pepper)
  return (text) => {
    assert(text.length <= apiKeyCharactersMax, 'a key has a greatest length')
    return createHmac('sha256', key).update(text, 'latin1').digest()
  }
}
