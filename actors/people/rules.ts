import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type ActivePerson,
  changedFields,
  type Fields,
  fieldsOf,
  type HashName,
  isSameValue,
  type ItemAdded,
  type ItemChanged,
  type ItemMarked,
  type ItemMarks,
  type ItemRemoved,
  type ItemState,
  mergeFields,
  namesOf,
  patchProfile,
  type PersonalChange,
  type PersonErased,
  type PersonEvent,
  type PersonState,
  pickFields,
  profileOf,
  type ProfileUpdated,
  type WriteUndone,
} from '#actors/people/events.ts'
import type {
  AffiliationFields,
  EducationFields,
  ItemKind,
  Profile,
  Visibility,
} from '#actors/people/port.ts'
import {
  type ItemMark,
  type OpenedPerson,
  type OpenedWrite,
  type PersonCommand,
  type PersonDecision,
  type PersonDraft,
  preconditionFailed,
} from '#actors/people/state.ts'
import { type Agent, isPerson, isSource } from '#actors/values/agent.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { isCurrent, type Precondition } from '#actors/values/entity_tag.ts'
import { foldTitle } from '#actors/values/text.ts'
import { assert } from '#log/tlog/errors.ts'

/** Items of one kind that a person can have. */
export const itemsMax = 500

type CommandOf<Type extends PersonCommand['type']> = Extract<PersonCommand, { type: Type }>

/** Adds an item, or changes the one that the same source has written of the same thing. */
function putItem(person: OpenedPerson, command: CommandOf<'put_item'>): PersonDecision {
  const { kind, fields, by } = command
  const { ppid } = person.state
  if (!may(by, 'person', 'add item', { ppid })) return { type: 'forbidden' }
  const held = findDuplicate(person, { kind, source: by, fields })
  if (held !== undefined) return writeItem(person, held, fields, command)
  if (countItems(person.state, kind) >= itemsMax) return { type: 'too_many_items', max: itemsMax }
  const { state, profile } = person
  const item = `${kind}-${state.seq + 1}`
  const own = profile.visibility[kind === 'affiliation' ? 'affiliations' : 'education']
  const visibility = visibilityFor(state.ppid, command, own)
  const names = Object.keys(fields).sort()
  const draft: PersonDraft = {
    type: 'ItemAdded',
    schema: 1,
    by,
    ...(command.idempotency && { idempotency: command.idempotency }),
    data: { item, kind, visibility, fields: names },
    personal: { before: {}, after: fields },
  }
  return { type: 'accepted', drafts: [draft], fields: names, item, created: true }
}

/** Merges a patch into an item of the source's own. */
function changeItem(person: OpenedPerson, command: CommandOf<'change_item'>): PersonDecision {
  const { kind, by, patch } = command
  const item = findItem(person.state, command)
  if (item === undefined) return absent(person, by)
  if (!mayOn(person, item, by, 'change')) return refused(person, item, by)
  const before = fieldsOfItem(person, item)
  const fields = mergeFields(before, patch)
  if (!isCurrent(command, item)) return notAsSeen(item, changedFields(before, fields))
  const duplicate = findDuplicate(person, { kind, source: by, fields }, item.id)
  if (duplicate !== undefined) return { type: 'duplicate_item', id: duplicate.id }
  return writeItem(person, item, fields, command)
}

/** The fields of an item become others, and its visibility as well if that is asked for. */
function writeItem(
  { state, fields: held }: OpenedPerson,
  item: ItemState,
  after: Fields,
  command: CommandOf<'put_item' | 'change_item'>,
): PersonDecision {
  const { by } = command
  const { id, kind, status, written: former } = item
  const before = held.get(id) ?? {}
  const fields = changedFields(before, after)
  const drafts: PersonDraft[] = []
  if (fields.length > 0) {
    drafts.push({
      type: 'ItemChanged',
      schema: 1,
      by,
      data: { item: id, kind, fields, former },
      personal: { before: pickFields(before, fields), after },
    })
  }
  const visibility = visibilityFor(state.ppid, command, item.visibility)
  if (visibility !== item.visibility) drafts.push(marking(item, by, { status, visibility }))
  const [first, ...others] = drafts
  if (first === undefined) return { type: 'unchanged', item: id }
  const isNamed = command.type === 'put_item' && command.idempotency !== undefined
  const named = isNamed ? { ...first, idempotency: command.idempotency } : first
  return { type: 'accepted', drafts: [named, ...others], fields, item: id }
}

