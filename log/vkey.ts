import { decodeBase64, encodeBase64 } from '#log/encoding.ts'
import { LogError } from '#log/errors.ts'
import { sha256 } from '#log/hash.ts'

/** Signature types of notes that the log uses (C2SP signed-note). */
export const ed25519Type = 0x01
export const cosignatureType = 0x04

/** A verifier key: `<key name>+<8 hex digits of the key ID>+<base64 of type and public key>`. */
export type VerifierKey = {
  readonly keyName: string
  readonly keyId: number
  readonly type: number
  readonly publicKey: Uint8Array
}

/** The 32-bit key ID: the first 4 bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key). */
export function computeKeyId(keyName: string, type: number, publicKey: Uint8Array): number {
  const head = Buffer.from(`${keyName}\n`)
  const digest = sha256(Buffer.concat([head, Uint8Array.of(type), publicKey]))
  return Buffer.from(digest).readUInt32BE(0)
}

/** Whether a text can name a key: not empty, no Unicode space, no control character, no `+`. */
export function isKeyName(text: string): boolean {
  return text.length > 0 && text.isWellFormed() && !/[\s\p{Z}\p{Cc}+]/u.test(text)
}

/** Writes a verifier key; its ID is computed. */
export function formatVkey(keyName: string, type: number, publicKey: Uint8Array): string {
  const keyId = computeKeyId(keyName, type, publicKey).toString(16).padStart(8, '0')
  const key = Buffer.concat([Uint8Array.of(type), publicKey])
  return `${keyName}+${keyId}+${encodeBase64(key)}`
}

/** Reads a verifier key; a text that is not its one canonical spelling is `malformed_vkey`. */
export function parseVkey(text: string): VerifierKey {
  const [, keyName = '', idText = '', keyText = ''] = /^([^+]*)\+([^+]*)\+(.*)$/.exec(text) ?? []
  if (!isKeyName(keyName) || keyText === '') throw malformed()
  let key: Uint8Array
  try {
    key = decodeBase64(keyText, 'the key')
  } catch (cause) {
    throw malformed(cause)
  }
  const [type] = key
  if (type === undefined || key.length !== 33) throw malformed()
  const publicKey = key.subarray(1)
  const keyId = computeKeyId(keyName, type, publicKey)
  if (idText !== keyId.toString(16).padStart(8, '0')) throw malformed()
  return { keyName, keyId, type, publicKey }
}

function malformed(cause?: unknown): LogError {
  return new LogError('malformed_vkey', 'not a verifier key: name+id+key with a matching id', {
    cause,
  })
}
