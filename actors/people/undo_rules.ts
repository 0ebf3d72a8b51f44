import { may } from '#actors/values/authority.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Profile } from '#actors/people/port.ts'
import type {
  OpenedPerson,
  OpenedWrite,
  PersonCommand,
  PersonDecision,
  PersonDraft,
} from '#actors/people/decision.ts'
import type {
  ItemAdded,
  ItemChanged,
  ItemMarked,
  ItemRemoved,
  PersonalChange,
  PersonEvent,
  ProfileUpdated,
  WriteUndone,
} from '#actors/people/events.ts'
import { countItems, findDuplicate, fieldsOfItem, itemsMax } from '#actors/people/item_rules.ts'
import {
  changedFields,
  type Fields,
  fieldsOf,
  type HashName,
  isSameValue,
  mergeFields,
  namesOf,
  pickFields,
  profileOf,
} from '#actors/people/profile.ts'

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
