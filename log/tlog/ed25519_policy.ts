const publicKeyBytes = 32

/** Bytes of an Ed25519 signature, R and S (RFC 8032 §5.1.6). */
export const signatureBytes = 64

const fieldPrime = 2n ** 255n - 19n
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

// The y coordinates of the eight points of small order; both signs of x are meant.
const smallOrderY: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  fieldPrime - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

/**
 * Whether key and signature have the one form that every strict verifier accepts: right lengths,
 * canonical A and R that are not of small order, and S below the group order (RFC 8032 §5.1.7).
 * Verifiers disagree about everything this refuses, so it is asked before any of them.
 */
export function isStrictSignature(publicKey: Uint8Array, signature: Uint8Array): boolean {
  if (!isStrictPublicKey(publicKey) || signature.length !== signatureBytes) return false
  if (!isStrictPoint(signature.subarray(0, 32))) return false
  return littleEndian(signature.subarray(32)) < groupOrder
}

/** Whether a public key has 32 bytes, is canonically encoded and not of small order. */
export function isStrictPublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === publicKeyBytes && isStrictPoint(publicKey)
}

function isStrictPoint(encoded: Uint8Array): boolean {
  const y = littleEndian(encoded) & (2n ** 255n - 1n)
  return y < fieldPrime && !smallOrderY.has(y)
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}
