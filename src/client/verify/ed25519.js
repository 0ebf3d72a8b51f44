// @ts-check

import { concatBytes, ed25519Spki, nodeCrypto } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'

/** @import { Bytes } from '#src/client/verify/types.ts' */

const fieldPrime = 2n ** 255n - 19n
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

// The y coordinates of the eight points of small order; both signs of x are meant.
/** @type {ReadonlySet<bigint>} */
const smallOrderY = new Set([
  0n,
  1n,
  fieldPrime - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

/**
 * Whether a public key has 32 bytes, is canonically encoded and not of small order.
 * @type {(publicKey: Uint8Array) => boolean}
 */
export function isStrictPublicKey(publicKey) {
  return publicKey.length === 32 && isStrictPoint(publicKey)
}

/**
 * Verifies an Ed25519 signature (64 bytes) by a public key (32 bytes) with Node.js or Web Crypto.
 * What verifiers disagree about (RFC 8032 §5.1.7) is refused before one is asked: encodings that
 * are not canonical, points of small order, an S beyond the group order. Throws EvidenceError
 * `crypto_unavailable` where Web Crypto has no Ed25519.
 * @type {(message: Bytes, signature: Bytes, publicKey: Bytes) => Promise<boolean>}
 */
export async function verifyStrict(message, signature, publicKey) {
  if (!isStrictPublicKey(publicKey) || signature.length !== 64) return false
  if (!isStrictPoint(signature.subarray(0, 32))) return false
  if (littleEndian(signature.subarray(32)) >= groupOrder) return false
  if (nodeCrypto !== undefined) {
    const spki = concatBytes(ed25519Spki, publicKey)
    const key = nodeCrypto.createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return nodeCrypto.verify(null, message, key, signature)
  }
  const key = await importKey(publicKey)
  return key !== undefined && crypto.subtle.verify('Ed25519', key, signature, message)
}

/** @type {(publicKey: Bytes) => Promise<CryptoKey | undefined>} */
async function importKey(publicKey) {
  try {
    return await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  } catch (cause) {
    // Bytes that are no point of the curve are a key of nobody.
    if (/** @type {Error} */ (cause).name === 'DataError') return undefined
    const message =
      'Web Crypto has no Ed25519 here: it takes Node 20, Chrome 137, Firefox 129 or Safari 17, ' +
      'or newer, and in a browser a secure context (https or localhost)'
    throw new EvidenceError('crypto_unavailable', message, { cause })
  }
}

/** @type {(encoded: Uint8Array) => boolean} */
function isStrictPoint(encoded) {
  const y = littleEndian(encoded) & (2n ** 255n - 1n)
  return y < fieldPrime && !smallOrderY.has(y)
}

/** @type {(bytes: Uint8Array) => bigint} */
function littleEndian(bytes) {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}
