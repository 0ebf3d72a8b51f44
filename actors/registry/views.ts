import { personClaimIndexes, workClaimIndexes } from '#actors/people/claims/views.ts'
import {
  idempotencyKey,
  idempotencyPrefix,
  type IdempotencyRow,
} from '#actors/journal/idempotency.ts'
import { JournalError, type JournalEvent } from '#actors/journal/journal.ts'
import {
  encodeRow,
  type Index,
  type Projection,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import type { OrganizationEvent } from '#actors/people/organizations/events.ts'
import { organizationIndexes, organizationStep } from '#actors/people/organizations/views.ts'
import type { ClaimEvent, PersonEvent } from '#actors/people/events.ts'
import { nameIndex, personStep, personWriteIndex, workWriteIndex } from '#actors/people/views.ts'
import { type ReceiptKeyRotated, receiptKeyStep } from '#actors/works/receipts/keys.ts'
import { blankEvents } from '#actors/works/erasure.ts'
import type { WorkEvent } from '#actors/works/events.ts'
import { streamRowAfter } from '#actors/works/record.ts'
import { workIndexes, workStep } from '#actors/works/views.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'

/** The newest shape of each event that this program knows, by its type. */
type Schemas<Type extends string> = Readonly<Record<Type, number>>

const works: Schemas<WorkEvent['type']> = {
  WorkRegistered: 1,
  WorkVersioned: 1,
  WorkWithdrawn: 1,
  FixityChecked: 1,
  SupersededChecked: 1,
  FixityRequested: 1,
  FileChecked: 1,
  WorkErased: 1,
  MetadataLost: 1,
}

const organizations: Schemas<OrganizationEvent['type']> = {
  OrganizationCreated: 1,
  OrganizationUpdated: 1,
  MemberAdded: 1,
  MemberRoleChanged: 1,
  MemberRemoved: 1,
}

const people: Schemas<(PersonEvent | ClaimEvent)['type']> = {
  PersonCreated: 1,
  ProfileUpdated: 1,
  ItemAdded: 1,
  ItemChanged: 1,
  ItemRemoved: 1,
  ItemMarked: 1,
  WriteUndone: 1,
  PersonErased: 1,
  ClaimMade: 1,
  ClaimChanged: 1,
}

const receiptKeys: Schemas<ReceiptKeyRotated['type']> = { ReceiptKeyRotated: 1 }

const known: ReadonlyMap<string, number> = new Map(
  [works, organizations, people, receiptKeys].flatMap((schemas) => Object.entries(schemas)),
)

/**
 * Refuses an event that a newer program has written: what it means is not guessed. JournalError
 * `unknown_event`.
 */
function checkKnown({ type, schema, position }: JournalEvent): void {
  if (schema <= (known.get(type) ?? 0)) return
  throw new JournalError(
    'unknown_event',
    `event ${position} (${type}, schema ${schema}) is of a newer version of Arklog than this: ` +
      'install the version that has written it, as the other nodes of a cluster run it, and ' +
      'start again; nothing of the event was carried out here',
  )
}

/**
 * Number of the views' shape. A store whose views carry another number is rebuilt from its journal
 * before it is served.
 */
export const viewsSchema = 25

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
