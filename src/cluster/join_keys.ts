import {
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

/** A key for one exchange (X25519, RFC 7748): its public half is 32 bytes. */
export type ExchangeKey = { readonly publicKey: Uint8Array; readonly privateKey: KeyObject }

/** The keys of one copy: chunks are sealed with one, and asked for under the other. */
export type CopyKeys = { readonly seal: Uint8Array; readonly ask: Uint8Array }

const keyBytes = 32

/** Bytes of a tag, and of a public key. */
export const tagBytes = 32
export const publicKeyBytes = 32

/** Draws a key for one exchange. */
export function drawExchangeKey(): ExchangeKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { publicKey: Buffer.from(x, 'base64url'), privateKey }
}

/**
 * The keys of a copy, which both ends derive (HKDF-SHA256, RFC 5869) from the secret of the
 * invitation and from keys that they have drawn for this copy alone: so whoever has recorded it and
 * finds the token afterwards opens nothing. Undefined if the other end's public key is none.
 */
export function deriveCopyKeys(
  secret: Uint8Array,
  own: ExchangeKey,
  ends: { readonly joining: Uint8Array; readonly inviting: Uint8Array },
): CopyKeys | undefined {
  const { joining, inviting } = ends
  const other = Buffer.compare(own.publicKey, joining) === 0 ? inviting : joining
  const agreed = agree(own.privateKey, other)
  if (agreed === undefined) return undefined
  const material = Buffer.concat([agreed, secret])
  const salt = Buffer.concat([joining, inviting])
  const derive = (purpose: string) => derived(material, salt, `arklog join 1 ${purpose}`)
  return { seal: derive('seal'), ask: derive('ask') }
}

function agree(privateKey: KeyObject, other: Uint8Array): Buffer | undefined {
  try {
    const jwk = { kty: 'OKP', crv: 'X25519', x: Buffer.from(other).toString('base64url') }
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
  } catch {
    return undefined
  }
}

/** The key under which the first messages of both ends are tagged. */
export function greetingKey(secret: Uint8Array): Uint8Array {
  return derived(secret, new Uint8Array(), 'arklog join 1 greeting')
}

function derived(material: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', material, salt, purpose, keyBytes))
}

/** A tag over parts of known lengths (HMAC-SHA256), which only who has the key can make. */
export function tagOf(key: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const tag = createHmac('sha256', key)
  for (const part of parts) tag.update(part)
  return tag.digest()
}

/** Whether a tag is the one over these parts. */
export function isTagOf(key: Uint8Array, parts: readonly Uint8Array[], tag: Uint8Array): boolean {
  return tag.length === tagBytes && timingSafeEqual(tagOf(key, parts), tag)
}
