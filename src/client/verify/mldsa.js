// @ts-check

import { concatBytes, nodeCrypto } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'

/**
 * @import { Bytes } from '#src/client/verify/types.ts'
 *
 * @typedef {(message: Bytes, signature: Bytes, publicKey: Bytes) => boolean} Verify
 */

// FIPS 204 §4, table 2.
const signatureBytes = 2_420

// The DER that stands before the raw key in a SubjectPublicKeyInfo (RFC 9881 §4).
const spkiPrefix = Uint8Array.from(
  [
    [0x30, 0x82, 0x05, 0x32, 0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48],
    [0x01, 0x65, 0x03, 0x04, 0x03, 0x11, 0x03, 0x82, 0x05, 0x21, 0x00],
  ].flat(),
)

/** @type {Promise<Verify> | undefined} */
let loaded

/**
 * Verifies an ML-DSA-44 signature (2,420 bytes) by a public key (1,312 bytes): by Node.js, or else
 * by the package `@noble/post-quantum`, which nothing loads but this. Throws EvidenceError
 * `crypto_unavailable` where there is neither.
 * @type {(message: Bytes, signature: Bytes, publicKey: Bytes) => Promise<boolean>}
 */
export async function verifyMldsa(message, signature, publicKey) {
  if (signature.length !== signatureBytes) return false
  loaded ??= load()
  return (await loaded)(message, signature, publicKey)
}

/** @type {() => Promise<Verify>} */
async function load() {
  const own = ofNode()
  if (own !== undefined) return own
  try {
    /** @type {unknown} */
    // @ts-ignore -- who has not this package has not its types either
    const found = await import('@noble/post-quantum/ml-dsa.js')
    const { ml_dsa44: mldsa } = /** @type {{
     *   ml_dsa44: { verify: (signature: Bytes, message: Bytes, publicKey: Bytes) => boolean }
     * }} */ (found)
    return (message, signature, publicKey) => mldsa.verify(signature, message, publicKey)
  } catch (cause) {
    const message = 'nothing here verifies ML-DSA-44: it takes Node.js 24.6, or @noble/post-quantum'
    throw new EvidenceError('crypto_unavailable', message, { cause })
  }
}

/**
 * What Node.js verifies with; undefined elsewhere, and in a Node.js that knows no such keys.
 * @type {() => Verify | undefined}
 */
function ofNode() {
  if (nodeCrypto === undefined) return undefined
  const { createPublicKey, verify } = nodeCrypto
  /** @type {(publicKey: Bytes) => object} */
  const importKey = (publicKey) => {
    const key = concatBytes(spkiPrefix, publicKey)
    return createPublicKey({ key, format: 'der', type: 'spki' })
  }
  try {
    importKey(new Uint8Array(1_312))
  } catch {
    return undefined
  }
  return (message, signature, publicKey) => {
    return verify(null, message, importKey(publicKey), signature)
  }
}
