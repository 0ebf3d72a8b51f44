import {
  generateKeyPairSync,
  hkdfSync,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'

import { KeyForm, type KeyPair } from '#log/tlog/key_form.ts'

/** An ML-DSA-44 key pair (FIPS 204): the public part has 1,312 bytes. */
export type MldsaKey = KeyPair

/** Bytes of a public key and of a signature (FIPS 204 §4, table 2). */
const publicKeyBytes = 1_312
export const mldsaSignatureBytes = 2_420

const mldsaLogInfo = 'arklog/log-key/ml-dsa-44'

/** How such keys are made and read (RFC 9881 §4 and §6). */
export const mldsaKeys: KeyForm = new KeyForm({
  type: 'ml-dsa-44',
  make: () => generateKeyPairSync('ml-dsa-44').privateKey,
  name: 'ML-DSA-44',
  seedPrefix: '3034020100300b060960864801650304031104228020',
  spkiPrefix: '30820532300b06096086480165030403110382052100',
})

/**
 * The second key of a log, from the seed of its Ed25519 key (HKDF-SHA256, RFC 5869): a log has one
 * key file, and whoever has it has both keys. An Ed25519 public key gives away at most the scalar,
 * which is a hash of the seed (RFC 8032 §5.1.5): who computes it has not the seed, nor this key.
 */
export function mldsaKeyOfLog({ privateKey }: KeyPair): MldsaKey {
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const seed = Buffer.from(d, 'base64url')
  return mldsaKeys.fromSeed(new Uint8Array(hkdfSync('sha256', seed, '', mldsaLogInfo, 32)))
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
  return isWhole && verifyBytes(null, message, mldsaKeys.importPublic(publicKey), signature)
}
