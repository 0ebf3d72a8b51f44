import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeRow,
  keyPosition,
  type Page,
  positionRange,
  readerOf,
  readEvent,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { inStrides } from '#actors/kernel/stride.ts'
import { foldUsername } from '#actors/people/checks.ts'
import {
  type ActivePerson,
  changedFields,
  type ClaimEvent,
  diffOf,
  type Fields,
  fieldsOf,
  type HashName,
  isClaimEvent,
  type PersonalChange,
  type PersonEvent,
  personStream,
  streamPpid,
} from '#actors/people/events.ts'
import type {
  ExportedEvent,
  FieldChange,
  People,
  PersonExport,
  Profile,
  UndoAnswer,
  WriteByOther,
} from '#actors/people/port.ts'
import {
  openEvent,
  type PersonReader,
  type PersonSeal,
  readPerson,
  readWholePerson,
} from '#actors/people/record.ts'
import { nameKey, readWrite, writePrefix, type WriteRow } from '#actors/people/views.ts'
import { type Agent, writtenFor } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { foldOrcid } from '#actors/values/identifier.ts'
import { streamArk, type WorkEvent, type WorkVersioned } from '#actors/works/events.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'
import type { ChangeAnswer, Works } from '#actors/works/port.ts'
import { metadataOf, readWork } from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'
import type { ReadStore } from '#log/store/store.ts'

/** A person wants something taken back that was written for them. */
export type UndoCommand = { readonly ppid: string; readonly by: Agent; readonly position: number }

/** The event of a work that was written for a person; undefined if it was none of theirs. */
export function readWorkWrite(
  { ppid, position }: UndoCommand,
  read: ReadRow,
): (JournalEvent & WorkEvent) | undefined {
  if (readWrite(ppid, position, read) === undefined) return undefined
  const event = readEvent(position, read)
  return event.stream.startsWith('work/') ? (event as JournalEvent & WorkEvent) : undefined
}

const undoableTypes: ReadonlySet<string> = new Set([
  'ProfileUpdated',
  'ItemAdded',
  'ItemChanged',
  'ItemRemoved',
  'ItemMarked',
  'ClaimMade',
  'WorkRegistered',
  'WorkVersioned',
])

/**
 * Whether something that was written for a person is of a kind that they can take back. What the
 * registrant of a work makes of it in their own right is theirs to take back.
 */
export function isUndoable({ type, stream, by }: JournalEvent, ppid: string): boolean {
  const isTheirs = streamPpid(stream) !== undefined || writtenFor(by) === ppid
  return isTheirs && undoableTypes.has(type)
}

/** Takes back an update of a work, by a new version with the fields as they were. */
export async function undoWorkUpdate(
  { ppid, by, position }: UndoCommand,
  event: JournalEvent & WorkEvent,
  { works, read }: { readonly works: Works; readonly read: ReadRow },
): Promise<UndoAnswer> {
  if (!may(by, 'person', 'undo work', { ppid })) return { type: 'forbidden' }
  if (readWrite(ppid, position, read)?.undone_at !== undefined) return { type: 'already_undone' }
  if (event.type !== 'WorkVersioned' || !isUndoable(event, ppid)) return { type: 'not_undoable' }
  const ark = streamArk(event.stream)
  const state = readWork(ark, read)?.state
  assert(state !== undefined, 'a work with an event is there')
  const isNewest = state.version === event.data.version && state.status === 'registered'
  if (!isNewest) return { type: 'changed_since', position: state.position }
  const former = metadataOf(ark, event.data.version - 1, read)
  assert(former !== undefined, 'a work that stands has all its metadata')
  const patch = patchBack(event.data.changed_fields, former)
  const ifMatch = [entityTag(state)]
  return undoAnswer(await works.undoUpdate({ ark, patch, by, ifMatch, undoes: position }))
}

function patchBack(
  names: WorkVersioned['data']['changed_fields'],
  former: Metadata,
): MetadataPatch {
  return Object.fromEntries(names.map((name) => [name, former[name] ?? null]))
}

function undoAnswer({ type }: ChangeAnswer): UndoAnswer {
  if (type === 'changed') return { type: 'undone' }
  // Somebody was faster: what they changed is not known here.
  return { type: 'changed_since', position: -1 }
}

/**
 * Reads what was written for a person by others, newest first by default, with what it changed;
 * the cursor is the position of the last one seen.
 */
async function readWritesByOthers(
  store: ReadStore,
  state: ActivePerson,
  { page, reader }: { readonly page: Page<number>; readonly reader: PersonReader },
): Promise<WriteByOther[]> {
  const writes: WriteByOther[] = []
  const rows = store.scan(positionRange(writePrefix(state.ppid), page))
  for await (const [key, value] of inStrides(rows)) {
    if (writes.length === page.limit) break
    const event = readEvent(keyPosition(key), reader.read)
    writes.push(describeWrite(event, decodeRow<WriteRow>(value) ?? {}, { state, reader }))
  }
  return writes
}

type Context = { readonly state: ActivePerson; readonly reader: PersonReader }

function describeWrite(
  event: JournalEvent,
  { undone_at }: WriteRow,
  { state, reader }: Context,
): WriteByOther {
  const { position, at, by, type } = event
  const undone = undone_at !== undefined && { undone_at }
  const undoable = undone_at === undefined && isUndoable(event, state.ppid)
  const about = { position, at, by, type, undoable, ...undone }
  if (streamPpid(event.stream) === undefined) {
    const work = event as JournalEvent & WorkEvent
    const ark = streamArk(event.stream)
    return { ...about, ark, ...versionOf(work), diff: diffOfWork(work, reader.read) }
  }
  const personal = openEvent(state.ppid, event, reader.seal)
  if (isClaimEvent(event)) return { ...about, ark: event.data.ark, diff: diffOfClaim(event) }
  const item = itemOf(event as JournalEvent & PersonEvent, state)
  return { ...about, ...item, diff: diffOfPerson(event as JournalEvent & PersonEvent, personal) }
}

