import type {
  Member,
  MemberAdded,
  MemberRemoved,
  MemberRoleChanged,
  MembersAnswer,
  ParentAnswer,
  ParentEvent,
  ParentStep,
  OrganizationEvent,
  OrganizationPlace,
  OrganizationProfile,
  OrganizationState,
} from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import { may, type MemberRole } from '#actors/values/authority.ts'
import { isCurrent, type Precondition, type PreconditionFailed } from '#actors/values/entity_tag.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  fieldsSchema,
  type FieldTable,
  foldedText,
  listOf,
  nameOf,
  readFields,
  readPatch,
  shapeOf,
} from '#actors/values/field_table.ts'
import { rorKind, urlKind } from '#actors/values/identifier.ts'
import { assert } from '#log/tlog/errors.ts'

/** Members of an organization, at most: its row holds them all. */
export const membersMax = 500

/** A change of the members of an organization. `isPerson`: whether there is one with the ppid. */
export type MemberChange =
  | {
      readonly type: 'add_member'
      readonly ppid: string
      readonly isPerson: boolean
      readonly role: MemberRole
      readonly by: Agent
    }
  | {
      readonly type: 'change_role'
      readonly ppid: string
      readonly role: MemberRole
      readonly by: Agent
    }
  | { readonly type: 'remove_member'; readonly ppid: string; readonly by: Agent }

type MemberEvent = MemberAdded | MemberRoleChanged | MemberRemoved

/** What becomes of a change of the members. */
type MemberDecision =
  | { readonly type: 'accepted'; readonly event: MemberEvent }
  | { readonly type: 'unchanged' | 'forbidden' | 'no_person' | 'not_member' | 'already_member' }
  | { readonly type: 'last_owner' | 'too_many_members' }

/** Decides a change of the members: by an owner, an administrator, or one who leaves. */
export function decideMember(members: readonly Member[], command: MemberChange): MemberDecision {
  const { ppid, by } = command
  const member = members.find((known) => known.ppid === ppid)
  const about = { members, ppid }
  const leaves = command.type === 'remove_member' && may(by, 'organization', 'leave', about)
  const mayChange = may(by, 'organization', 'manage members', about) || (leaves && member)
  if (!mayChange) return { type: 'forbidden' }
  if (command.type === 'add_member') return add(members, member, command)
  if (member === undefined) return { type: 'not_member' }
  const isLastOwner = member.role === 'owner' && ownersOf(members) === 1
  if (command.type === 'remove_member') {
    // Whoever leaves the registry leaves every organization; an administrator names new owners.
    if (isLastOwner && !may(by, 'organization', 'abandon', about)) return { type: 'last_owner' }
    const event = { type: 'MemberRemoved', schema: 1, by, data: { ppid } } as const
    return { type: 'accepted', event }
  }
  const { role } = command
  if (role === member.role) return { type: 'unchanged' }
  if (isLastOwner) return { type: 'last_owner' }
  const event = { type: 'MemberRoleChanged', schema: 1, by, data: { ppid, role } } as const
  return { type: 'accepted', event }
}

/** The members after an event at a time. */
export function evolveMembers(
  members: readonly Member[],
  event: MemberEvent,
  at: string,
): readonly Member[] {
  const { ppid } = event.data
  const isMember = members.some((member) => member.ppid === ppid)
  assert(isMember === (event.type !== 'MemberAdded'), 'who is added is no member, others are')
  switch (event.type) {
    case 'MemberAdded':
      return [...members, { ppid, role: event.data.role, since: at }]
    case 'MemberRoleChanged': {
      const { role } = event.data
      return members.map((member) => (member.ppid === ppid ? { ...member, role } : member))
    }
    case 'MemberRemoved':
      return members.filter((member) => member.ppid !== ppid)
  }
}

function add(
  members: readonly Member[],
  member: Member | undefined,
  { ppid, isPerson, role, by }: Extract<MemberChange, { type: 'add_member' }>,
): MemberDecision {
  if (member !== undefined) return { type: member.role === role ? 'unchanged' : 'already_member' }
  if (!isPerson) return { type: 'no_person' }
  if (members.length >= membersMax) return { type: 'too_many_members' }
  const event = { type: 'MemberAdded', schema: 1, by, data: { ppid, role } } as const
  return { type: 'accepted', event }
}

