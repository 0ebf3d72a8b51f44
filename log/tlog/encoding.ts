import { LogError } from '#log/tlog/errors.ts'

/** Spells bytes in lower-case hex. It reads them where they are: a copy would take longer. */
export function encodeHex(bytes: Uint8Array): string {
  return encodeHexPart(bytes, 0, bytes.length)
}

/** Spells the bytes from `start` up to, not including, `end`. */
export function encodeHexPart(bytes: Uint8Array, start: number, end: number): string {
  if (bytes instanceof Buffer) return bytes.toString('hex', start, end)
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('hex')
}

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

/**
 * Reads a canonical ASCII decimal that is a safe integer: no sign, no leading zero, no exponent.
 * Anything else is undefined.
 */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}
