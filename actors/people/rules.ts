import type { Agent } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { isCurrent, type Precondition } from '#actors/values/entity_tag.ts'
import {
  type OpenedPerson,
  type PersonCommand,
  type PersonDecision,
  type PersonDraft,
  preconditionFailed,
} from '#actors/people/decision.ts'
import type { ActivePerson, PersonErased, PersonState } from '#actors/people/events.ts'
import { changeItem, markItem, putItem, removeItem } from '#actors/people/item_rules.ts'
import {
  changedFields,
  fieldsOf,
  type HashName,
  namesOf,
  patchProfile,
  pickFields,
} from '#actors/people/profile.ts'

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
