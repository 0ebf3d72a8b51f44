import {
  idempotencyKey,
  idempotencyPrefix,
  type IdempotencyRow,
} from '#actors/journal/idempotency.ts'
import { JournalError, type JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEvent,
  decodeRow,
  encodeRow,
  eventKey,
  eventPrefix,
  type Index,
  keyPosition,
  Overlay,
  type Projection,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import { personClaimIndexes, workClaimIndexes } from '#actors/people/claims/views.ts'
import type { ClaimEvent, PersonEvent } from '#actors/people/events.ts'
import type { OrganizationEvent } from '#actors/people/organizations/events.ts'
import { organizationIndexes, organizationStep } from '#actors/people/organizations/views.ts'
import { nameIndex, personStep, personWriteIndex, workWriteIndex } from '#actors/people/views.ts'
import { blankEvents } from '#actors/works/erasure.ts'
import type { WorkEvent } from '#actors/works/events.ts'
import { type ReceiptKeyRotated, receiptKeyStep } from '#actors/works/receipts/keys.ts'
import { streamRowAfter } from '#actors/works/record.ts'
import { workIndexes, workStep } from '#actors/works/views.ts'
import type { Operation, ReadStore, Store } from '#log/store/store.ts'
import { assert } from '#log/tlog/errors.ts'

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
  ParentInvited: 1,
  ParentInvitationEnded: 1,
  ParentChanged: 1,
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
function project(
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

/** Key of the row that says which shape the views have, and whether they are whole. */
const viewsKey = 'views'

type ViewsRow = { readonly schema: number; readonly complete: boolean }

/** Events projected with one batch while views are rebuilt: some megabytes. */
const rebuildEvents = 1_000

/** Says how far a rebuild is: events projected, of how many. */
export type RebuildProgress = (done: number, total: number) => void

/**
 * Makes the views of a store usable: writes their schema into a new one, and rebuilds those of
 * another schema, or of a rebuild that was cut off, from the journal of `events` events.
 */
export async function openViews(
  store: Store,
  events: number,
  progress: RebuildProgress = () => {},
): Promise<void> {
  const row = decodeRow<ViewsRow>(store.get(viewsKey))
  if (row?.schema === viewsSchema && row.complete) return
  if (events > 0) await rebuildViews(store, events, progress)
  else await store.commit([viewsRow(true)])
}

/** Deletes every view and projects the whole journal anew, `events` events from position 0. */
export async function rebuildViews(
  store: Store,
  events: number,
  progress: RebuildProgress = () => {},
): Promise<void> {
  progress(0, events)
  await store.commit([viewsRow(false)])
  for (const prefix of viewPrefixes) await deleteRows(store, prefix)
  await projectJournal(store, store, events, progress)
  await store.commit([viewsRow(true)])
}

/**
 * Projects the first `events` events of one store's journal into the views of another, which must
 * hold none; the two may be the same. `isStopped` is asked before each batch.
 */
export async function projectJournal(
  journal: ReadStore,
  views: Store,
  events: number,
  progress: RebuildProgress,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (let from = 0; from < events && !isStopped(); from += rebuildEvents) {
    const to = Math.min(events, from + rebuildEvents)
    const rows = new Overlay((key) => views.get(key) ?? journalRow(journal, key))
    for await (const [key, row] of journal.scan({ gte: eventKey(from), lt: eventKey(to) })) {
      const event = decodeEvent(keyPosition(key), row)
      const before = decodeRow<StreamRow>(rows.read(event.stream))
      rows.apply(project(before, event, rows.read).operations)
    }
    await views.commit(rows.operations())
    progress(to, events)
  }
}

// A view may be made from older events as well as from views.
function journalRow(journal: ReadStore, key: string): Uint8Array | undefined {
  return key.startsWith(eventPrefix) ? journal.get(key) : undefined
}

function viewsRow(complete: boolean): Operation {
  const row: ViewsRow = { schema: viewsSchema, complete }
  return { type: 'put', key: viewsKey, value: encodeRow(row) }
}

async function deleteRows(store: Store, prefix: string): Promise<void> {
  let deletions: Operation[] = []
  for await (const [key] of store.scan({ gte: prefix, lt: `${prefix}~` })) {
    deletions.push({ type: 'del', key })
    if (deletions.length < rebuildEvents) continue
    await store.commit(deletions)
    deletions = []
  }
  await store.commit(deletions)
}
