import { isUtf8 } from 'node:buffer'

import { isStrictPublicKey } from '#log/tlog/key_form.ts'
import { decodeBase64, encodeBase64 } from '#log/tlog/encoding.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import { sha256 } from '#log/tlog/hash.ts'

/**
 * The signature types of notes that are verified here (C2SP signed-note): Ed25519 over the text of
 * a note, and cosignatures with a time, of Ed25519 and of ML-DSA-44.
 */
export const ed25519Type = 0x01
export const cosignatureType = 0x04
export const mldsaType = 0x06

/** The types of the keys by which a log, and by which a witness, is known. */
export const logKeyTypes: readonly number[] = [ed25519Type, mldsaType]
export const witnessKeyTypes: readonly number[] = [cosignatureType, mldsaType]

const publicKeyBytes: ReadonlyMap<number, number> = new Map([
  [ed25519Type, 32],
  [cosignatureType, 32],
  [mldsaType, 1_312],
])

/** Whether signatures of a type are verified here. Keys of other types are read, and never used. */
export function isKnownType(type: number): boolean {
  return publicKeyBytes.has(type)
}

/** A type as people write it: `0x06`. */
export function formatType(type: number): string {
  return `0x${type.toString(16).padStart(2, '0')}`
}

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

/**
 * Reads a verifier key; a text that is not its one canonical spelling is `malformed_vkey`. Of a
 * type that is unknown here the key may have any length, and its ID is what is written: how both
 * are made is for the specification of that type to say.
 */
export function parseVkey(text: string): VerifierKey {
  const [, keyName = '', idText = '', keyText = ''] = /^([^+]*)\+([^+]*)\+(.*)$/.exec(text) ?? []
  if (!isKeyName(keyName) || keyText === '') throw malformedVkey()
  let key: Uint8Array
  try {
    key = decodeBase64(keyText, 'the key')
  } catch (cause) {
    throw malformedVkey(cause)
  }
  const [type] = key
  const publicKey = key.subarray(1)
  const isWhole = publicKey.length > 0 && /^[0-9a-f]{8}$/.test(idText)
  if (type === undefined || !isWhole) throw malformedVkey()
  const keyId = Number.parseInt(idText, 16)
  if (isKnownType(type)) {
    if (publicKey.length !== publicKeyBytes.get(type)) throw malformedVkey()
    if (keyId !== computeKeyId(keyName, type, publicKey)) throw malformedVkey()
  }
  return { keyName, keyId, type, publicKey }
}

/**
 * Reads a verifier key whose signatures are to be verified: one of these types and, if of Ed25519,
 * one that every strict verifier accepts. Otherwise `malformed_vkey`, which says what is wrong.
 */
export function parseUsableVkey(text: string, types: readonly number[]): VerifierKey {
  const key = parseVkey(text)
  if (types.includes(key.type) && isSoundKey(key)) return key
  const usable = types.map(describeType).join(' or ')
  if (!isKnownType(key.type)) {
    const found = `the key of ${key.keyName} is of the unknown type ${formatType(key.type)}`
    throw new LogError('malformed_vkey', `${found}: what is verified here is ${usable}`)
  }
  const found = `the vkey of ${key.keyName} holds no usable key of ${usable}`
  throw new LogError('malformed_vkey', found)
}

/** Whether a key can have made a signature: of Ed25519 some cannot be told from others. */
export function isSoundKey({ type, publicKey }: VerifierKey): boolean {
  return type === mldsaType || isStrictPublicKey(publicKey)
}

function describeType(type: number): string {
  const name = type === mldsaType ? 'ML-DSA-44' : 'Ed25519'
  return `${name} (type ${formatType(type).slice(2)})`
}

function malformedVkey(cause?: unknown): LogError {
  return new LogError('malformed_vkey', 'not a verifier key: name+id+key with a matching id', {
    cause,
  })
}

/** Signature lines of a note at most; witnesses add one each. */
export const noteSignaturesMax = 100

/** Bytes of a signed note at most: a checkpoint with a hundred large signatures fits. */
export const noteBytesMax = 1_000_000

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacter = /[\u0000-\u0009\u000b-\u001f]/

/** One signature line: `— <key name> <base64 of key ID and signature>`. */
export type Signature = {
  readonly keyName: string
  readonly keyId: number
  readonly bytes: Uint8Array
}

/** A note as it was parsed: nobody has checked a signature of it yet. */
export type UnverifiedNote = {
  /** The signed text, its final line feed included. */
  readonly unverifiedText: string
  readonly signatures: readonly Signature[]
}

/** A note with at least one known signature, all known ones checked. */
export type VerifiedNote = {
  readonly text: string
  /** The signatures that were verified, and the ones whose keys are unknown. */
  readonly verified: readonly Signature[]
  readonly unknown: readonly Signature[]
}

/** Checks signatures of one key. `verify` gets the signed text and the bytes after the key ID. */
export type Verifier = {
  readonly keyName: string
  readonly keyId: number
  /** Of a log: the first line of its checkpoints, if that is not the name of its key. */
  readonly origin?: string
  verify(text: Uint8Array, signature: Uint8Array): boolean
}