/** The item that an event is about, as it stands now. */
function itemOf(event: PersonEvent, { items }: ActivePerson): Pick<WriteByOther, 'item'> {
  const written = 'removed' in event.data ? event.data.removed : event.data
  if (!('kind' in written)) return {}
  const id = 'id' in written ? written.id : written.item
  const status = items.find((item) => item.id === id)?.status ?? 'deleted'
  return { item: { id, kind: written.kind, status } }
}

function diffOfPerson(event: PersonEvent, personal: PersonalChange | undefined): FieldChange[] {
  if (event.type === 'ItemMarked') {
    const { status, visibility, former } = event.data
    const after = { status, visibility }
    const before = { status: former.status, visibility: former.visibility }
    return diffOf(changedFields(before, after), before, after)
  }
  if (personal === undefined) return []
  const { before, after } = personal
  if (event.type === 'ItemRemoved') return diffOf(Object.keys(before).sort(), before, {})
  if (event.type === 'ProfileUpdated') {
    return diffOf(event.data.fields, before, fieldsOf(after as Profile))
  }
  return 'fields' in event.data ? diffOf(event.data.fields, before, after as Fields) : []
}

function diffOfClaim(event: ClaimEvent): FieldChange[] {
  const { status, author_position: position } = event.data
  const before = event.type === 'ClaimChanged' ? { status: event.data.from } : {}
  const after = { status, ...(position !== undefined && { author_position: position }) }
  return diffOf(Object.keys(after).sort(), before, after)
}

/** The version of which an event made a work; nothing for one that made none. */
function versionOf(event: WorkEvent): Pick<WriteByOther, 'version'> {
  if (event.type === 'WorkRegistered') return { version: 1 }
  return event.type === 'WorkVersioned' ? { version: event.data.version } : {}
}

function diffOfWork(event: JournalEvent & WorkEvent, read: ReadRow): FieldChange[] {
  switch (event.type) {
    case 'WorkRegistered':
      return diffOfMetadata({}, event.data.metadata)
    case 'WorkVersioned':
      return diffOfMetadata(
        metadataOf(streamArk(event.stream), event.data.version - 1, read),
        event.data.metadata,
      )
    case 'WorkWithdrawn':
      return [{ field: 'status', before: 'registered', after: 'withdrawn' }]
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
    case 'FileChecked':
    case 'WorkErased':
    case 'MetadataLost':
      return []
  }
}

/** What was erased has no difference to anything. */
function diffOfMetadata(before: Fields | undefined, after: Metadata | null): FieldChange[] {
  if (before === undefined || after === null) return []
  return diffOf(changedFields(before, after), before, after)
}

/** What the queries on people need. */
export type PersonQueriesOptions = {
  readonly store: ReadStore
  readonly seal: PersonSeal
  readonly hash: HashName
}

type PersonQueries = Pick<
  People,
  'read' | 'findByUsername' | 'findByOrcid' | 'list' | 'writes' | 'export'
>

/** The queries on people, which answer from committed rows and events. */
export function openPersonQueries(options: PersonQueriesOptions): PersonQueries {
  const { store, seal, hash } = options
  const reader: PersonReader = { read: readerOf(store), seal }
  const find = (kind: 'username' | 'orcid', name: string | undefined) =>
    name && decodeRow<string>(store.get(nameKey(kind, hash(kind, name))))
  return {
    read: (ppid) => readWholePerson(ppid, reader),
    findByUsername: (username) => find('username', foldUsername(username)),
    findByOrcid: (orcid) => find('orcid', foldOrcid(orcid)),
    async list({ after, limit }) {
      const range = { gt: personStream(after), lt: personStream('~'), limit }
      const found: string[] = []
      for await (const [key] of store.scan(range)) found.push(streamPpid(key) ?? '')
      return found
    },
    async writes({ ppid, ...page }) {
      const state = readPerson(ppid, reader.read)?.state
      return state?.status === 'active' ? readWritesByOthers(store, state, { page, reader }) : []
    },
    export: (ppid) => exportPerson(ppid, options, reader),
  }
}

async function exportPerson(
  ppid: string,
  { store }: PersonQueriesOptions,
  reader: PersonReader,
): Promise<PersonExport | undefined> {
  const stored = readPerson(ppid, reader.read)
  if (stored?.state.status !== 'active') return undefined
  const person = readWholePerson(ppid, reader)
  assert(person?.type === 'person', 'an active person can be read')
  const writes = await readWritesByOthers(store, stored.state, {
    page: { limit: Infinity },
    reader,
  })
  return { person, writes, events: exportEvents(ppid, stored.newest, reader) }
}

/** All events of a person, oldest first, with what they hold sealed. */
function exportEvents(ppid: string, newest: number, reader: PersonReader): ExportedEvent[] {
  const events: ExportedEvent[] = []
  for (let next = newest; next >= 0; ) {
    const event = readEvent(next, reader.read)
    const { position, at, type, by, previous } = event
    const { sealed: _, ...data } = event.data as Record<string, unknown>
    const personal = openEvent(ppid, event, reader.seal)
    events.push({ position, at, type, by, data, ...(personal !== undefined && { personal }) })
    next = previous
  }
  return events.reverse()
}
