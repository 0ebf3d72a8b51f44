// @ts-check

import { isStrictPublicKey, verifyStrict } from '#src/client/verify/ed25519.js'
import { concatBytes, decodeBase64, encodeHex, sha256, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'

/** @import { Bytes, NoteKey, NoteSignature, UnverifiedNote } from '#src/client/verify/types.ts' */

// The types of keys whose signatures are verified here: Ed25519 over the text of a note, and with
// a time Ed25519 and ML-DSA-44.
const noteType = 1
const cosignatureType = 4
export const mldsaType = 6

/**
 * The types of the keys of logs, and of those of witnesses.
 * @type {readonly number[]}
 */
export const logKeyTypes = [noteType, mldsaType]
/** @type {readonly number[]} */
export const witnessKeyTypes = [cosignatureType, mldsaType]

const publicKeyBytes = new Map([
  [noteType, 32],
  [cosignatureType, 32],
  [mldsaType, 1_312],
])

const noteBytesMax = 1_000_000
const signaturesMax = 100
const cosignatureTimeBytes = 8
const ed25519SignatureBytes = 64
const mldsaSignatureBytes = 2_420
const nameBytesMax = 255

/**
 * Whether signatures of a type are verified here.
 * @type {(type: number) => boolean}
 */
export function isKnownType(type) {
  return publicKeyBytes.has(type)
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
    const isWhole = bytes.length - 1 === publicKeyBytes.get(type)
    if (!isWhole || encodeHex(digest.subarray(0, 4)) !== keyId) throw malformedVkey()
  }
  return { name, keyId, type, publicKey: bytes.slice(1) }
}

/**
 * Reads a verifier key whose signatures are to be verified: of one of these types and, if of
 * Ed25519, one that every strict verifier accepts. Throws EvidenceError `malformed_vkey`.
 * @type {(vkey: string, types: readonly number[]) => Promise<NoteKey>}
 */
export async function parseUsableVkey(vkey, types) {
  const key = await parseVkey(vkey)
  if (types.includes(key.type) && isSoundKey(key)) return key
  const usable = types.map(describeType).join(' or ')
  if (!isKnownType(key.type)) {
    const found = `the key of ${key.name} is of the unknown type ${formatType(key.type)}`
    throw new EvidenceError('malformed_vkey', `${found}: what is verified here is ${usable}`)
  }
  const found = `the vkey of ${key.name} holds no usable key of ${usable}`
  throw new EvidenceError('malformed_vkey', found)
}

/**
 * Whether a key can have made a signature: of Ed25519 some cannot be told from others.
 * @type {(given: NoteKey) => boolean}
 */
export function isSoundKey({ type, publicKey }) {
  return type === mldsaType || isStrictPublicKey(publicKey)
}

/** @type {(type: number) => string} */
function describeType(type) {
  const name = type === mldsaType ? 'ML-DSA-44' : 'Ed25519'
  return `${name} (type ${formatType(type).slice(2)})`
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
 * ignored. Throws EvidenceError `wrong_signature` if a line of one of these keys is wrong.
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
      if (!(await hasSignedOnce(text, signature.bytes, key))) {
        throw new EvidenceError('wrong_signature', `the signature of ${signature.name} is wrong`)
      }
      if (!verified.some((other) => isBy(other, key))) verified.push(signature)
    }
  }
  return verified
}

/**
 * Whether a signature line says that it is by a key.
 * @type {(given: NoteSignature, key: NoteKey) => boolean}
 */
export function isBy({ name, keyId }, key) {
  return name === key.name && keyId === key.keyId
}

// Files of one log have the same checkpoints: which lines were verified last is remembered, by the
// SHA-256 of all that their verification depends on.
const rememberedMax = 1_000
/** @type {Set<string>} */
const remembered = new Set()

/** @type {(text: string, bytes: Bytes, beside: NoteKey) => Promise<boolean>} */
async function hasSignedOnce(text, bytes, key) {
  const { name, type, publicKey } = key
  // No two lines have the same bytes here: each part ends where the lengths before it say.
  const sizes = utf8(`${type} ${publicKey.length} ${bytes.length} ${name}\n`)
  const digest = encodeHex(await sha256(concatBytes(sizes, publicKey, bytes, utf8(text))))
  if (remembered.has(digest)) return true
  if (!(await hasSigned(text, bytes, key))) return false
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.add(digest)
  return true
}

/** @type {(text: string, bytes: Bytes, beside: NoteKey) => Promise<boolean>} */
async function hasSigned(text, bytes, { name, type, publicKey }) {
  if (type === noteType) return verifyStrict(utf8(text), bytes, publicKey)
  const seconds = secondsOf(bytes)
  const signature = bytes.slice(cosignatureTimeBytes)
  if (seconds === undefined) return false
  if (type === cosignatureType) {
    if (seconds === 0) return false
    const message = utf8(`cosignature/v1\ntime ${seconds}\n${text}`)
    return verifyStrict(message, signature, publicKey)
  }
  const message = subtreeMessage(name, seconds, text)
  if (message === undefined) return false
  // Few notes have such a signature, and what verifies it is large.
  const { verifyMldsa } = await import('#src/client/verify/mldsa.js')
  return verifyMldsa(message, signature, publicKey)
}

/**
 * What is signed of a checkpoint with ML-DSA-44 (C2SP tlog-cosignature, subtree/v1); undefined for
 * a text that is none, has extension lines, or names of more than 255 bytes.
 * @type {(name: string, seconds: number, text: string) => Bytes | undefined}
 */
function subtreeMessage(name, seconds, text) {
  const [origin = '', size = '', root = '', ...end] = text.split('\n')
  const treeSize = readDecimal(size)
  const rootHash = decodeBase64(root)
  const names = [utf8(name), utf8(origin)].map((bytes) => {
    return bytes.length > 0 && bytes.length <= nameBytesMax
      ? concatBytes(Uint8Array.of(bytes.length), bytes)
      : undefined
  })
  const [signer, log] = names
  if (signer === undefined || log === undefined || treeSize === undefined) return undefined
  if (rootHash?.length !== 32 || end.length !== 1 || end[0] !== '') return undefined
  const label = utf8('subtree/v1\n\0')
  return concatBytes(label, signer, uint64(seconds), log, uint64(0), uint64(treeSize), rootHash)
}

/**
 * A decimal in its one spelling, below 2^53; undefined for any other text.
 * @type {(text: string) => number | undefined}
 */
export function readDecimal(text) {
  const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** @type {(number: number) => Bytes} */
function uint64(number) {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return bytes
}

/**
 * When a witness signed (C2SP tlog-cosignature), in seconds of 1970; undefined for no time.
 * @type {(bytes: Bytes) => number | undefined}
 */
export function cosignatureSeconds(bytes) {
  const seconds = secondsOf(bytes)
  return seconds === 0 ? undefined : seconds
}

/**
 * The same, and 0 for a log that does not say when.
 * @type {(bytes: Bytes) => number | undefined}
 */
function secondsOf(bytes) {
  const length = bytes.length - cosignatureTimeBytes
  if (length !== ed25519SignatureBytes && length !== mldsaSignatureBytes) return undefined
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  return Number.isSafeInteger(seconds) ? seconds : undefined
}
