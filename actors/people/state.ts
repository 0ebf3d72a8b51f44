import type { JournalEvent, NewEvent } from '#actors/journal/journal.ts'
import {
  type ActivePerson,
  type Fields,
  type ItemMarks,
  type ItemState,
  type PersonalChange,
  type PersonEvent,
  type PersonPlace,
  type PersonState,
  type ProfilePatch,
  streamPpid,
} from '#actors/people/events.ts'
import type {
  ChangeItemAnswer,
  ItemKind,
  ItemStatus,
  MarkItemAnswer,
  NotSource,
  Profile,
  TooManyItems,
  UndoAnswer,
  Visibility,
} from '#actors/people/port.ts'
import type { Agent } from '#actors/values/agent.ts'
import { entityTag, type Precondition, type PreconditionFailed } from '#actors/values/entity_tag.ts'
import { assert } from '#log/tlog/errors.ts'

/** The caller of a change, and what of the record it may be bound to. */
type Asked = Precondition & { readonly by: Agent }

type ItemAsked = Asked & { readonly kind: ItemKind; readonly id: string }

/** What can be asked of a person; all values are checked and in their stored form. */
export type PersonCommand =
  | { readonly type: 'create'; readonly by: Agent; readonly profile: Profile }
  | (Asked & { readonly type: 'update'; readonly patch: ProfilePatch })
  | (Asked & {
      readonly type: 'put_item'
      readonly kind: ItemKind
      readonly fields: Fields
      readonly visibility?: Visibility
      readonly idempotency?: NonNullable<NewEvent['idempotency']>
    })
  | (ItemAsked & {
      readonly type: 'change_item'
      readonly patch: Fields
      readonly visibility?: Visibility
    })
  | (ItemAsked & { readonly type: 'remove_item' })
  | (ItemAsked & { readonly type: 'mark_item'; readonly mark: ItemMark })
  | { readonly type: 'undo'; readonly by: Agent; readonly position: number }
  | { readonly type: 'erase'; readonly by: Agent }

/** How the person sees an item. A reason is given for what is contested alone. */
export type ItemMark = {
  readonly status?: Exclude<ItemStatus, 'deleted'>
  readonly reason?: string
  readonly visibility?: Visibility
}

/** A person as their rules see them: their state, their profile, and the fields of their items. */
export type OpenedPerson = {
  readonly state: ActivePerson
  readonly profile: Profile
  /** When the profile was edited last. */
  readonly profileAt: string
  readonly fields: ReadonlyMap<string, Fields>
}

// Distributes over the union, so that each event keeps its own members.
type Unsealed<E extends PersonEvent> = E extends PersonEvent
  ? Omit<E, 'data'> & { readonly data: WithoutSealed<E['data']> }
  : never
type WithoutSealed<D> = D extends unknown ? Omit<D, 'sealed'> : never

/** An event before it is sealed: what is personal stands beside it. */
export type PersonDraft = Unsealed<PersonEvent> & { readonly personal?: PersonalChange }

/** A change to commit: its events, and the names of the fields that differ. */
export type AcceptedChange = {
  readonly type: 'accepted'
  readonly drafts: readonly PersonDraft[]
  readonly fields: readonly string[]
  /** The item that it is about, and whether it is new. */
  readonly item?: string
  readonly created?: boolean
}

export type PersonDecision =
  | AcceptedChange
  | { readonly type: 'unchanged'; readonly item?: string }
  | { readonly type: 'exists' }
  | TooManyItems
  | NotSource
  | Exclude<ChangeItemAnswer, { type: 'changed' | 'unchanged' }>
  | Exclude<MarkItemAnswer, { type: 'marked' | 'unchanged' }>
  | Exclude<UndoAnswer, { type: 'undone' | 'username_taken' | 'orcid_taken' }>

/** A write to undo: its event, what it held sealed, and whether it was undone before. */
export type OpenedWrite = {
  readonly event: JournalEvent & PersonEvent
  readonly personal: PersonalChange | undefined
  readonly isUndone: boolean
}

/**
 * The refusal of a change of what the client has not seen as it is now. `fields` are those that
 * differ from what it has sent, in what was edited last at `at`.
 */
export function preconditionFailed(
  numbered: Pick<ActivePerson, 'seq' | 'revision'>,
  fields: readonly string[],
  at: string,
): PreconditionFailed {
  const changes = fields.map((field) => ({ field, at }))
  return { type: 'precondition_failed', etag: entityTag(numbered), changes }
}

type DraftOf<Type extends PersonDraft['type']> = Extract<PersonDraft, { type: Type }>

