import type { JournalEvent, NewEvent } from '#actors/journal/journal.ts'
import { decodeRow, readEvent, type ReadRow, type StreamRow } from '#actors/journal/rows.ts'
import type { OpenedPerson } from '#actors/people/state.ts'
import {
  type ActivePerson,
  type Fields,
  type ItemState,
  type PersonalChange,
  type PersonState,
  personStream,
} from '#actors/people/events.ts'
import type { ErasedPerson, Item, Person, Profile } from '#actors/people/port.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { assert } from '#log/tlog/errors.ts'

/** What it takes to read what is personal: rows, and the keys to what they hold. */
export type PersonReader = { readonly read: ReadRow; readonly seal: PersonSeal }

/** The state row of a person and the journal position of their newest event. */
export type StoredPerson = { readonly state: PersonState; readonly newest: number }

/** Reads the state of a person from its row. */
export function readPerson(ppid: string, read: ReadRow): StoredPerson | undefined {
  const row = decodeRow<StreamRow>(read(personStream(ppid)))
  return row && { state: row.state as PersonState, newest: row.newest }
}

/** Opens what an event of a person holds sealed; undefined if it is nothing, or the key is gone. */
export function openEvent(
  ppid: string,
  event: JournalEvent,
  seal: PersonSeal,
): PersonalChange | undefined {
  const { sealed } = event.data as { readonly sealed?: string }
  return sealed === undefined ? undefined : (seal.open(ppid, sealed) as PersonalChange | undefined)
}

function openAfter(
  ppid: string,
  position: number,
  { read, seal }: PersonReader,
): { readonly at: string; readonly after: unknown } {
  const event = readEvent(position, read)
  const personal = openEvent(ppid, event, seal)
  assert(personal !== undefined, 'the key of a person outlives the person')
  return { at: event.at, after: personal.after }
}

/** Opens the profile of a person and the fields of all their items, each from its own event. */
export function openPerson(state: ActivePerson, reader: PersonReader): OpenedPerson {
  const { ppid, items, profile } = state
  const open = ({ id, written }: ItemState) =>
    [id, openAfter(ppid, written, reader).after as Fields] as const
  const { at: profileAt, after } = openAfter(ppid, profile, reader)
  return {
    state,
    profile: after as Profile,
    profileAt,
    fields: new Map(items.map(open)),
  }
}

/** A person as others see them who may see everything. */
export function describePerson(opened: OpenedPerson, reader: PersonReader): Person {
  const { state, profile, fields } = opened
  const { ppid, seq, created_at, updated_at } = state
  const items = state.items.map((item) =>
    describeItem(item, { ppid, fields: fields.get(item.id) ?? {}, reader }),
  )
  const etag = entityTag(state)
  return { type: 'person', ppid, seq, etag, created_at, updated_at, profile, items }
}

function describeItem(
  state: ItemState,
  about: { readonly ppid: string; readonly fields: Fields; readonly reader: PersonReader },
): Item {
  const { ppid, fields, reader } = about
  const { written: _, contested, revision, ...item } = state
  const opened = contested === undefined ? {} : openAfter(ppid, contested, reader).after
  const { reason } = opened as { readonly reason?: string }
  const etag = entityTag({ seq: revision, revision })
  const why = reason !== undefined && { contest_reason: reason }
  return { ...item, ...why, etag, fields } as unknown as Item
}

/** Reads a person, or what is left of one; undefined if there never was one. */
export function readWholePerson(
  ppid: string,
  reader: PersonReader,
): Person | ErasedPerson | undefined {
  const state = readPerson(ppid, reader.read)?.state
  if (state === undefined) return undefined
  if (state.status === 'erased') return { type: 'erased', ppid, erased_at: state.erased_at }
  return describePerson(openPerson(state, reader), reader)
}

/**
 * Seals what is personal with a key of the person's own, bound to their ppid. `open` gives
 * undefined once that key was destroyed; to seal without a key is an assertion, as is to open what
 * was not sealed for this ppid.
 */
export type PersonSeal = {
  /** Seals a JSON value into a printable ASCII text. */
  seal(ppid: string, value: unknown): string
  open(ppid: string, sealed: string): unknown
}

/** An event before it is sealed: what is personal stands beside it. */
type Draft = Omit<NewEvent, 'data'> & { readonly data: object; readonly personal?: unknown }

/** The event of a person's stream that a draft becomes. */
export function sealDraft(ppid: string, { personal, ...event }: Draft, seal: PersonSeal): NewEvent {
  if (personal === undefined) return event
  return { ...event, data: { ...event.data, sealed: seal.seal(ppid, personal) } }
}
