// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'

/**
 * @import { Bytes } from '#src/client/verify/types.ts'
 *
 * The parts of the cryptography of Node.js that are used here.
 * @typedef {object} NodeCrypto
 * @property {(name: string, data: Bytes, encoding: 'buffer') => Uint8Array} hash
 * @property {(given: { key: Bytes, format: 'der', type: 'spki' }) => object} createPublicKey
 * @property {(digest: null, message: Bytes, key: object, signature: Bytes) => boolean} verify
 */

// What is longer is hashed by another thread.
const shortBytesMax = 65_536

/**
 * The cryptography of Node.js, which answers at once: Web Crypto has another thread do each hash
 * and signature, and to wait for one takes longer than what it does. Undefined elsewhere.
 */
export const nodeCrypto = /** @type {{
 *   process?: { getBuiltinModule?: (name: string) => NodeCrypto | undefined }
 * }} */ (globalThis).process?.getBuiltinModule?.('node:crypto')

const encoder = new TextEncoder()

/** The DER that stands before a raw Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
export const ed25519Spki = Uint8Array.from([
  0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
])

/**
 * The UTF-8 of a text.
 * @type {(text: string) => Bytes}
 */
export function utf8(text) {
  return encoder.encode(text)
}

/**
 * SHA-256: 32 bytes.
 * @type {(bytes: Bytes) => Promise<Bytes>}
 */
export async function sha256(bytes) {
  if (nodeCrypto?.hash !== undefined && bytes.length <= shortBytesMax) {
    return new Uint8Array(nodeCrypto.hash('sha256', bytes, 'buffer'))
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/**
 * The bytes of all parts, one after the other.
 * @type {(...parts: readonly Uint8Array[]) => Bytes}
 */
export function concatBytes(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Whether two byte strings are the same. What is compared is public, so timing tells nothing.
 * @type {(left: Uint8Array, right: Uint8Array) => boolean}
 */
export function equalBytes(left, right) {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/**
 * Lower-case hex.
 * @type {(bytes: Uint8Array) => string}
 */
export function encodeHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The bytes of hex digits, which the caller has seen to be such.
 * @type {(text: string) => Bytes}
 */
export function decodeHex(text) {
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16)
  }
  return bytes
}

/**
 * Standard base64 with padding (RFC 4648 §4).
 * @type {(bytes: Uint8Array) => string}
 */
export function encodeBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/**
 * The bytes of canonical base64; undefined for what would be spelled otherwise.
 * @type {(text: string) => Bytes | undefined}
 */
export function decodeBase64(text) {
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
  // The bits of the last character that stand for no byte must be zero.
  if (!isBase64 || !/(?:^|[^=]|[AEIMQUYcgkosw048]=|[AQgw]==)$/.test(text)) return undefined
  const signs = atob(text)
  const bytes = new Uint8Array(signs.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = signs.charCodeAt(at)
  return bytes
}

/**
 * The canonical JSON of a value (RFC 8785): members sorted by their UTF-16 code units, no white
 * space. Members that are undefined are left out, as `JSON.stringify` does. Throws EvidenceError
 * `no_canonical_form` for what has none: lone surrogates, numbers that are not finite.
 * @type {(value: unknown) => string}
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([left], [right]) => (left < right ? -1 : 1))
    const texts = members.map(([name, member]) => `${spell(name)}:${canonicalJson(member)}`)
    return `{${texts.join(',')}}`
  }
  return spell(value)
}

/** @type {(value: unknown) => string} */
function spell(value) {
  const isSpelled =
    value === null ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (typeof value === 'string' && value.isWellFormed())
  if (isSpelled) return JSON.stringify(value)
  throw new EvidenceError('no_canonical_form', 'The value has no canonical JSON (RFC 8785)')
}
