import { personClaimIndexes, workClaimIndexes } from '#actors/claims/views.ts'
import {
  idempotencyKey,
  idempotencyPrefix,
  type IdempotencyRow,
} from '#actors/journal/idempotency.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  encodeRow,
  type Index,
  type Projection,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import { organizationIndexes, organizationStep } from '#actors/organizations/views.ts'
import { nameIndex, personStep, personWriteIndex, workWriteIndex } from '#actors/people/views.ts'
import { receiptKeyStep } from '#actors/receipts/keys.ts'
import { checkKnown } from '#actors/registry/known_events.ts'
import { blankEvents } from '#actors/works/erasure.ts'
import { streamRowAfter } from '#actors/works/record.ts'
import { workIndexes, workStep } from '#actors/works/views.ts'
import { assert } from '#log/base/errors.ts'
import type { Operation } from '#log/store/store.ts'

/**
 * Number of the views' shape. A store whose views carry another number is rebuilt from its journal
 * before it is served.
 */
export const viewsSchema = 21

type Step = { readonly event: JournalEvent; readonly state: unknown }

/** The streams of one kind: what an event changes, and the indexes that show it. */
type Streams<E extends JournalEvent, S extends Step> = {
  readonly step: (before: StreamRow | undefined, event: E, read: ReadRow) => S
  readonly indexes: readonly Index<S>[]
}

/** The requests that have led to an event, by the names that clients gave them. */
const requestIndex: Index<Step> = {
  keys: [idempotencyPrefix],
  endsAfterDay: true,
  rows: ({ event: { idempotency, at, stream, position } }) => {
    if (idempotency === undefined) return []
    const { key, body_hash } = idempotency
    const row: IdempotencyRow = { at, body_hash, stream, position }
    return [{ type: 'put', key: idempotencyKey(key), value: encodeRow(row) }]
  },
}

const streams = {
  work: { step: workStep, indexes: [...workIndexes, ...workClaimIndexes, workWriteIndex] },
  person: { step: personStep, indexes: [nameIndex, ...personClaimIndexes, personWriteIndex] },
  organization: { step: organizationStep, indexes: organizationIndexes },
  registry: { step: receiptKeyStep, indexes: [] },
}

const allIndexes: readonly Omit<Index<unknown>, 'rows'>[] = [
  requestIndex,
  ...Object.values(streams).flatMap(({ indexes }): typeof allIndexes => indexes),
]

/** Where the keys of views begin, in order: every row that the journal's events lead to. */
export const viewPrefixes: readonly string[] = [
  ...new Set([
    ...Object.keys(streams).map((kind) => `${kind}/`),
    ...allIndexes.flatMap(({ keys }) => keys),
  ]),
].sort()

/**
 * What begins the keys of rows that end after a day. The journal remembers for ever what they were
 * made of, so that one of them may be missing where it is projected anew.
 */
export const dayRowPrefixes: readonly string[] = allIndexes
  .filter(({ endsAfterDay }) => endsAfterDay)
  .flatMap(({ keys }) => keys)

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
  const kind = event.stream.slice(0, event.stream.indexOf('/'))
  assert(Object.hasOwn(streams, kind), `no view for a stream of the kind ${kind}`)
  const { step, indexes } = streams[kind as keyof typeof streams] as Streams<JournalEvent, Step>
  const change = step(before, event, read)
  const stream = { seq: event.seq, newest: event.position, state: change.state }
  const own: Operation = { type: 'put', key: event.stream, value: streamRowAfter(event, stream) }
  const operations = [own, ...requestIndex.rows(change, read, [])]
  for (const { on, rows } of indexes) {
    if (on === undefined || on.includes(event.type)) {
      operations.push(...rows(change, read, operations))
    }
  }
  return { stream, operations }
}

/** What the events of a registry's journal lead to. */
export const registryProjection: Projection = { project, rewrite: blankEvents }
