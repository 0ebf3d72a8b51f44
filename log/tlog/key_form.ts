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
