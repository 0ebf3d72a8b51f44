import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

import { assert } from '#log/tlog/errors.ts'
import { invitationIdBytes } from '#src/cluster/invitation.ts'

/** A key for one exchange (X25519, RFC 7748): its public half is 32 bytes. */
export type ExchangeKey = { readonly publicKey: Uint8Array; readonly privateKey: KeyObject }

/** The keys of one copy: chunks are sealed with one, and asked for under the other. */
export type CopyKeys = { readonly seal: Uint8Array; readonly ask: Uint8Array }

const keyBytes = 32

/** Bytes of a tag, and of a public key. */
const tagBytes = 32
export const publicKeyBytes = 32

/** Draws a key for one exchange. */
export function drawExchangeKey(): ExchangeKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { publicKey: Buffer.from(x, 'base64url'), privateKey }
}

/**
 * The keys of a copy, which both ends derive (HKDF-SHA256, RFC 5869) from the secret of the
 * invitation and from keys that they have drawn for this copy alone: so an eavesdropper who has
 * recorded it and finds the token afterwards opens nothing. Undefined if the other end's public key
 * is none.
 */
export function deriveCopyKeys(
  secret: Uint8Array,
  own: ExchangeKey,
  ends: { readonly joining: Uint8Array; readonly inviting: Uint8Array },
): CopyKeys | undefined {
  const { joining, inviting } = ends
  const other = Buffer.compare(own.publicKey, joining) === 0 ? inviting : joining
  const agreed = agree(own.privateKey, other)
  if (agreed === undefined) return undefined
  const material = Buffer.concat([agreed, secret])
  const salt = Buffer.concat([joining, inviting])
  const derive = (purpose: string) => derived(material, salt, `arklog join 1 ${purpose}`)
  return { seal: derive('seal'), ask: derive('ask') }
}

function agree(privateKey: KeyObject, other: Uint8Array): Buffer | undefined {
  try {
    const jwk = { kty: 'OKP', crv: 'X25519', x: Buffer.from(other).toString('base64url') }
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
  } catch {
    return undefined
  }
}

/** The key under which the first messages of both ends are tagged. */
export function greetingKey(secret: Uint8Array): Uint8Array {
  return derived(secret, new Uint8Array(), 'arklog join 1 greeting')
}

function derived(material: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', material, salt, purpose, keyBytes))
}

/** A tag over parts of known lengths (HMAC-SHA256), which only who has the key can make. */
export function tagOf(key: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const tag = createHmac('sha256', key)
  for (const part of parts) tag.update(part)
  return tag.digest()
}

/** Whether a tag is the one over these parts. */
export function isTagOf(key: Uint8Array, parts: readonly Uint8Array[], tag: Uint8Array): boolean {
  return tag.length === tagBytes && timingSafeEqual(tagOf(key, parts), tag)
}

/** Bytes that sealing adds to a chunk: whether it is the last one, and its tag. */
const flagBytes = 1
const chunkTagBytes = 16

/** What a chunk holds once it is opened, and whether none comes after it. */
export type OpenedChunk = { readonly bytes: Buffer; readonly isLast: boolean }

/**
 * Seals a chunk of a stream (AES-256-GCM, `key` of 32 bytes). Its place, and whether it is the last
 * one, are in its nonce, as STREAM has them (Hoang, Reyhanitabar, Rogaway, Vizár, 2015): so of a
 * stream nothing can be left out, put elsewhere or cut off unnoticed. A key seals one stream.
 */
export function sealChunk(key: Uint8Array, index: number, { bytes, isLast }: OpenedChunk): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, isLast))
  const sealed = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([Buffer.of(isLast ? 1 : 0), ...sealed, cipher.getAuthTag()])
}