/** The person after an event that the journal has put at `place`; nothing is opened for it. */
export function evolvePerson(
  state: PersonState | undefined,
  event: PersonDraft,
  place: PersonPlace,
): PersonState {
  assert(place.seq === (state?.seq ?? 0) + 1, 'the events of a person have no gaps')
  if (event.type === 'PersonCreated') {
    assert(state === undefined, 'a person is created once')
    return createPerson(event, place)
  }
  assert(state?.status === 'active', 'nothing happens to a person who is not there')
  const { seq, at } = place
  if (event.type === 'PersonErased') {
    return { status: 'erased', ppid: state.ppid, seq, erased_at: at }
  }
  return { ...evolveActive(state, event, place), seq, updated_at: at }
}

function createPerson({ data }: DraftOf<'PersonCreated'>, place: PersonPlace): ActivePerson {
  const { seq, at, position, stream } = place
  const ppid = streamPpid(stream)
  assert(ppid !== undefined, 'a person has a stream of people')
  return {
    status: 'active',
    ppid,
    seq,
    revision: seq,
    created_at: at,
    updated_at: at,
    names: data.names,
    profile: position,
    items: [],
  }
}

function evolveActive(
  state: ActivePerson,
  event: Exclude<PersonDraft, { type: 'PersonCreated' | 'PersonErased' }>,
  place: PersonPlace,
): ActivePerson {
  switch (event.type) {
    case 'ProfileUpdated':
      return evolveProfile(state, event.data.names, place)
    case 'ItemAdded':
      return { ...state, items: [...state.items, addItem(event, place)] }
    case 'ItemChanged':
      return withItem(state, event.data.item, { written: place.position, ...touched(place) })
    case 'ItemRemoved':
      return withoutItem(state, event.data.removed.id)
    case 'ItemMarked':
      return evolveMark(state, event, place)
    case 'WriteUndone':
      return evolveUndone(state, event, place)
  }
}

function evolveProfile(
  state: ActivePerson,
  names: ActivePerson['names'],
  { position, seq }: PersonPlace,
): ActivePerson {
  return { ...state, names, profile: position, revision: seq }
}

function addItem({ data, by }: DraftOf<'ItemAdded'>, place: PersonPlace): ItemState {
  const { item: id, kind, visibility } = data
  const { position, at } = place
  return {
    id,
    kind,
    source: by,
    visibility,
    status: 'active',
    created_at: at,
    written: position,
    ...touched(place),
  }
}

/** Of an item whose reason was given before, the reason stays as long as it is contested. */
function evolveMark(
  state: ActivePerson,
  { data }: DraftOf<'ItemMarked'>,
  place: PersonPlace,
): ActivePerson {
  const { item: id, status, visibility, has_reason: hasReason } = data
  const reason = hasReason ? place.position : findItem(state, id).contested
  const contested = status === 'contested' && reason !== undefined && { contested: reason }
  return markItem(state, id, { status, visibility, ...contested, ...touched(place) })
}

type Marked = ItemMarks & Pick<ItemState, 'updated_at' | 'revision'>

function markItem(state: ActivePerson, id: string, marked: Marked): ActivePerson {
  const { contested: _, ...item } = findItem(state, id)
  const next = { ...item, ...marked }
  return { ...state, items: state.items.map((other) => (other.id === id ? next : other)) }
}

function evolveUndone(
  state: ActivePerson,
  { data }: DraftOf<'WriteUndone'>,
  place: PersonPlace,
): ActivePerson {
  switch (data.effect) {
    case 'item_removed':
      return withoutItem(state, data.item)
    case 'fields_restored':
      return withItem(state, data.item, { written: data.written, ...touched(place) })
    case 'marks_restored':
      return markItem(state, data.item, { ...data.marks, ...touched(place) })
    case 'item_restored':
      return { ...state, items: [...state.items, { ...data.restored, ...touched(place) }] }
    case 'profile_restored':
      return evolveProfile(state, data.names, place)
  }
}

function touched({ at, seq }: PersonPlace): Pick<ItemState, 'updated_at' | 'revision'> {
  return { updated_at: at, revision: seq }
}

function findItem({ items }: ActivePerson, id: string): ItemState {
  const item = items.find((other) => other.id === id)
  assert(item !== undefined, 'an item that is changed is there')
  return item
}

function withItem(state: ActivePerson, id: string, change: Partial<ItemState>): ActivePerson {
  const changed = { ...findItem(state, id), ...change }
  return { ...state, items: state.items.map((item) => (item.id === id ? changed : item)) }
}

function withoutItem(state: ActivePerson, id: string): ActivePerson {
  const { id: gone } = findItem(state, id)
  return { ...state, items: state.items.filter((item) => item.id !== gone) }
}