/** Removes an item: by the person, or by its source. */
function removeItem(person: OpenedPerson, command: CommandOf<'remove_item'>): PersonDecision {
  const { by } = command
  const item = findItem(person.state, command)
  if (item === undefined) return absent(person, by)
  if (!mayOn(person, item, by, 'remove')) return refused(person, item, by)
  if (!isCurrent(command, item)) return notAsSeen(item)
  const before = fieldsOfItem(person, item)
  const draft: PersonDraft = {
    type: 'ItemRemoved',
    schema: 1,
    by,
    data: { removed: item },
    personal: { before, after: null },
  }
  return { type: 'accepted', drafts: [draft], fields: Object.keys(before).sort(), item: item.id }
}

/** The person hides an item, shows it again, contests it, or sets who may see it. */
function markItem(person: OpenedPerson, command: CommandOf<'mark_item'>): PersonDecision {
  const { by, mark } = command
  const { state } = person
  const item = findItem(state, command)
  if (item === undefined) return absent(person, by)
  if (!mayOn(person, item, by, 'mark')) return { type: 'forbidden' }
  if (!isCurrent(command, item)) return notAsSeen(item)
  const { status = item.status, visibility = item.visibility, reason } = mark
  if (status === 'contested' && isPerson(item.source, state.ppid)) return { type: 'own_item' }
  const isSame = status === item.status && visibility === item.visibility && reason === undefined
  if (isSame) return { type: 'unchanged', item: item.id }
  const draft = marking(item, by, { ...mark, status, visibility })
  return { type: 'accepted', drafts: [draft], fields: [], item: item.id }
}

function mayOn(
  { state: { ppid } }: OpenedPerson,
  { source }: ItemState,
  by: Agent,
  action: Action<'item'>,
): boolean {
  return may(by, 'item', action, { ppid, source })
}

/** Who has nothing to do with a person does not learn what there is of them. */
function absent({ state: { ppid } }: OpenedPerson, by: Agent): PersonDecision {
  return { type: may(by, 'person', 'add item', { ppid }) ? 'not_found' : 'forbidden' }
}

function refused(person: OpenedPerson, { source }: ItemState, by: Agent): PersonDecision {
  const isKnown = absent(person, by).type === 'not_found'
  return isKnown ? { type: 'not_source', source } : { type: 'forbidden' }
}

function marking(
  item: ItemState,
  by: Agent,
  { reason, ...mark }: Required<Pick<ItemMark, 'status' | 'visibility'>> & Pick<ItemMark, 'reason'>,
): PersonDraft {
  const { id, kind } = item
  const former = marksOf(item)
  return {
    type: 'ItemMarked',
    schema: 1,
    by,
    data: { item: id, kind, ...mark, former, has_reason: reason !== undefined },
    ...(reason !== undefined && { personal: { before: {}, after: { reason } } }),
  }
}

/** How an item is seen by its person. */
function marksOf({ status, visibility, contested }: ItemState): ItemMarks {
  return { status, visibility, ...(contested !== undefined && { contested }) }
}

const breadth: Readonly<Record<Visibility, number>> = { private: 0, trusted: 1, public: 2 }

/** Who sees an item: what the person asks for; others can only ask for fewer to see it. */
function visibilityFor(
  ppid: string,
  { by, visibility }: CommandOf<'put_item' | 'change_item'>,
  own: Visibility,
): Visibility {
  if (visibility === undefined) return own
  return may(by, 'item', 'mark', { ppid }) || breadth[visibility] < breadth[own] ? visibility : own
}

/** The item that a source has written of the same thing, other than the one of the id `except`. */
function findDuplicate(
  person: OpenedPerson,
  wanted: { readonly kind: ItemKind; readonly source: Agent; readonly fields: Fields },
  except?: string,
): ItemState | undefined {
  const key = naturalKey(wanted.kind, wanted.fields)
  return person.state.items.find(
    (item) =>
      item.id !== except &&
      item.kind === wanted.kind &&
      isSource(wanted.source, item.source) &&
      naturalKey(item.kind, fieldsOfItem(person, item)) === key,
  )
}

const affiliationKey: readonly (keyof AffiliationFields)[] = [
  'organization',
  'role',
  'department',
  'start_year',
]
const educationKey: readonly (keyof EducationFields)[] = ['degree', 'institution', 'year']

/** What two items have in common that a source would not write twice; spellings are folded. */
function naturalKey(kind: ItemKind, fields: Fields): string {
  const names = kind === 'affiliation' ? affiliationKey : educationKey
  return names.map((name) => foldTitle((fields[name] as string | undefined) ?? '')).join('\n')
}

/** How many items of a kind a person has. */
function countItems({ items }: ActivePerson, kind: ItemKind): number {
  return items.filter((item) => item.kind === kind).length
}

