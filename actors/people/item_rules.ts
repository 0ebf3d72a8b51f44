import { type Agent, isPerson, isSource } from '#actors/values/agent.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { isCurrent } from '#actors/values/entity_tag.ts'
import type {
  AffiliationFields,
  EducationFields,
  ItemKind,
  Visibility,
} from '#actors/people/port.ts'
import {
  type ItemMark,
  type OpenedPerson,
  type PersonCommand,
  type PersonDecision,
  type PersonDraft,
  preconditionFailed,
} from '#actors/people/decision.ts'
import type { ActivePerson, ItemMarks, ItemState } from '#actors/people/events.ts'
import { changedFields, type Fields, mergeFields, pickFields } from '#actors/people/profile.ts'
import { foldTitle } from '#actors/values/title.ts'
import { assert } from '#log/base/errors.ts'

/** Items of one kind that a person can have. */
export const itemsMax = 500

type CommandOf<Type extends PersonCommand['type']> = Extract<PersonCommand, { type: Type }>

/** Adds an item, or changes the one that the same source has written of the same thing. */
export function putItem(person: OpenedPerson, command: CommandOf<'put_item'>): PersonDecision {
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
export function changeItem(
  person: OpenedPerson,
  command: CommandOf<'change_item'>,
): PersonDecision {
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
export function removeItem(
  person: OpenedPerson,
  command: CommandOf<'remove_item'>,
): PersonDecision {
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
export function markItem(person: OpenedPerson, command: CommandOf<'mark_item'>): PersonDecision {
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
export function findDuplicate(
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
export function countItems({ items }: ActivePerson, kind: ItemKind): number {
  return items.filter((item) => item.kind === kind).length
}

function findItem(
  { items }: ActivePerson,
  { kind, id }: { readonly kind: ItemKind; readonly id: string },
): ItemState | undefined {
  return items.find((item) => item.id === id && item.kind === kind)
}

/** The opened fields of an item. */
export function fieldsOfItem({ fields }: OpenedPerson, { id }: ItemState): Fields {
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
