declare const byteTextBrand: unique symbol

/**
 * Bytes as a text, of which each character is one of them (ISO 8859-1). Such texts are joined, cut
 * and sent without being copied each time, as arrays of bytes would be.
 */
export type ByteText = string & { readonly [byteTextBrand]: true }

const beyondAscii = /[^\x00-\x7f]/

/** The UTF-8 of a text. */
export function encodeText(text: string): ByteText {
  // Nearly all texts are their own encoding.
  return (beyondAscii.test(text) ? Buffer.from(text).toString('latin1') : text) as ByteText
}

/** The text of which this is the UTF-8. */
export function decodeText(bytes: ByteText): string {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

/** Bytes as they are. */
export function readBytes(bytes: Uint8Array): ByteText {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1') as ByteText
}

/** The same as an array. */
export function bytesOf(text: ByteText): Buffer {
  return Buffer.from(text, 'latin1')
}
