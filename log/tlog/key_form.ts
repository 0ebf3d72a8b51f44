import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

import { assert, LogError } from '#log/tlog/errors.ts'

/** A key pair: the private part opaque, the public part the raw bytes of its algorithm. */
export type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: Uint8Array }

/**
 * An algorithm as `node:crypto` knows it: what makes a new private key, and the fixed DER before
 * its seeds and raw public keys.
 */
type KeyAlgorithm = {
  readonly type: 'ed25519' | 'ml-dsa-44'
  readonly make: () => KeyObject
  readonly name: string
  readonly seedPrefix: string
  readonly spkiPrefix: string
}

/** How the keys of one signature algorithm are made and read. */
export class KeyForm {
  readonly #type: KeyAlgorithm['type']
  readonly #make: KeyAlgorithm['make']
  readonly #name: string
  readonly #seedPrefix: Buffer
  readonly #spkiPrefix: Buffer
  // Who verifies many signatures verifies those of one key in a row, and importing it takes two
  // fifths of the time of a verification of Ed25519.
  #imported: { readonly bytes: Buffer; readonly key: KeyObject } | undefined

  /** Prefixes are in hexadecimal. */
  constructor({ type, make, name, seedPrefix, spkiPrefix }: KeyAlgorithm) {
    this.#type = type
    this.#make = make
    this.#name = name
    this.#seedPrefix = Buffer.from(seedPrefix, 'hex')
    this.#spkiPrefix = Buffer.from(spkiPrefix, 'hex')
  }

  /** Makes a new key from the system's randomness. */
  generate(): KeyPair {
    return this.#pairOf(this.#make())
  }

  /** The key of a 32-byte seed. */
  fromSeed(seed: Uint8Array): KeyPair {
    assert(seed.length === 32, `an ${this.#name} seed has 32 bytes`)
    const der = Buffer.concat([this.#seedPrefix, seed])
    return this.#pairOf(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  }

  /** Reads a private key in PEM (PKCS #8); anything else is `malformed_private_key`. */
  parse(pem: string): KeyPair {
    let privateKey: KeyObject
    try {
      privateKey = createPrivateKey(pem)
    } catch (cause) {
      throw new LogError('malformed_private_key', 'the private key is not PEM (PKCS #8)', { cause })
    }
    if (privateKey.asymmetricKeyType !== this.#type) {
      throw new LogError('malformed_private_key', `the private key is not an ${this.#name} key`)
    }
    return this.#pairOf(privateKey)
  }

  /** The raw bytes of a public key as what verifies with them; the last one is kept. */
  importPublic(publicKey: Uint8Array): KeyObject {
    if (this.#imported?.bytes.equals(publicKey)) return this.#imported.key
    const bytes = Buffer.from(publicKey)
    const der = Buffer.concat([this.#spkiPrefix, bytes])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    this.#imported = { bytes, key }
    return key
  }

  #pairOf(privateKey: KeyObject): KeyPair {
    const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
    return { privateKey, publicKey: new Uint8Array(der.subarray(this.#spkiPrefix.length)) }
  }
}

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
