import { IdentityError } from '#src/identity/store/identity_error.ts'
import type { WrittenRow } from '#src/identity/store/identity_rows.ts'
import { openText, sealText } from '#src/identity/store/sealed_text.ts'

/**
 * A part of what nodes write to their identity stores at once, or all of it: it counts when its
 * last part is there.
 */
export type ChangeMessage = {
  /** The digest of the message before it. */
  readonly previous: string
  /** Which part it is, from 1, and of how many. */
  readonly part: number
  readonly parts: number
  readonly rows: readonly WrittenRow[]
  /** Keys of rows of whose earlier values nothing stays in any file. */
  readonly purged: readonly string[]
  /** How many of the changes in it were judged on what was there before. */
  readonly judged: number
  /** Of the first message only: the digest of the rows with which all nodes begin. */
  readonly begins?: string
}

/** Number of the format of messages: what carries another one is refused. */
const format = 1

/**
 * JSON bytes of the rows of one message, at most, unless one row is longer: sealed and in Base64 it
 * stays within a mebibyte.
 */
const rowBytesMax = 700_000

/** What a message is sealed for: it opens in the place of nothing else. */
const place = 'identity stream'

/** Spells a message, sealed under a key of 32 bytes: who reads the stream learns nothing of it. */
export function encodeChange(key: Uint8Array, message: ChangeMessage): Uint8Array {
  return Buffer.from(sealText(key, place, JSON.stringify({ format, ...message })), 'latin1')
}

/**
 * Reads a message. Errors: `secret_mismatch` for one that was sealed with another pepper,
 * `identity_forked` for one of another format.
 */
export function decodeChange(key: Uint8Array, message: Uint8Array): ChangeMessage {
  const sealed = Buffer.from(message.buffer, message.byteOffset, message.length).toString('latin1')
  const text = openText(key, place, sealed)
  if (text === undefined) {
    throw new IdentityError(
      'secret_mismatch',
      'a change of the identity stream was not sealed with the pepper of this node: all nodes ' +
        'need the same one, which is among the keys that were copied when they joined',
    )
  }
  const { format: found, ...change } = JSON.parse(text) as ChangeMessage & { format: number }
  if (found === format) return change
  throw new IdentityError(
    'identity_forked',
    `a change of the identity stream has format ${found}, and this node reads ${format}: all ` +
      'nodes must run versions of Arklog that know each other’s messages',
  )
}

/** The bytes that a row takes up in a message. */
export function rowBytes(row: WrittenRow): number {
  return Buffer.byteLength(JSON.stringify(row))
}

/** Rows in parts that each fit into a message; one part at least. */
export function cutRows(rows: readonly WrittenRow[]): readonly (readonly WrittenRow[])[] {
  const parts: WrittenRow[][] = [[]]
  let bytes = 0
  for (const row of rows) {
    const own = rowBytes(row)
    if (bytes > 0 && bytes + own > rowBytesMax) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(row)
    bytes += own
  }
  return parts
}
