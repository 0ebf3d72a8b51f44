import { invitationIdBytes } from '#src/cluster/invitation.ts'
import { publicKeyBytes, tagBytes } from '#src/cluster/join_keys.ts'

/** What whoever joins asks of the node that invites. */
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

/** The subject on which a node answers whoever joins by it. */
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
