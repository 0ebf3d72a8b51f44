import type { Agent } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { isCurrent, type Precondition, type PreconditionFailed } from '#actors/values/entity_tag.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  decideMember,
  evolveMembers,
  type MemberChange,
} from '#actors/organizations/member_rules.ts'
import type {
  OrganizationEvent,
  OrganizationPlace,
  OrganizationProfile,
  OrganizationState,
} from '#actors/organizations/events.ts'
import {
  type OrganizationBody,
  organizationFields,
  organizationUpdateFields,
} from '#actors/organizations/fields.ts'
import type { MembersAnswer } from '#actors/organizations/port.ts'
import {
  type Draft,
  readPatch,
  readFields,
  fieldsSchema,
  shapeOf,
} from '#actors/values/field_table.ts'
import { assert } from '#log/base/errors.ts'

const organizationShape = shapeOf(organizationFields)
const updateShape = shapeOf(organizationUpdateFields)

/** Describes the body of a creation. */
export const newOrganizationSchema = fieldsSchema(organizationShape, {
  description: 'An organization: the owner of keys and works.',
  nullable: true,
})

/** Describes the body of an update. */
export const organizationUpdateSchema = fieldsSchema(updateShape, {
  title: 'OrganizationUpdate',
  description: 'The fields to change; null removes one. The slug never changes.',
  nullable: true,
  partial: true,
})

/** A change of what describes an organization: what is absent stays, null removes. */
export type OrganizationPatch = { readonly name?: string } & {
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
    const { created_at, members } = state
    return { ...event.data.profile, created_at, updated_at: at, members }
  }
  return { ...state, members: evolveMembers(state.members, event, at) }
}

function update(
  state: OrganizationState,
  { patch, by, ...precondition }: Extract<OrganizationCommand, { type: 'update' }>,
): OrganizationDecision {
  if (!may(by, 'organization', 'describe', state)) return { type: 'forbidden' }
  const { created_at: _, updated_at: at, members: ___, ...before } = state
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
