import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'

import { assert, LogError } from '#log/base/errors.ts'

/** An ML-DSA-44 key pair (FIPS 204): the private part opaque, the public part 1,312 bytes. */
export type MldsaKey = { readonly privateKey: KeyObject; readonly publicKey: Uint8Array }

/** Bytes of a public key and of a signature (FIPS 204 §4, table 2). */
const publicKeyBytes = 1_312
export const mldsaSignatureBytes = 2_420

// The fixed DER that stands before a seed, and before the raw public key (RFC 9881 §4 and §6).
const seedPrefix = Buffer.from('3034020100300b060960864801650304031104228020', 'hex')
const spkiPrefix = Buffer.from('30820532300b06096086480165030403110382052100', 'hex')

/** Makes a new key from the system's randomness. */
export function generateMldsaKey(): MldsaKey {
  return keyOf(generateKeyPairSync('ml-dsa-44').privateKey)
}

/** The key of a 32-byte seed. */
export function mldsaKeyFromSeed(seed: Uint8Array): MldsaKey {
  assert(seed.length === 32, 'an ML-DSA seed has 32 bytes')
  const der = Buffer.concat([seedPrefix, seed])
  return keyOf(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/** Reads a private key in PEM (PKCS #8); anything else is `malformed_private_key`. */
export function parseMldsaPrivateKey(pem: string): MldsaKey {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(pem)
  } catch (cause) {
    throw new LogError('malformed_private_key', 'the private key is not PEM (PKCS #8)', { cause })
  }
  if (privateKey.asymmetricKeyType !== 'ml-dsa-44') {
    throw new LogError('malformed_private_key', 'the private key is not an ML-DSA-44 key')
  }
  return keyOf(privateKey)
}

function keyOf(privateKey: KeyObject): MldsaKey {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: new Uint8Array(der.subarray(spkiPrefix.length)) }
}

/** Signs the message: 2,420 bytes, others each time (FIPS 204 §5.2, hedged, empty context). */
export function signMldsa(message: Uint8Array, key: Pick<MldsaKey, 'privateKey'>): Uint8Array {
  return signBytes(null, message, key.privateKey)
}

/** Verifies; a key or signature of another length is false. */
export function verifyMldsa(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const isWhole = publicKey.length === publicKeyBytes && signature.length === mldsaSignatureBytes
  return isWhole && verifyBytes(null, message, importPublicKey(publicKey), signature)
}

// As of Ed25519: who verifies many signatures verifies those of one key in a row.
let imported: { readonly bytes: Buffer; readonly key: KeyObject } | undefined

function importPublicKey(publicKey: Uint8Array): KeyObject {
  if (imported?.bytes.equals(publicKey)) return imported.key
  const bytes = Buffer.from(publicKey)
  const der = Buffer.concat([spkiPrefix, bytes])
  imported = { bytes, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
  return imported.key
}
