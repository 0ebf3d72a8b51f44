import { type Agent, writtenFor } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'
import { streamPpid } from '#actors/people/events.ts'
import type { UndoAnswer } from '#actors/people/port.ts'
import { readWrite } from '#actors/people/views.ts'
import { readEvent, type ReadRow } from '#actors/journal/rows.ts'
import { streamArk, type WorkEvent, type WorkVersioned } from '#actors/works/events.ts'
import { metadataOf, readWork } from '#actors/works/record.ts'
import type { ChangeAnswer, Works } from '#actors/works/port.ts'
import { assert } from '#log/base/errors.ts'

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
