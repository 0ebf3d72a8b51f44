import { isClaimEvent } from '#actors/people/events.ts'
import { indexClaim, withClaims } from '#actors/claims/views.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { indexOrganization } from '#actors/organizations/views.ts'
import { indexPerson, indexWrite } from '#actors/people/views.ts'
import { indexReceiptKeys } from '#actors/receipts/keys.ts'
import {
  encodeRow,
  type Projection,
  type ReadRow,
  type StreamRow,
  type View,
} from '#actors/journal/rows.ts'
import { checkKnown } from '#actors/registry/known_events.ts'
import { blankEvents } from '#actors/works/erasure.ts'
import { recentPrefix } from '#actors/works/duplicate_index.ts'
import { streamRowAfter, workInRow } from '#actors/works/record.ts'
import { indexWork } from '#actors/works/views.ts'
import {
  idempotencyKey,
  idempotencyPrefix,
  type IdempotencyRow,
} from '#actors/journal/idempotency.ts'
import { assert } from '#log/base/errors.ts'
import type { Operation } from '#log/base/store.ts'

/**
 * Number of the views' shape. A store whose views carry another number is rebuilt from its journal
 * before it is served.
 */
export const viewsSchema = 21

/**
 * The rows an event leads to: a pure function of the event and of the rows before it. The stream's
 * own row comes first.
 */
export function project(
  before: StreamRow | undefined,
  event: JournalEvent,
  read: ReadRow,
): { readonly stream: StreamRow; readonly operations: readonly Operation[] } {
  checkKnown(event)
  assert(event.seq === (before?.seq ?? 0) + 1, 'the events of a stream have no gaps')
  const view = withClaims(viewOf(before, event, read), event, read)
  const stream = { seq: event.seq, newest: event.position, state: view.state }
  const operations: Operation[] = [
    { type: 'put', key: event.stream, value: streamRowAfter(event, stream) },
    ...view.operations,
    ...indexWrite(event, view.state, read),
  ]
  if (event.idempotency !== undefined) {
    const { key, body_hash } = event.idempotency
    const { at, stream: changed, position } = event
    const row: IdempotencyRow = { at, body_hash, stream: changed, position }
    operations.push({ type: 'put', key: idempotencyKey(key), value: encodeRow(row) })
  }
  return { stream, operations }
}

/**
 * What begins the keys of rows that end after a day. The journal remembers for ever what they were
 * made of, so that one of them may be missing where it is projected anew.
 */
export const dayRowPrefixes: readonly string[] = [idempotencyPrefix, recentPrefix]

/** What the events of a registry's journal lead to. */
export const registryProjection: Projection = { project, rewrite: blankEvents }

function viewOf(before: StreamRow | undefined, event: JournalEvent, read: ReadRow): View {
  const kind = event.stream.slice(0, event.stream.indexOf('/'))
  const state = before?.state
  switch (kind) {
    case 'work':
      return indexWork(before && workInRow(before, read).state, event, read)
    case 'organization':
      return indexOrganization(state, event)
    case 'person':
      return isClaimEvent(event) ? indexClaim(state, event, read) : indexPerson(state, event)
    case 'registry':
      return indexReceiptKeys(state, event)
    default:
      throw new Error(`assertion failed: no view for a stream of the kind ${kind}`)
  }
}