/** Opens the chunk at a place of a stream; undefined if it is not that one, as it was sealed. */
export function openChunk(
  key: Uint8Array,
  index: number,
  sealed: Uint8Array,
): OpenedChunk | undefined {
  const [flag] = sealed
  if (sealed.length < flagBytes + chunkTagBytes || (flag !== 0 && flag !== 1)) return undefined
  const isLast = flag === 1
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, isLast))
  decipher.setAuthTag(sealed.subarray(sealed.length - chunkTagBytes))
  try {
    const bytes = decipher.update(sealed.subarray(flagBytes, sealed.length - chunkTagBytes))
    return { bytes: Buffer.concat([bytes, decipher.final()]), isLast }
  } catch {
    return undefined
  }
}

function nonceOf(index: number, isLast: boolean): Buffer {
  assert(Number.isSafeInteger(index) && index >= 0, 'a chunk has a place')
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 0)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** What a node that joins asks of the one that invites. */
export type JoinQuestion =
  /** Begins a copy, which uses the invitation up; the tag is under its greeting key. */
  | {
      readonly type: 'begin'
      readonly id: Uint8Array
      readonly publicKey: Uint8Array
      readonly tag: Uint8Array
    }
  /** Asks for a chunk of the copy; the tag is under the copy's own key. */
  | {
      readonly type: 'fetch'
      readonly id: Uint8Array
      readonly index: number
      readonly tag: Uint8Array
    }

/** Why an answer is none. */
export type JoinRefusal = 'unknown' | 'used' | 'busy' | 'failed'

/** What comes back: the other end's public key with its tag, a sealed chunk, or a refusal. */
export type JoinAnswer =
  | { readonly type: 'given'; readonly bytes: Buffer }
  | { readonly type: 'refused'; readonly why: JoinRefusal }

const begin = 1
const fetching = 2
const indexBytes = 4
const refusals: readonly JoinRefusal[] = ['unknown', 'used', 'busy', 'failed']

/** The subject on which a node answers one that joins by it. */
export function joinSubject(node: string): string {
  return `arklog.join.${node}`
}

/** The place of a chunk, as it is asked for and tagged. */
export function encodeIndex(index: number): Buffer {
  const bytes = Buffer.alloc(indexBytes)
  bytes.writeUInt32BE(index)
  return bytes
}

/** Writes a question: its type, the id, the public key or the place, and the tag. */
export function encodeQuestion(question: JoinQuestion): Buffer {
  const { id, tag } = question
  if (question.type === 'begin') {
    return Buffer.concat([Buffer.of(begin), id, question.publicKey, tag])
  }
  return Buffer.concat([Buffer.of(fetching), id, encodeIndex(question.index), tag])
}

/** Reads a question; undefined if it is none. */
export function decodeQuestion(bytes: Uint8Array): JoinQuestion | undefined {
  const question = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const id = question.subarray(1, 1 + invitationIdBytes)
  const said = question.subarray(1 + invitationIdBytes, -tagBytes)
  const tag = question.subarray(-tagBytes)
  if (question.length < 1 + invitationIdBytes + tagBytes) return undefined
  if (question[0] === begin && said.length === publicKeyBytes) {
    return { type: 'begin', id, publicKey: said, tag }
  }
  if (question[0] === fetching && said.length === indexBytes) {
    return { type: 'fetch', id, index: said.readUInt32BE(), tag }
  }
  return undefined
}

/** Writes an answer: 0 and what is given, or the number of the refusal. */
export function encodeAnswer(answer: JoinAnswer): Buffer {
  if (answer.type === 'refused') return Buffer.of(1 + refusals.indexOf(answer.why))
  return Buffer.concat([Buffer.of(0), answer.bytes])
}

/** Reads an answer; a refusal that is not known here is `failed`. */
export function decodeAnswer(bytes: Uint8Array): JoinAnswer {
  const answer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const [mark = 255] = answer
  if (mark === 0) return { type: 'given', bytes: answer.subarray(1) }
  return { type: 'refused', why: refusals[mark - 1] ?? 'failed' }
}