function ownersOf(members: readonly Member[]): number {
  return members.filter(({ role }) => role === 'owner').length
}

/** Levels of organizations, the uppermost included: a consortium, its members, and their parts. */
export const levelsMax = 3

/** Organizations below one at all levels, at most: every count goes through them. */
export const belowMax = 500

/** Organizations that can ask one to be part of them at a time. */
export const invitationsMax = 20

/**
 * The organizations below one, a list for each level, the nearest first. `belowOf` names those
 * right below one.
 */
export function belowByLevel(
  slug: string,
  belowOf: (slug: string) => readonly string[],
): readonly (readonly string[])[] {
  const levels: (readonly string[])[] = []
  for (let at: readonly string[] = [slug]; levels.length < levelsMax; ) {
    at = at.flatMap(belowOf)
    if (at.length === 0) break
    levels.push(at)
  }
  return levels
}

/** A change of the organization above one. */
export type ParentChange = {
  readonly type: 'change_parent'
  readonly step: ParentStep
  readonly parent: string
  readonly by: Agent
}

/**
 * What such a change is decided by. `above` is the wanted one, if there is one, with those above
 * it; `levelsBelow` and `countBelow` are of the organization itself; `countInAll` is of all below
 * the uppermost one. `change` is the number that a change of parents has.
 */
export type ParentFacts = {
  readonly above: readonly Pick<OrganizationState, 'slug' | 'members'>[]
  readonly levelsBelow: number
  readonly countBelow: number
  readonly countInAll: number
  readonly change: number
}

/** Decides who is part of whom: the one above invites, the one below agrees, and either ends it. */
export function decideParent(
  state: OrganizationState,
  { step, parent: slug, by }: ParentChange,
  facts: ParentFacts,
):
  | { readonly type: 'accepted'; readonly event: ParentEvent }
  | { readonly type: Exclude<ParentAnswer['type'], 'changed' | 'not_found'> } {
  const [parent] = facts.above
  const isAbove = parent !== undefined && may(by, 'organization', 'invite below', parent)
  const isOwn = may(by, 'organization', 'choose parent', state)
  const isInvited = state.invited_by?.includes(slug) === true
  const data = { parent: slug }
  const changed = (isBelow: boolean) => {
    const { change } = facts
    const event = { type: 'ParentChanged', schema: 1, by, data: { ...data, isBelow, change } }
    return { type: 'accepted', event: event as ParentEvent } as const
  }
  if (step === 'leave') {
    if (!isOwn && !isAbove) return { type: 'forbidden' }
    return state.parent === slug ? changed(false) : { type: 'not_below' }
  }
  if (step === 'end_invitation') {
    if (!isOwn && !isAbove) return { type: 'forbidden' }
    if (!isInvited) return { type: 'not_invited' }
    return { type: 'accepted', event: { type: 'ParentInvitationEnded', schema: 1, by, data } }
  }
  if (step === 'invite' ? !isAbove && parent !== undefined : !isOwn) return { type: 'forbidden' }
  if (parent === undefined) return { type: 'no_parent' }
  if (state.parent === slug) return { type: 'unchanged' }
  const needsInvitation = step === 'join' && !may(by, 'organization', 'join uninvited', state)
  if (needsInvitation && !isInvited) return { type: 'not_invited' }
  const fault = whyNotBelow(state, facts)
  if (fault !== undefined) return { type: fault }
  if (step === 'join') return changed(true)
  if (isInvited) return { type: 'unchanged' }
  if ((state.invited_by?.length ?? 0) >= invitationsMax) return { type: 'too_many' }
  return { type: 'accepted', event: { type: 'ParentInvited', schema: 1, by, data } }
}

function whyNotBelow(
  { slug, parent }: OrganizationState,
  { above, levelsBelow, countBelow, countInAll }: ParentFacts,
): 'circle' | 'has_parent' | 'too_deep' | 'too_many' | undefined {
  if (above.some((each) => each.slug === slug)) return 'circle'
  if (parent !== undefined) return 'has_parent'
  if (above.length + 1 + levelsBelow > levelsMax) return 'too_deep'
  return countInAll + countBelow + 1 > belowMax ? 'too_many' : undefined
}

