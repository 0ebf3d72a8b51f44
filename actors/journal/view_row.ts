import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Operation, Store } from '#log/store.ts'

/** Reads a row as it will stand once the operations before this one are written. */
export type ReadRow = (key: string) => Uint8Array | undefined

/** Reads the rows of a store as they are committed. */
export function readerOf(store: Pick<Store, 'get'>): ReadRow {
  return (key) => store.get(key)
}

/**
 * The state row of a stream, stored at the stream's own name: the `seq` and the journal position of
 * its newest event, and the state its rules evolved.
 */
export type StreamRow = { readonly seq: number; readonly newest: number; readonly state: unknown }

/** The next state of a stream, and the index rows that an event adds, changes or removes. */
export type View = { readonly state: unknown; readonly operations: readonly Operation[] }

/** What a journal's events lead to: pure functions of an event and of the rows before it. */
export type Projection = {
  /** The stream's next row, and the rows to write. The stream's own row comes first. */
  project(
    before: StreamRow | undefined,
    event: JournalEvent,
    read: ReadRow,
  ): { readonly stream: StreamRow; readonly operations: readonly Operation[] }
  /** The rows of older events that an event rewrites, with `rowAt`: none, but for an erasure. */
  rewrite(event: JournalEvent, rowAt: (position: number) => Uint8Array): readonly Operation[]
}

/** Encodes a value as the JSON of a view row. */
export function encodeRow(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Decodes the JSON of a view row; undefined stays undefined. */
export function decodeRow<T>(row: Uint8Array | undefined): T | undefined {
  if (row === undefined) return undefined
  return JSON.parse(Buffer.from(row.buffer, row.byteOffset, row.length).toString('utf8')) as T
}

/** A position as it stands in keys: fixed width, so that keys sort as positions do. */
export function positionPart(position: number): string {
  return position.toString(16).padStart(12, '0')
}

/** A time in milliseconds since 1970 as it stands in keys, which sort as times do. */
export function timePart(atMs: number): string {
  return positionPart(atMs)
}

/** The number of a version as it stands in keys, which sort as versions do. */
export function versionPart(version: number): string {
  return version.toString(16).padStart(8, '0')
}

/** The position at the end of a key. */
export function keyPosition(key: string): number {
  return Number.parseInt(key.slice(key.lastIndexOf('/') + 1), 16)
}
