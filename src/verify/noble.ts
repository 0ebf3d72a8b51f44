import { Point } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'

import { cosignedMessage, decodeCosignature } from '#log/tlog/cosignature.ts'
import { isStrictSignature } from '#log/tlog/ed25519_policy.ts'
import { LogError } from '#log/base/errors.ts'
import type { TreeHasher } from '#log/tlog/hash.ts'
import { cosignatureType, ed25519Type, parseUsableVkey, type Verifier } from '#log/tlog/note.ts'

/** The SHA-256 of the offline verifier: 32 bytes, on @noble/hashes. */
export { sha256 }

/** RFC 6962 §2.1 hashing on @noble/hashes: a second implementation beside the server's own. */
export const nobleHasher: TreeHasher = {
  leafHash: (entry) => sha256.create().update(Uint8Array.of(0)).update(entry).digest(),
  nodeHash: (left, right) =>
    sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest(),
}

/**
 * Strict RFC 8032 verification of an Ed25519 signature (64 bytes) by a public key (32 bytes) on
 * @noble/ed25519: [S]B = R + [k]A without the cofactor (§5.1.7). Noble's own `verify` multiplies by
 * the cofactor in every mode, so that it accepts what others refuse. Wrong lengths, small-order
 * points and non-canonical encodings are false.
 */
export function verifyStrict(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (!isStrictSignature(publicKey, signature)) return false
  const key = decodePoint(publicKey)
  if (key === undefined) return false
  const r = signature.subarray(0, 32)
  const s = littleEndian(signature.subarray(32))
  const digest = sha512.create().update(r).update(publicKey).update(message).digest()
  const k = littleEndian(digest) % Point.CURVE().n
  // Nothing here is secret, so the faster multiplication that is not constant-time will do.
  const expected = Point.BASE.multiply(s, false).subtract(key.multiply(k, false)).toBytes()
  return expected.every((byte, index) => byte === r[index])
}

function decodePoint(encoded: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(encoded)
  } catch {
    return undefined
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes.toReversed()) value = value * 256n + BigInt(byte)
  return value
}

/**
 * The verifier of a witness' cosignatures (C2SP tlog-cosignature, type 0x04) by its vkey;
 * `malformed_vkey` otherwise.
 */
export function nobleCosignatureVerifier(vkey: string): Verifier {
  const { keyName, keyId, publicKey } = parseUsableVkey(vkey, cosignatureType)
  return { keyName, keyId, verify: (text, bytes) => verifyCosignature(text, bytes, publicKey) }
}

function verifyCosignature(text: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    const { timestamp, signature } = decodeCosignature(bytes)
    return verifyStrict(cosignedMessage(timestamp, text), signature, publicKey)
  } catch (error) {
    if (error instanceof LogError) return false
    throw error
  }
}

/** The note verifier of an Ed25519 vkey (signed-note type 0x01); `malformed_vkey` otherwise. */
export function nobleVerifier(vkey: string): Verifier {
  const { keyName, keyId, publicKey } = parseUsableVkey(vkey, ed25519Type)
  return { keyName, keyId, verify: (text, signature) => verifyStrict(text, signature, publicKey) }
}