function findItem(
  { items }: ActivePerson,
  { kind, id }: { readonly kind: ItemKind; readonly id: string },
): ItemState | undefined {
  return items.find((item) => item.id === id && item.kind === kind)
}

/** The opened fields of an item. */
function fieldsOfItem({ fields }: OpenedPerson, { id }: ItemState): Fields {
  const held = fields.get(id)
  assert(held !== undefined, 'every item of a person was opened')
  return held
}

function notAsSeen(
  { revision, updated_at }: ItemState,
  differing: readonly string[] = [],
): PersonDecision {
  return preconditionFailed({ seq: revision, revision }, differing, updated_at)
}

/** Decides a creation; undefined is a person who is not there. */
export function decideCreation(
  state: PersonState | undefined,
  { profile, by }: Extract<PersonCommand, { type: 'create' }>,
  hash: HashName,
): PersonDecision {
  if (state?.status === 'erased') return { type: 'gone', erased_at: state.erased_at }
  if (state !== undefined) return { type: 'exists' }
  const draft: PersonDraft = {
    type: 'PersonCreated',
    schema: 1,
    by,
    data: { names: namesOf(profile, hash) },
    personal: { before: {}, after: profile },
  }
  return { type: 'accepted', drafts: [draft], fields: Object.keys(fieldsOf(profile)).sort() }
}

/** Decides the end of a person, who need not be opened for it. */
export function decideErasure({ ppid }: ActivePerson, by: Agent): PersonDecision {
  if (!may(by, 'person', 'erase', { ppid })) return { type: 'forbidden' }
  const event: PersonErased = { type: 'PersonErased', schema: 1, by, data: {} }
  return { type: 'accepted', drafts: [event], fields: [] }
}

/** Decides a change of a person who is there. */
export function decidePerson(
  person: OpenedPerson,
  command: Exclude<PersonCommand, { type: 'create' | 'erase' | 'undo' }>,
  hash: HashName,
): PersonDecision {
  switch (command.type) {
    case 'update':
      return updateProfile(person, command, hash)
    case 'put_item':
      return putItem(person, command)
    case 'change_item':
      return changeItem(person, command)
    case 'remove_item':
      return removeItem(person, command)
    case 'mark_item':
      return markItem(person, command)
  }
}

function updateProfile(
  { state, profile, profileAt }: OpenedPerson,
  { patch, by, ...precondition }: Extract<PersonCommand, { type: 'update' }>,
  hash: HashName,
): PersonDecision {
  const action = ownFields.some((field) => field in patch) ? 'change identity' : 'change'
  if (!may(by, 'person', action, state)) return { type: 'forbidden' }
  const after = patchProfile(profile, patch)
  const before = fieldsOf(profile)
  const fields = changedFields(before, fieldsOf(after))
  const { revision } = state
  const updated_at = profileSeen({ state, profileAt }, precondition)
  if (!isCurrent(precondition, { revision, updated_at })) {
    return preconditionFailed(state, fields, profileAt)
  }
  if (fields.length === 0) return { type: 'unchanged' }
  const draft: PersonDraft = {
    type: 'ProfileUpdated',
    schema: 1,
    by,
    data: { fields, names: namesOf(after, hash) },
    personal: { before: pickFields(before, fields), after },
  }
  return { type: 'accepted', drafts: [draft], fields }
}

/** The time that stands for the profile as it is: what happens to items and claims leaves it so. */
function profileSeen(
  { state, profileAt }: Pick<OpenedPerson, 'state' | 'profileAt'>,
  { seen }: Precondition,
): string {
  const at = seen?.['updated_at']
  const isProfile = typeof at === 'string' && profileAt <= at && at <= state.updated_at
  return isProfile ? at : state.updated_at
}

// What nobody sets on a person's behalf: who sees what, and who they are elsewhere.
const ownFields = ['visibility', 'orcid', 'orcid_authenticated'] as const

type Undo = Extract<PersonCommand, { type: 'undo' }>

type Written<E extends PersonEvent> = {
  readonly event: JournalEvent & E
  readonly personal: PersonalChange
}

/**
 * Takes back what somebody wrote for the person, in one step: what was added goes, what was changed
 * is as it was, what was removed is there again. What was changed since is left alone. `write` is
 * what stands at the position of the command; undefined if nothing was written there.
 */
