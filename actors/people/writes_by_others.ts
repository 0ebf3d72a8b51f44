import {
  type ActivePerson,
  type ClaimEvent,
  isClaimEvent,
  type PersonalChange,
  type PersonEvent,
  streamPpid,
} from '#actors/people/events.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { FieldChange, WriteByOther, Profile } from '#actors/people/port.ts'
import { changedFields, diffOf, type Fields, fieldsOf } from '#actors/people/profile.ts'
import { openEvent, type PersonReader } from '#actors/people/record.ts'
import { writePrefix, type WriteRow } from '#actors/people/views.ts'
import { isUndoable } from '#actors/people/work_undo.ts'
import {
  decodeRow,
  keyPosition,
  positionRange,
  readEvent,
  type ReadRow,
} from '#actors/journal/rows.ts'
import type { Page } from '#actors/values/page.ts'
import { streamArk, type WorkEvent } from '#actors/works/events.ts'
import { metadataOf } from '#actors/works/record.ts'
import { inStrides } from '#actors/kernel/stride.ts'
import type { ReadStore } from '#log/base/store.ts'

/**
 * Reads what was written for a person by others, newest first unless told, with what it changed;
 * the cursor is the position of the last one seen.
 */
export async function readWritesByOthers(
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
