import { LogError } from '#log/errors.ts'

/** Encodes bytes in the standard alphabet with padding (RFC 4648 §4). */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/**
 * Decodes canonical base64 only: what does not re-encode to the same text is `malformed_base64`.
 * Node's own decoder skips strange characters and accepts stray bits. `label` names the value.
 */
export function decodeBase64(text: string, label: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) {
    throw new LogError('malformed_base64', `${label} is not canonical base64`)
  }
  return new Uint8Array(bytes)
}
