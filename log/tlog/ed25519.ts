import { generateKeyPairSync, sign as signBytes, verify as verifyBytes } from 'node:crypto'
import { isStrictSignature, KeyForm, type KeyPair } from '#log/tlog/key_form.ts'
import {
  computeKeyId,
  ed25519Type,
  parseUsableVkey,
  type Signer,
  type Verifier,
} from '#log/tlog/note.ts'

/** An Ed25519 key pair (RFC 8032): the public part has 32 bytes. */
export type Ed25519Key = KeyPair

/** How such keys are made and read (RFC 8410). */
export const ed25519Keys: KeyForm = new KeyForm({
  type: 'ed25519',
  make: () => generateKeyPairSync('ed25519').privateKey,
  name: 'Ed25519',
  seedPrefix: '302e020100300506032b657004220420',
  spkiPrefix: '302a300506032b6570032100',
})

/** Writes a private key as PEM (PKCS #8). */
export function formatPrivateKey(key: Ed25519Key): string {
  return key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** Signs the message: 64 bytes, the same for the same message (RFC 8032 §5.1.6). */
export function sign(message: Uint8Array, key: Pick<Ed25519Key, 'privateKey'>): Uint8Array {
  return signBytes(null, message, key.privateKey)
}

/** Verifies strictly; a malformed key or signature is false, on every runtime alike. */
export function verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (!isStrictSignature(publicKey, signature)) return false
  return verifyBytes(null, message, ed25519Keys.importPublic(publicKey), signature)
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
