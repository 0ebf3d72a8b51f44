import type { StatementSigner } from '#actors/receipts/statement.ts'
import type { Ed25519Key } from '#log/ed25519.ts'
import { sha256 } from '#log/hash.ts'
import { SigningThread } from '#log/signing_thread.ts'

// The DER that stands before the raw key in a SubjectPublicKeyInfo (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const keyIdBytes = 8

/**
 * The id of a receipt key: the first 8 bytes of the SHA-256 of its SubjectPublicKeyInfo, in hex.
 * `publicKey` are 64 hex digits. It is a name for people, never a proof.
 */
export function receiptKeyId(publicKey: string): string {
  const spki = Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')])
  return Buffer.from(sha256(spki)).toString('hex', 0, keyIdBytes)
}

/** Signs with one receipt key; `publicKey` is its public half, as 64 hex digits. */
export type ReceiptSigner = StatementSigner & { readonly publicKey: string }

/** Signs statements with a receipt key, beside the main thread: a mint's dearest step. */
export function statementSigner(key: Ed25519Key): ReceiptSigner {
  const thread = new SigningThread(key)
  const publicKey = Buffer.from(key.publicKey).toString('hex')
  return {
    publicKey,
    sign: async (message) => ({ publicKey, signature: await thread.sign(message) }),
  }
}
