// @ts-check

const fieldPrime = 2n ** 255n - 19n
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

// The y coordinates of the eight points of small order: a key of theirs signs anything.
const smallOrderY = new Set([
  0n,
  1n,
  fieldPrime - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

/**
 * Whether an Ed25519 signature (64 bytes) of a message is one by a public key (32 bytes), strictly:
 * keys and points of small order, other spellings of a point, an S that is too large, and wrong
 * lengths are `bad` (RFC 8032 §5.1.7). `unsupported`: this browser cannot tell.
 * @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature
 * @param {Uint8Array<ArrayBuffer>} publicKey
 * @returns {Promise<'good' | 'bad' | 'unsupported'>}
 */
export async function verifyStrictly(message, signature, publicKey) {
  if (publicKey.length !== 32 || signature.length !== 64) return 'bad'
  if (!isStrictPoint(publicKey) || !isStrictPoint(signature.subarray(0, 32))) return 'bad'
  if (littleEndian(signature.subarray(32)) >= groupOrder) return 'bad'
  const { subtle } = globalThis.crypto
  let key
  try {
    key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  } catch (error) {
    const isUnknown = error instanceof DOMException && error.name === 'NotSupportedError'
    return isUnknown ? 'unsupported' : 'bad'
  }
  return (await subtle.verify('Ed25519', key, signature, message)) ? 'good' : 'bad'
}

/** @param {Uint8Array} encoded */
function isStrictPoint(encoded) {
  const y = littleEndian(encoded) & (2n ** 255n - 1n)
  return y < fieldPrime && !smallOrderY.has(y)
}

/** @param {Uint8Array} bytes */
function littleEndian(bytes) {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}
