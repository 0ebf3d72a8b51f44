/** Spells bytes in lower-case hex. It reads them where they are: a copy would take longer. */
export function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}