function evolveParent(
  { parent: before, invited_by: invited = [], ...state }: OrganizationState,
  event: ParentEvent,
  at: string,
): OrganizationState {
  const { parent } = event.data
  const others = invited.filter((each) => each !== parent)
  const invitedBy = event.type === 'ParentInvited' ? [...others, parent] : others
  const joined = event.type === 'ParentChanged' && event.data.isBelow ? parent : undefined
  const above = event.type === 'ParentChanged' ? joined : before
  return {
    ...state,
    ...(above !== undefined && { parent: above }),
    ...(invitedBy.length > 0 && { invited_by: invitedBy }),
    ...(event.type === 'ParentChanged' && { updated_at: at }),
  }
}

/** What a client says of an organization. */
type OrganizationBody = Omit<OrganizationProfile, 'aliases'> & {
  readonly aliases?: readonly string[]
}

const nameCharactersMax = 500
const aliasesMax = 100
const slugCharactersMax = 63

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Whether a text can be an organization's slug: 2 to 63 lower-case letters and digits with single
 * hyphens between them, so that it fits a path, a set of OAI-PMH and a host name.
 */
export function isSlug(text: string): boolean {
  return text.length >= 2 && text.length <= slugCharactersMax && slugForm.test(text)
}

/** The ISO 3166-1 code of a country in capitals; undefined if there is none. */
function foldCountry(text: string): string | undefined {
  const code = text.toUpperCase()
  return /^[A-Z]{2}$/.test(code) && regionNames.of(code) !== undefined ? code : undefined
}

/** The fields of an organization: what is accepted, stored, and said of it. */
const organizationFields: FieldTable<OrganizationBody> = {
  slug: {
    kind: foldedText({
      max: 200,
      fold: (text) => (isSlug(text) ? text : undefined),
      right: `2 to ${slugCharactersMax} lower-case letters and digits, with single hyphens between`,
    }),
    required: true,
    about: 'Short name in addresses and keys; never changes.',
    example: 'brown-university',
    alsoCalled: ['id'],
  },
  name: {
    kind: nameOf(nameCharactersMax),
    required: true,
    about: 'Name.',
    example: 'Brown University',
    alsoCalled: ['title'],
  },
  aliases: {
    // Who reads an organization without any reads an empty list, and may send that back.
    kind: listOf(nameOf(nameCharactersMax), aliasesMax, 0),
    about: 'Other names, such as short ones and those in other languages.',
    example: ['Brown'],
    alsoCalled: ['acronyms'],
  },
  ror: { kind: rorKind, about: 'ROR ID.', example: 'https://ror.org/05gq02987' },
  country: {
    kind: foldedText({
      max: 200,
      fold: foldCountry,
      right: 'a two-letter country code of ISO 3166-1 such as US',
    }),
    about: 'Country: ISO 3166-1, two letters.',
    example: 'US',
    alsoCalled: ['country_code'],
  },
  url: {
    kind: urlKind,
    about: 'Home page.',
    example: 'https://www.brown.edu/',
    alsoCalled: ['homepage', 'website'],
  },
}

/** The fields that an update can change: all but the slug. */
const { slug: _slug, ...updateFields } = organizationFields

const organizationShape = shapeOf(organizationFields)
const updateShape = shapeOf<Omit<OrganizationBody, 'slug'>>(updateFields)

/** Describes the body of an update. */
export const organizationUpdateSchema = fieldsSchema(updateShape, {
  title: 'OrganizationUpdate',
  description: 'The fields to change; null removes one. The slug never changes.',
  nullable: true,
  partial: true,
})

/** A change of what describes an organization: what is absent stays, null removes. */
type OrganizationPatch = { readonly name?: string } & {
  readonly [Name in Exclude<keyof OrganizationBody, 'slug' | 'name'>]?:
    | OrganizationBody[Name]
    | null
}

/** What can be asked of an organization. */
export type OrganizationCommand =
  | { readonly type: 'create'; readonly profile: OrganizationProfile; readonly by: Agent }
  | (Precondition & {
      readonly type: 'update'
      readonly patch: OrganizationPatch
      readonly by: Agent
    })
  | MemberChange

