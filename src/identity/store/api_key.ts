import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { assert } from '#log/tlog/errors.ts'
import { base62RandomBytes, formatBase62, randomBase62 } from '#src/identity/store/base62.ts'

/**
 * What a key starts with: `svc_live_` (production) and `svc_test_` (sandbox) for keys of programs,
 * `svc-` for a key that a researcher made for write-back.
 */
export type KeyPrefix = 'svc_live_' | 'svc_test_' | 'svc-'

/** A key taken apart: its id is public, the whole text is the secret. */
export type ApiKey = {
  readonly prefix: KeyPrefix
  readonly id: string
  /** The whole key, such as `svc_live_` and 48 base62 digits. ASCII, at most 57 characters. */
  readonly text: string
}

const idDigits = 10
const secretDigits = 32
const checksumDigits = 6
const form = /^(svc_live_|svc_test_|svc-)([0-9A-Za-z]{10})[0-9A-Za-z]{38}$/

/** The longest key, in characters. */
export const apiKeyCharactersMax = 'svc_live_'.length + idDigits + secretDigits + checksumDigits

/** How many random bytes one new key takes. */
export const apiKeyRandomBytes = base62RandomBytes(idDigits + secretDigits)

/**
 * A new key: prefix, 10 digits of id, 32 digits of secret (190 bits), and six digits that hold the
 * CRC-32 of all before them, so that a typo or a scanner's false find needs no look-up. `random`
 * holds `apiKeyRandomBytes` bytes of a cryptographic source.
 */
export function mintApiKey(prefix: KeyPrefix, random: Uint8Array): ApiKey {
  const body = randomBase62(idDigits + secretDigits, random)
  const unchecked = prefix + body
  return { prefix, id: body.slice(0, idDigits), text: unchecked + checksum(unchecked) }
}

/** Takes a key apart; undefined unless its form and its checksum are exact. */
export function parseApiKey(text: string): ApiKey | undefined {
  if (text.length > apiKeyCharactersMax) return undefined
  const match = form.exec(text)
  if (match === null) return undefined
  const unchecked = text.slice(0, -checksumDigits)
  if (checksum(unchecked) !== text.slice(-checksumDigits)) return undefined
  return { prefix: match[1] as KeyPrefix, id: match[2] as string, text }
}

function checksum(unchecked: string): string {
  return formatBase62(crc32(unchecked), checksumDigits)
}

/** What may be shown of a key after its creation: the prefix and the first four digits. */
export function keyPrefix(key: ApiKey): string {
  return key.text.slice(0, key.prefix.length + 4)
}

/** Bytes of the pepper, and of the digests it makes. */
export const pepperBytes = 32

/** The digest of a key's text that is kept in its place: 32 bytes. */
export type KeyHasher = (text: string) => Buffer

/** Bytes of a block of SHA-256. */
const blockBytes = 64

/**
 * HMAC-SHA256 (RFC 2104) under the pepper, for ASCII texts no longer than a key. Every request pays
 * for one: as two hashes, each made by one call, it costs less than half of what it does with the
 * runtime's own object, which is a stream.
 */
export function createKeyHasher(pepper: Uint8Array): KeyHasher {
  assert(pepper.length === pepperBytes, `a pepper has ${pepperBytes} bytes`)
  const inner = Buffer.alloc(blockBytes + apiKeyCharactersMax, 0x36)
  const outer = Buffer.alloc(blockBytes + pepperBytes, 0x5c)
  for (const [at, byte] of pepper.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return (text) => {
    assert(text.length <= apiKeyCharactersMax, 'a key has a greatest length')
    const end = blockBytes + inner.write(text, blockBytes, 'latin1')
    // A text in hexadecimal and back is made in less time than an object of bytes.
    outer.write(hash('sha256', inner.subarray(0, end), 'hex'), blockBytes, 'hex')
    return Buffer.from(hash('sha256', outer, 'hex'), 'hex')
  }
}
