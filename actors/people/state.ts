import type {
  ActivePerson,
  ItemMarks,
  ItemState,
  PersonPlace,
  PersonState,
} from '#actors/people/events.ts'
import { streamPpid } from '#actors/people/events.ts'
import type { PersonDraft } from '#actors/people/decision.ts'
import { assert } from '#log/base/errors.ts'

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