/** What becomes of a command. `taken`: an organization has the slug already. */
export type OrganizationDecision =
  | { readonly type: 'accepted'; readonly event: OrganizationEvent }
  | { readonly type: 'taken' | 'unchanged' | 'not_found' | 'forbidden' }
  | PreconditionFailed
  | { readonly type: Exclude<MembersAnswer['type'], 'changed'> }

/** Checks the JSON body of a creation; all faults at once. */
export function checkOrganization(
  body: unknown,
): { readonly type: 'ok'; readonly profile: OrganizationProfile } | Invalid {
  const faults = new FaultList()
  const record = readFields(organizationShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', profile: { aliases: [], ...(record as OrganizationBody) } }
}

/**
 * Checks the JSON body of an update; all faults at once. `record` is the organization as it is
 * read, whose other members may be sent back as they are.
 */
export function checkOrganizationPatch(
  body: unknown,
  record?: Draft,
): { readonly type: 'ok'; readonly patch: OrganizationPatch } | Invalid {
  const faults = new FaultList()
  const patch = readPatch(updateShape, body, '', faults, record)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', patch: patch as OrganizationPatch }
}

/** Decides a command on an organization; undefined is one that does not exist. */
export function decideOrganization(
  state: OrganizationState | undefined,
  command: OrganizationCommand,
): OrganizationDecision {
  if (command.type === 'create') {
    if (state !== undefined) return { type: 'taken' }
    const { by, profile } = command
    const event = { type: 'OrganizationCreated', schema: 1, by, data: profile } as const
    return { type: 'accepted', event }
  }
  if (state === undefined) return { type: 'not_found' }
  if (command.type === 'update') return update(state, command)
  return decideMember(state.members, command)
}

/** The organization after an event that the journal has put at `place`. */
export function evolveOrganization(
  state: OrganizationState | undefined,
  event: OrganizationEvent,
  { at }: OrganizationPlace,
): OrganizationState {
  if (event.type === 'OrganizationCreated') {
    assert(state === undefined, 'an organization is created once')
    return { ...event.data, created_at: at, updated_at: at, members: [] }
  }
  assert(state !== undefined, 'an organization is created before it changes')
  if (event.type === 'OrganizationUpdated') {
    const { created_at, members, parent, invited_by } = state
    return {
      ...event.data.profile,
      ...(parent !== undefined && { parent }),
      created_at,
      updated_at: at,
      members,
      ...(invited_by !== undefined && { invited_by }),
    }
  }
  if (!('ppid' in event.data)) return evolveParent(state, event as ParentEvent, at)
  return { ...state, members: evolveMembers(state.members, event as MemberEvent, at) }
}

function update(
  state: OrganizationState,
  { patch, by, ...precondition }: Extract<OrganizationCommand, { type: 'update' }>,
): OrganizationDecision {
  if (!may(by, 'organization', 'describe', state)) return { type: 'forbidden' }
  const {
    created_at: _,
    updated_at: at,
    members: _m,
    parent: _p,
    invited_by: _i,
    ...before
  } = state
  const { profile, changedFields } = applyPatch(before, patch)
  // An organization has no entity tag, and so no revision that a client could name.
  if (!isCurrent(precondition, { revision: 0, updated_at: at })) {
    const changes = changedFields.map((field) => ({ field, at }))
    return { type: 'precondition_failed', changes }
  }
  if (changedFields.length === 0) return { type: 'unchanged' }
  const data = { changed_fields: changedFields, profile }
  const event = { type: 'OrganizationUpdated', schema: 1, by, data } as const
  return { type: 'accepted', event }
}

function applyPatch(
  before: OrganizationProfile,
  patch: OrganizationPatch,
): { readonly profile: OrganizationProfile; readonly changedFields: readonly string[] } {
  const { slug } = before
  const old: Draft = before
  const after: Draft = {}
  const changedFields: string[] = []
  for (const { name } of updateShape.rows) {
    const given = (patch as Draft)[name]
    const value = given === undefined ? old[name] : (given ?? emptyOf(name))
    if (value !== undefined) after[name] = value
    if (JSON.stringify(old[name]) !== JSON.stringify(value)) changedFields.push(name)
  }
  return { profile: { ...(after as Omit<OrganizationProfile, 'slug'>), slug }, changedFields }
}

// An organization without aliases has an empty list of them.
function emptyOf(name: string): readonly string[] | undefined {
  return name === 'aliases' ? [] : undefined
}
