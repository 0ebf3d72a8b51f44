import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { isStrictSignature } from '#log/tlog/ed25519_policy.ts'
import { assert, LogError } from '#log/base/errors.ts'
import {
  computeKeyId,
  ed25519Type,
  parseUsableVkey,
  type Signer,
  type Verifier,
} from '#log/tlog/note.ts'

/** An Ed25519 key pair (RFC 8032): the private part opaque, the public part 32 bytes. */
export type Ed25519Key = { readonly privateKey: KeyObject; readonly publicKey: Uint8Array }

// The fixed DER that stands before the raw 32 bytes (RFC 8410).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Makes a new key from the system's randomness. */
export function generateKey(): Ed25519Key {
  return keyOf(generateKeyPairSync('ed25519').privateKey)
}

/** The key of a 32-byte seed. */
export function keyFromSeed(seed: Uint8Array): Ed25519Key {
  assert(seed.length === 32, 'an Ed25519 seed has 32 bytes')
  const der = Buffer.concat([pkcs8Prefix, seed])
  return keyOf(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/** Reads a private key in PEM (PKCS #8); anything else is `malformed_private_key`. */
export function parsePrivateKey(pem: string): Ed25519Key {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(pem)
  } catch (cause) {
    throw new LogError('malformed_private_key', 'the private key is not PEM (PKCS #8)', { cause })
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new LogError('malformed_private_key', 'the private key is not an Ed25519 key')
  }
  return keyOf(privateKey)
}

/** Writes a private key as PEM (PKCS #8). */
export function formatPrivateKey(key: Ed25519Key): string {
  return key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

function keyOf(privateKey: KeyObject): Ed25519Key {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: new Uint8Array(der.subarray(spkiPrefix.length)) }
}

/** Signs the message: 64 bytes, the same for the same message (RFC 8032 §5.1.6). */
export function sign(message: Uint8Array, key: Pick<Ed25519Key, 'privateKey'>): Uint8Array {
  return signBytes(null, message, key.privateKey)
}

/** Verifies strictly; a malformed key or signature is false, on every runtime alike. */
export function verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isStrictSignature(publicKey, signature)) return false
  return verifyBytes(null, message, importPublicKey(publicKey), signature)
}

// Who verifies many signatures verifies those of one key in a row, and importing it takes two
// fifths of the time of a verification.
let imported: { readonly bytes: Buffer; readonly key: KeyObject } | undefined

function importPublicKey(publicKey: Uint8Array): KeyObject {
  if (imported?.bytes.equals(publicKey)) return imported.key
  const bytes = Buffer.from(publicKey)
  const der = Buffer.concat([spkiPrefix, bytes])
  imported = { bytes, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
  return imported.key
}

/** Signs notes under a key name with signature type 0x01 (C2SP signed-note). */
export function noteSigner(keyName: string, key: Ed25519Key): Signer {
  const keyId = computeKeyId(keyName, ed25519Type, key.publicKey)
  return { keyName, keyId, sign: (text) => sign(text, key) }
}

/** Verifies note signatures of the type 0x01 by a vkey; another type is `malformed_vkey`. */
export function noteVerifier(vkey: string): Verifier {
  const { keyName, keyId, publicKey } = parseUsableVkey(vkey, [ed25519Type])
  return { keyName, keyId, verify: (text, signature) => verify(text, signature, publicKey) }
}