export function undoWrite(
  person: OpenedPerson,
  command: Undo,
  write: OpenedWrite | undefined,
  hash: HashName,
): PersonDecision {
  if (!may(command.by, 'person', 'undo write', person.state)) return { type: 'forbidden' }
  if (write === undefined) return { type: 'not_found' }
  const { event, personal, isUndone } = write
  if (isUndone) return { type: 'already_undone' }
  if (event.type === 'ItemMarked') return undoMarked(person, command, event)
  if (personal === undefined) return { type: 'not_undoable' }
  switch (event.type) {
    case 'ItemAdded':
      return undoAdded(person, command, event)
    case 'ItemChanged':
      return undoChanged(person, command, { event, personal })
    case 'ItemRemoved':
      return undoRemoved(person, command, { event, personal })
    case 'ProfileUpdated':
      return undoProfile(person, command, { event, personal }, hash)
    case 'PersonCreated':
    case 'WriteUndone':
    case 'PersonErased':
      return { type: 'not_undoable' }
  }
}

function undoAdded(
  person: OpenedPerson,
  { by }: Undo,
  { position, data }: JournalEvent & ItemAdded,
): PersonDecision {
  const item = person.state.items.find(({ id }) => id === data.item)
  if (item?.written !== position) return changedSince(item?.written)
  const effect = { effect: 'item_removed', item: item.id, kind: item.kind } as const
  return undone(by, { undoes: position, ...effect }, item.id)
}

function undoChanged(
  person: OpenedPerson,
  { by }: Undo,
  { event: { position, data }, personal }: Written<ItemChanged>,
): PersonDecision {
  const item = person.state.items.find(({ id }) => id === data.item)
  if (item?.written !== position) return changedSince(item?.written)
  const gone = Object.fromEntries(data.fields.map((field) => [field, null]))
  const fields = mergeFields(fieldsOfItem(person, item), { ...gone, ...personal.before })
  const duplicate = findDuplicate(person, { ...item, fields }, item.id)
  if (duplicate !== undefined) return changedSince(duplicate.written)
  const { id, kind } = item
  const effect = { effect: 'fields_restored', item: id, kind, written: data.former } as const
  return undone(by, { undoes: position, ...effect }, id)
}

function undoRemoved(
  person: OpenedPerson,
  { by }: Undo,
  { event: { position, data }, personal }: Written<ItemRemoved>,
): PersonDecision {
  const { removed } = data
  const held = person.state.items.find(({ id }) => id === removed.id)
  const duplicate = held ?? findDuplicate(person, { ...removed, fields: personal.before })
  if (duplicate !== undefined) return changedSince(duplicate.written)
  const isFull = countItems(person.state, removed.kind) >= itemsMax
  if (isFull) return { type: 'too_many_items', max: itemsMax }
  return undone(by, { undoes: position, effect: 'item_restored', restored: removed }, removed.id)
}

function undoMarked(
  person: OpenedPerson,
  { by }: Undo,
  { position, data }: JournalEvent & ItemMarked,
): PersonDecision {
  const item = person.state.items.find(({ id }) => id === data.item)
  const isAsMarked = item?.status === data.status && item.visibility === data.visibility
  if (!isAsMarked) return changedSince()
  const { id, kind } = item
  const effect = { effect: 'marks_restored', item: id, kind, marks: data.former } as const
  return undone(by, { undoes: position, ...effect }, id)
}

// Other fields may have been changed since: each stands for itself.
function undoProfile(
  { state, profile }: OpenedPerson,
  { by }: Undo,
  { event: { position, data }, personal }: Written<ProfileUpdated>,
  hash: HashName,
): PersonDecision {
  const current = fieldsOf(profile)
  const written = fieldsOf(personal.after as Profile)
  const isAsWritten = (field: string) => isSameValue(current[field], written[field])
  if (!data.fields.every(isAsWritten)) return changedSince(state.profile)
  const gone: Fields = Object.fromEntries(data.fields.map((field) => [field, null]))
  const after = profileOf(mergeFields(current, { ...gone, ...personal.before }))
  const fields = changedFields(current, fieldsOf(after))
  const names = namesOf(after, hash)
  const draft: PersonDraft = {
    type: 'WriteUndone',
    schema: 1,
    by,
    data: { undoes: position, effect: 'profile_restored', fields, names },
    personal: { before: pickFields(current, fields), after },
  }
  return { type: 'accepted', drafts: [draft], fields }
}

type Effect = Exclude<WriteUndone['data'], { readonly effect: 'profile_restored' }>

function undone(by: Undo['by'], data: Effect, item: string): PersonDecision {
  const draft: PersonDraft = { type: 'WriteUndone', schema: 1, by, data }
  return { type: 'accepted', drafts: [draft], fields: [], item }
}

function changedSince(position = -1): PersonDecision {
  return { type: 'changed_since', position }
}
