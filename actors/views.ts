import type { JournalEvent } from '#actors/journal.ts'
import { indexOrganization } from '#actors/organization_views.ts'
import { indexWork } from '#actors/work_views.ts'
import { assert } from '#log/errors.ts'
import type { Operation } from '#log/store.ts'

/**
 * Number of the views' shape. A store whose views carry another number is rebuilt from its journal
 * before it is served.
 */
export const viewsSchema = 1

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

/** What is remembered of a request: when it was made, its body's hash, the stream it changed. */
export type IdempotencyRow = {
  readonly at: string
  readonly body_hash: string
  readonly stream: string
}

/**
 * The rows an event leads to: a pure function of the event and of the rows before it. The stream's
 * own row comes first.
 */
export function project(
  before: StreamRow | undefined,
  event: JournalEvent,
  read: ReadRow,
): { readonly stream: StreamRow; readonly operations: readonly Operation[] } {
  assert(event.seq === (before?.seq ?? 0) + 1, 'the events of a stream have no gaps')
  const view = viewOf(before?.state, event, read)
  const stream = { seq: event.seq, newest: event.position, state: view.state }
  const operations: Operation[] = [
    { type: 'put', key: event.stream, value: encodeRow(stream) },
    ...view.operations,
  ]
  if (event.idempotency !== undefined) {
    const { key, body_hash } = event.idempotency
    const row: IdempotencyRow = { at: event.at, body_hash, stream: event.stream }
    operations.push({ type: 'put', key: idempotencyKey(key), value: encodeRow(row) })
  }
  return { stream, operations }
}

function viewOf(state: unknown, event: JournalEvent, read: ReadRow): View {
  const kind = event.stream.slice(0, event.stream.indexOf('/'))
  switch (kind) {
    case 'work':
      return indexWork(state, event, read)
    case 'organization':
      return indexOrganization(state, event)
    default:
      throw new Error(`assertion failed: no view for a stream of the kind ${kind}`)
  }
}
