// @ts-check

import { fromBase64, sha256, toHex, utf8 } from '#src/pages/browser/bytes.js'
import { verifyStrictly } from '#src/pages/browser/strict_signature.js'
import { Failure, NotChecked } from '#src/pages/browser/verdict.js'

/**
 * A signed note (C2SP signed-note): the text that is signed, and who has signed, with the bytes of
 * key ID and signature.
 * @typedef {object} Note
 * @property {string} text
 * @property {{ name: string | undefined, bytes: Uint8Array<ArrayBuffer> }[]} signatures
 *
 * @typedef {object} NoteKey
 * @property {string} name
 * @property {string} keyId
 * @property {Uint8Array<ArrayBuffer>} publicKey
 */

/** The types of the keys of logs and of witnesses. */
export const logKeyType = 1
export const witnessKeyType = 4

/**
 * Reads a note; nothing of it is verified.
 * @param {string} note
 * @returns {Note}
 */
export function readNote(note) {
  const split = note.lastIndexOf('\n\n')
  if (split < 0) throw new Failure('the checkpoint has no signatures')
  return { text: note.slice(0, split + 1), signatures: readSignatures(note.slice(split + 2)) }
}

/**
 * The signature of a key in a note, if it has one that says so.
 * @param {Note} note
 * @param {NoteKey} key
 */
export function signatureBy({ signatures }, { name, keyId }) {
  const found = signatures.find(
    (one) => one.name === name && toHex(one.bytes.subarray(0, 4)) === keyId,
  )
  return found?.bytes.subarray(4)
}

/** @param {string} lines */
function readSignatures(lines) {
  if (!lines.endsWith('\n')) throw new Failure('the checkpoint has no end')
  return lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name, blob] = /^\u2014 ([^\s+]+) (\S+)$/.exec(line) ?? []
      if (blob === undefined) throw new Failure('a signature of the checkpoint is no signature')
      return { name, bytes: fromBase64(blob) }
    })
}

/**
 * Holds a signature against a message and a key.
 * @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature
 * @param {Uint8Array<ArrayBuffer>} publicKey
 */
export async function demandSignature(message, signature, publicKey) {
  const verdict = await verifyStrictly(message, signature, publicKey)
  if (verdict === 'unsupported') {
    throw new NotChecked('this browser cannot check Ed25519 signatures; a newer one can')
  }
  if (verdict === 'bad') throw new Failure('the signature is not one by the published key')
}

/**
 * Whether the type of a verifier key is one that is verified here: a log or a policy may name
 * others, such as those of ML-DSA.
 * @param {string} vkey
 */
export function isKnownKey(vkey) {
  const [, text = ''] = /^[^+\s]+\+[0-9a-f]{8}\+(\S+)$/.exec(vkey) ?? []
  const [type] = fromBase64(text)
  return type === undefined || type === logKeyType || type === witnessKeyType
}

/**
 * Reads a verifier key of a type.
 * @param {string} vkey
 * @param {number} type
 * @returns {Promise<NoteKey>}
 */
export async function readVkey(vkey, type) {
  const [, name = '', keyId = '', text = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? []
  const typed = fromBase64(text)
  const digest = await sha256(utf8.encode(`${name}\n`), typed)
  if (typed.length !== 33 || typed[0] !== type || toHex(digest.subarray(0, 4)) !== keyId) {
    throw new Failure('a published key is not as it must be')
  }
  return { name, keyId, publicKey: typed.subarray(1) }
}
