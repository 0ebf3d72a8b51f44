import type { Operation } from '#log/store.ts'

/** Reads a row as it will stand once the operations before this one are written. */
export type ReadRow = (key: string) => Uint8Array | undefined

/**
 * The state row of a stream, stored at the stream's own name: the `seq` and the journal position of
 * its newest event, and the state its rules evolved.
 */
export type StreamRow = { readonly seq: number; readonly newest: number; readonly state: unknown }

/** The next state of a stream, and the index rows that an event adds, changes or removes. */
export type View = { readonly state: unknown; readonly operations: readonly Operation[] }

/** Encodes a value as the JSON of a view row. */
export function encodeRow(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** Decodes the JSON of a view row; undefined stays undefined. */
export function decodeRow<T>(row: Uint8Array | undefined): T | undefined {
  if (row === undefined) return undefined
  return JSON.parse(Buffer.from(row.buffer, row.byteOffset, row.length).toString('utf8')) as T
}

/** Key of the row that remembers a request by its idempotency key. */
export function idempotencyKey(key: string): string {
  return `idempotency/${key}`
}

/** What is remembered of a request: when it was made, its body's hash, and its first event. */
export type IdempotencyRow = {
  readonly at: string
  readonly body_hash: string
  readonly stream: string
  readonly position: number
}
