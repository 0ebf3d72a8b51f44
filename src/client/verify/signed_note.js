// @ts-check

import { isStrictPublicKey, verifyStrict } from '#src/client/verify/ed25519.js'
import { concatBytes, decodeBase64, encodeHex, sha256, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'

/** @import { Bytes, NoteKey, NoteSignature, UnverifiedNote } from '#src/client/verify/types.ts' */

/** The types of keys whose signatures are verified here, both of Ed25519: logs', witnesses'. */
export const logKeyType = 1
export const witnessKeyType = 4

const noteBytesMax = 1_000_000
const signaturesMax = 100
const cosignatureTimeBytes = 8
const signatureBytes = 64

/**
 * Whether signatures of a type are verified here.
 * @type {(type: number) => boolean}
 */
export function isKnownType(type) {
  return type === logKeyType || type === witnessKeyType
}

/**
 * Whether a text can name a key: not empty, no Unicode space, no control character, no `+`.
 * @type {(text: string) => boolean}
 */
export function isKeyName(text) {
  return text !== '' && text.isWellFormed() && !/[\s\p{Z}\p{Cc}+]/u.test(text)
}

/**
 * Reads a verifier key, `<name>+<id>+<base64 of type and key>`, in its one spelling. Of a type that
 * is unknown here the key may have any length and ID. Throws EvidenceError `malformed_vkey`.
 * @type {(vkey: string) => Promise<NoteKey>}
 */
export async function parseVkey(vkey) {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/.exec(vkey) ?? []
  const bytes = decodeBase64(encoded)
  const [type] = bytes ?? []
  if (!isKeyName(name) || bytes === undefined || type === undefined || bytes.length < 2) {
    throw malformedVkey()
  }
  if (isKnownType(type)) {
    const digest = await sha256(concatBytes(utf8(`${name}\n`), bytes))
    if (bytes.length !== 33 || encodeHex(digest.subarray(0, 4)) !== keyId) throw malformedVkey()
  }
  return { name, keyId, type, publicKey: bytes.slice(1) }
}

/**
 * Reads a verifier key whose signatures are to be verified: of that type, with an Ed25519 key that
 * every strict verifier accepts. Throws EvidenceError `malformed_vkey`.
 * @type {(vkey: string, type: number) => Promise<NoteKey>}
 */
export async function parseUsableVkey(vkey, type) {
  const key = await parseVkey(vkey)
  if (key.type === type && isStrictPublicKey(key.publicKey)) return key
  if (!isKnownType(key.type)) {
    const found = `the key of ${key.name} is of the unknown type ${formatType(key.type)}`
    const usable = `only Ed25519 is verified here, of the type ${formatType(type)}`
    throw new EvidenceError('malformed_vkey', `${found}: ${usable}`)
  }
  const wanted = type === logKeyType ? 'Ed25519' : 'cosigner'
  throw new EvidenceError('malformed_vkey', `the vkey does not hold a usable ${wanted} key`)
}

/**
 * A type as people write it: `0x06`.
 * @type {(type: number) => string}
 */
export function formatType(type) {
  return `0x${type.toString(16).padStart(2, '0')}`
}

function malformedVkey() {
  const message = 'not a verifier key: name+id+key with a matching id'
  return new EvidenceError('malformed_vkey', message)
}

/**
 * Reads a signed note (C2SP signed-note): text, a blank line, signature lines. Strict: no control
 * character but line feeds, canonical base64. Throws EvidenceError `malformed_note`.
 * @type {(note: string) => UnverifiedNote}
 */
export function parseNote(note) {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isPlain = note.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(note)
  // The text may hold blank lines; the last one in the note ends it.
  const split = note.lastIndexOf('\n\n')
  if (!isPlain || split < 0 || !note.endsWith('\n') || utf8(note).length > noteBytesMax) {
    throw malformedNote()
  }
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > signaturesMax) throw malformedNote()
  return { text: note.slice(0, split + 1), signatures: lines.map(parseSignature) }
}

/** @type {(line: string) => NoteSignature} */
function parseSignature(line) {
  const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (!isKeyName(name) || bytes === undefined || bytes.length < 5) throw malformedNote()
  return { name, keyId: encodeHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) }
}

function malformedNote() {
  return new EvidenceError('malformed_note', 'not a signed note')
}

/**
 * The signatures of a note by keys that one trusts, the first of each. Lines of other keys are
 * ignored. Throws EvidenceError `unverified_note` if one of these keys is wrong, or if there is
 * none.
 * @type {(
 *   given: UnverifiedNote,
 *   keys: readonly NoteKey[]
 * ) => Promise<readonly NoteSignature[]>}
 */
export async function verifyNote({ text, signatures }, keys) {
  /** @type {NoteSignature[]} */
  const verified = []
  for (const signature of signatures) {
    for (const key of keys.filter((known) => isBy(signature, known))) {
      if (!(await hasSigned(text, signature.bytes, key))) {
        throw new EvidenceError('unverified_note', `the signature of ${signature.name} is wrong`)
      }
      if (!verified.some((other) => isBy(other, key))) verified.push(signature)
    }
  }
  if (verified.length > 0) return verified
  throw new EvidenceError('unverified_note', 'the note has no signature of a known key')
}

/**
 * Whether a signature line says that it is by a key.
 * @type {(given: NoteSignature, key: NoteKey) => boolean}
 */
export function isBy({ name, keyId }, key) {
  return name === key.name && keyId === key.keyId
}

/** @type {(text: string, bytes: Bytes, beside: NoteKey) => Promise<boolean>} */
async function hasSigned(text, bytes, { type, publicKey }) {
  if (type === logKeyType) return verifyStrict(utf8(text), bytes, publicKey)
  const seconds = cosignatureSeconds(bytes)
  if (type !== witnessKeyType || seconds === undefined) return false
  const message = utf8(`cosignature/v1\ntime ${seconds}\n${text}`)
  return verifyStrict(message, bytes.slice(cosignatureTimeBytes), publicKey)
}

/**
 * When a witness signed (C2SP tlog-cosignature), in seconds of 1970; undefined for no time.
 * @type {(bytes: Bytes) => number | undefined}
 */
export function cosignatureSeconds(bytes) {
  if (bytes.length !== cosignatureTimeBytes + signatureBytes) return undefined
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined
}
