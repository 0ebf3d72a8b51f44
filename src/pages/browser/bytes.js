// @ts-check

import { Failure } from '#src/pages/browser/verdict.js'

/** Makes bytes of text. */
export const utf8 = new TextEncoder()

/**
 * The SHA-256 of byte strings, one after the other.
 * @param {Uint8Array<ArrayBuffer>[]} parts
 */
export async function sha256(...parts) {
  const [only] = parts
  const bytes = parts.length === 1 && only !== undefined ? only : join(parts)
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes))
}

/** @param {Uint8Array<ArrayBuffer>[]} parts */
function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Spells bytes in lower-case hex.
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Bytes of hex digits.
 * @param {string} text Pairs of digits.
 */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/**
 * Spells bytes in base64.
 * @param {Uint8Array} bytes
 */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Decodes base64 in its one spelling only.
 * @param {string} text
 */
export function fromBase64(text) {
  let binary = ''
  try {
    binary = atob(text)
  } catch {
    throw new Failure('a text is not base64')
  }
  if (btoa(binary) !== text) throw new Failure('a text is not base64 in its one spelling')
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