/** Makes signatures of one key. */
export type Signer = {
  readonly keyName: string
  readonly keyId: number
  sign(text: Uint8Array): Uint8Array
}

/** Signs the checkpoints of a log under its origin; with a second key too, if there is one. */
export type LogSigner = Signer & { readonly second?: Signer }

/**
 * Parses a signed note (C2SP signed-note): text, a blank line, signature lines. Strict: valid
 * UTF-8, no control character but line feeds, canonical base64; otherwise `malformed_note`.
 */
export function parseNote(message: string | Uint8Array): UnverifiedNote {
  const whole = decodeMessage(message)
  // The text may hold blank lines; the last one in the message ends it.
  const split = whole.lastIndexOf('\n\n')
  if (split < 0 || !whole.endsWith('\n')) throw malformed()
  const lines = whole.slice(split + 2, -1).split('\n')
  if (lines.length > noteSignaturesMax) throw malformed()
  return { unverifiedText: whole.slice(0, split + 1), signatures: lines.map(parseSignature) }
}

function decodeMessage(message: string | Uint8Array): string {
  // A lone surrogate in a string would turn into U+FFFD on its way to bytes, so it is seen here.
  if (typeof message === 'string' && !message.isWellFormed()) throw malformed()
  const bytes = Buffer.from(message)
  if (bytes.length > noteBytesMax || !isUtf8(bytes)) throw malformed()
  const text = bytes.toString()
  if (controlCharacter.test(text)) throw malformed()
  return text
}

function parseSignature(line: string): Signature {
  const [, keyName = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  if (!isKeyName(keyName)) throw malformed()
  let blob: Uint8Array
  try {
    blob = decodeBase64(encoded, 'a signature')
  } catch (cause) {
    throw malformed(cause)
  }
  if (blob.length < 5) throw malformed()
  return { keyName, keyId: Buffer.from(blob).readUInt32BE(0), bytes: blob.subarray(4) }
}

function malformed(cause?: unknown): LogError {
  return new LogError('malformed_note', 'not a signed note', { cause })
}

/** Writes a signed note. `text` ends with a line feed and has no other control characters. */
export function formatNote(text: string, signatures: readonly Signature[]): string {
  assert(text.endsWith('\n'), 'the text of a note ends with a line feed')
  assert(text.isWellFormed() && !controlCharacter.test(text), 'the text of a note is plain')
  assert(signatures.length > 0, 'a signed note has a signature')
  return `${text}\n${signatures.map(formatSignature).join('')}`
}

/** One signature line, its line feed included. */
export function formatSignature(signature: Signature): string {
  assert(isKeyName(signature.keyName), 'a signature names its key')
  const blob = Buffer.alloc(4 + signature.bytes.length)
  blob.writeUInt32BE(signature.keyId, 0)
  blob.set(signature.bytes, 4)
  return `\u2014 ${signature.keyName} ${encodeBase64(blob)}\n`
}

/** Signs a text with every signer: the whole note. */
export function signNote(text: string, signers: readonly Signer[]): string {
  const bytes = Buffer.from(text)
  const signatures = signers.map((signer) => ({
    keyName: signer.keyName,
    keyId: signer.keyId,
    bytes: signer.sign(bytes),
  }))
  return formatNote(text, signatures)
}

/**
 * Opens a note with the keys one trusts. Lines of unknown keys are set aside; a line of a known key
 * that does not verify, or no line of a known key at all, is `unverified_note`. A key counts once,
 * however many lines it has.
 */
export function openNote(
  message: string | Uint8Array,
  verifiers: readonly Verifier[],
): VerifiedNote {
  return verifyNote(parseNote(message), verifiers)
}

/** Opens a note that was parsed already, as `openNote` does. */
export function verifyNote(
  { unverifiedText, signatures }: UnverifiedNote,
  verifiers: readonly Verifier[],
): VerifiedNote {
  const bytes = Buffer.from(unverifiedText)
  const verified: Signature[] = []
  const unknown: Signature[] = []
  for (const signature of signatures) {
    const matches = verifiers.filter((known) => isSameKey(known, signature))
    assert(matches.length <= 1, `two trusted keys share the name ${signature.keyName} and the ID`)
    const [verifier] = matches
    if (verifier === undefined) unknown.push(signature)
    else if (!verifier.verify(bytes, signature.bytes)) {
      throw new LogError('unverified_note', `the signature of ${signature.keyName} is wrong`)
    } else if (!verified.some((other) => isSameKey(other, signature))) {
      verified.push(signature)
    }
  }
  if (verified.length === 0) {
    throw new LogError('unverified_note', 'the note has no signature of a known key')
  }
  return { text: unverifiedText, verified, unknown }
}

type KeyOfNote = { readonly keyName: string; readonly keyId: number }

function isSameKey(left: KeyOfNote, right: KeyOfNote): boolean {
  return left.keyName === right.keyName && left.keyId === right.keyId
}
