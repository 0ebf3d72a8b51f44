import type { JournalEvent } from '#actors/journal/journal.ts'
import { positionPart, type ReadRow } from '#actors/journal/view_row.ts'
import { orderedJson } from '#actors/values/canonical_json.ts'
import { assert, LogError } from '#log/errors.ts'

/** Key of the event at a journal position: fixed width, so that keys sort as positions do. */
export function eventKey(position: number): string {
  return `event/${positionPart(position)}`
}

/** What to do about a row that is missing. */
export const restoreAdvice = 'restore the store from a copy and run audit'

const metadataMember = Buffer.from(',"metadata":')

/**
 * Encodes an event as JSON. Its position is the row's key and is left out. `data` comes last, and
 * `metadata` last within it, so that `eventMetadata` can cut the stored bytes out of the row.
 */
export function encodeEvent(event: JournalEvent): Buffer {
  const { position: _, data, ...envelope } = event
  const { metadata, ...facts } = data as { readonly metadata?: object | null }
  const text = JSON.stringify({ ...envelope, data: facts })
  if (metadata === undefined) return Buffer.from(text)
  assert(!text.endsWith('{}}'), 'an event with metadata has facts beside it')
  const spelled = metadata === null ? 'null' : orderedJson(metadata)
  return Buffer.from(`${text.slice(0, -2)},"metadata":${spelled}}}`)
}

/** An event's row with null in place of its metadata; one that holds none is the same. */
export function withoutMetadata(row: Uint8Array): Uint8Array {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.length)
  const at = bytes.indexOf(metadataMember)
  if (at < 0) return row
  return Buffer.concat([bytes.subarray(0, at + metadataMember.length), Buffer.from('null}}')])
}

/** Decodes the row at `position`. The checksum of the row has been checked by the store. */
export function decodeEvent(position: number, row: Uint8Array): JournalEvent {
  const text = Buffer.from(row.buffer, row.byteOffset, row.length).toString('utf8')
  return { position, ...(JSON.parse(text) as Omit<JournalEvent, 'position'>) }
}

/** Decodes a row but for its metadata, which may be long and is null in what is given. */
export function decodeEventFacts(position: number, row: Uint8Array): JournalEvent {
  return decodeEvent(position, withoutMetadata(row))
}

/**
 * The metadata's bytes within an event row, exactly as they were hashed. A string inside the JSON
 * cannot contain the member's bytes, because its quotes would be escaped.
 */
export function eventMetadata(row: Uint8Array): Uint8Array {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.length)
  const at = bytes.indexOf(metadataMember)
  assert(at > 0, 'the event carries metadata')
  return bytes.subarray(at + metadataMember.length, bytes.length - 2)
}

/**
 * A row that other rows say is there, as it was read; `what` names it. Where it is missing, they or
 * it are lost: `store_corrupt`.
 */
export function present<T>(row: T | undefined, what: string): T {
  if (row !== undefined) return row
  throw new LogError('store_corrupt', `${what} is missing; ${restoreAdvice}`)
}

/** Reads an event that a view points to. A journal with a hole is `store_corrupt`. */
export function readEvent(position: number, read: ReadRow): JournalEvent {
  return decodeEvent(position, readEventRow(position, read))
}

/** The row of an event that a view points to, as stored. Errors as `readEvent`. */
export function readEventRow(position: number, read: ReadRow): Uint8Array {
  return present(read(eventKey(position)), `the event at position ${position}`)
}
