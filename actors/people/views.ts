import { isPerson, writtenFor } from '#actors/values/agent.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { type PersonEvent, type PersonState, streamPpid } from '#actors/people/events.ts'
import { moveNames } from '#actors/people/name_rows.ts'
import { evolvePerson } from '#actors/people/state.ts'
import {
  decodeRow,
  encodeRow,
  positionPart,
  type ReadRow,
  type View,
} from '#actors/journal/rows.ts'
import type { Operation } from '#log/store.ts'

/** What begins the keys of the rows of what was written for a person. */
export function writePrefix(ppid: string): string {
  return `write/${ppid}/`
}

/** Key of the row of something that was written for a person. */
function writeKey(ppid: string, position: number): string {
  return writePrefix(ppid) + positionPart(position)
}

/** What is known of a write beside its event: when the person has undone it, if they have. */
export type WriteRow = { readonly undone_at?: string }

/** What is known of a write; undefined if nothing was written for the person at a position. */
export function readWrite(ppid: string, position: number, read: ReadRow): WriteRow | undefined {
  return decodeRow<WriteRow>(read(writeKey(ppid, position)))
}

/** The state that an event of a person leads to, and the rows of their names. */
export function indexPerson(before: unknown, event: JournalEvent): View {
  const was = before as PersonState | undefined
  const person = event as JournalEvent & PersonEvent
  const state = evolvePerson(was, person, person)
  const operations = moveNames(state.ppid, namesOf(was), namesOf(state))
  return { state, operations }
}

function namesOf(state: PersonState | undefined) {
  return state?.status === 'active' ? state.names : {}
}

// What is no write: the person's beginning and end, and what they take back.
const ownTypes: ReadonlySet<string> = new Set(['PersonCreated', 'PersonErased', 'WriteUndone'])
const workTypes: ReadonlySet<string> = new Set(['WorkRegistered', 'WorkVersioned', 'WorkWithdrawn'])

/** The row of what an event wrote for a person, and of the write that it took back. */
export function indexWrite(event: JournalEvent): Operation[] {
  const { undoes } = event.data as { readonly undoes?: number }
  if (undoes !== undefined) {
    // Of a work, only the person takes something back.
    const ppid = streamPpid(event.stream) ?? event.by.id
    return [putWrite(ppid, undoes, { undone_at: event.at })]
  }
  const ppid = writtenPerson(event)
  return ppid === undefined ? [] : [putWrite(ppid, event.position, {})]
}

/** The ppid of the person for whom an event was written by others; undefined if for nobody. */
function writtenPerson({ stream, type, by }: JournalEvent): string | undefined {
  const ppid = streamPpid(stream)
  if (ppid === undefined) return workTypes.has(type) ? writtenFor(by) : undefined
  const isOwn = isPerson(by, ppid) && writtenFor(by) === undefined
  return ownTypes.has(type) || isOwn ? undefined : ppid
}

function putWrite(ppid: string, position: number, row: WriteRow): Operation {
  return { type: 'put', key: writeKey(ppid, position), value: encodeRow(row) }
}
