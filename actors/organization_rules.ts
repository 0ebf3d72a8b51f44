import type { Agent } from '#actors/agent.ts'
import { FaultList } from '#actors/fault_list.ts'
import type { Invalid } from '#actors/metadata.ts'
import {
  type OrganizationEvent,
  type OrganizationPlace,
  type OrganizationProfile,
  streamSlug,
} from '#actors/organization_events.ts'
import { type OrganizationDraft, organizationFields } from '#actors/organization_fields.ts'
import type { Organization } from '#actors/organizations.ts'
import { type Draft, readPatch, readRecord, recordSchema, shapeOf } from '#actors/record.ts'
import { assert } from '#log/errors.ts'

const { slug, ...profileFields } = organizationFields
const newOrganizationShape = shapeOf<OrganizationDraft>({ slug, ...profileFields })
const profileShape = shapeOf<Omit<OrganizationDraft, 'slug'>>(profileFields)

/** Describes the body of a creation. */
export const newOrganizationSchema = recordSchema(newOrganizationShape, { nullable: true })

/** A change of a profile: what is absent stays, null removes. */
export type OrganizationPatch = {
  readonly [Name in keyof OrganizationProfile]?: OrganizationProfile[Name] | null
}

/** What can be asked of an organization. */
export type OrganizationCommand =
  | { readonly type: 'create'; readonly profile: OrganizationProfile; readonly by: Agent }
  | { readonly type: 'update'; readonly patch: OrganizationPatch; readonly by: Agent }

/** What becomes of a command; everything but `accepted` changes nothing. */
export type OrganizationDecision =
  | { readonly type: 'accepted'; readonly events: readonly OrganizationEvent[] }
  | { readonly type: 'unchanged' }
  | { readonly type: 'taken' }
  | { readonly type: 'not_found' }
  | { readonly type: 'forbidden' }

/** Checks the JSON body of a creation; all faults at once. */
export function checkNewOrganization(
  body: unknown,
): { readonly type: 'ok'; readonly slug: string; readonly profile: OrganizationProfile } | Invalid {
  const faults = new FaultList()
  const draft = readRecord(newOrganizationShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const { slug, aliases = [], ...others } = draft as OrganizationDraft
  return { type: 'ok', slug, profile: { aliases, ...others } }
}

/** Checks the JSON body of an update: the fields to change, null to remove one. */
export function checkOrganizationPatch(
  body: unknown,
): { readonly type: 'ok'; readonly patch: OrganizationPatch } | Invalid {
  const faults = new FaultList()
  const patch = readPatch(profileShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', patch: patch as OrganizationPatch }
}

/** Decides a command on an organization; undefined is one that does not exist. */
export function decideOrganization(
  state: Organization | undefined,
  command: OrganizationCommand,
): OrganizationDecision {
  const { by } = command
  if (command.type === 'create') {
    if (state !== undefined) return { type: 'taken' }
    const { profile: data } = command
    return { type: 'accepted', events: [{ type: 'OrganizationCreated', schema: 1, by, data }] }
  }
  if (state === undefined) return { type: 'not_found' }
  const isItself = by.type === 'organization' && by.id === state.slug
  return isItself || by.admin === true ? update(state, command.patch, by) : { type: 'forbidden' }
}

/** The organization after an event that the journal has put at `place`. */
export function evolveOrganization(
  state: Organization | undefined,
  event: OrganizationEvent,
  place: OrganizationPlace,
): Organization {
  const { at } = place
  if (event.type === 'OrganizationCreated') {
    assert(state === undefined, 'an organization is created once')
    return { slug: streamSlug(place.stream), ...event.data, created_at: at, updated_at: at }
  }
  assert(state !== undefined, 'an organization is created before it is updated')
  const { changed_fields: _, ...profile } = event.data
  return { slug: state.slug, ...profile, created_at: state.created_at, updated_at: at }
}

function update(state: Organization, patch: OrganizationPatch, by: Agent): OrganizationDecision {
  const before: Draft = { ...state }
  const changes: Draft = { ...patch, ...(patch.aliases === null && { aliases: [] }) }
  const after: Draft = {}
  const changedFields: (keyof OrganizationProfile)[] = []
  for (const { name } of profileShape.rows) {
    const value = changes[name] === undefined ? before[name] : (changes[name] ?? undefined)
    if (value !== undefined) after[name] = value
    if (JSON.stringify(value) !== JSON.stringify(before[name])) {
      changedFields.push(name as keyof OrganizationProfile)
    }
  }
  if (changedFields.length === 0) return { type: 'unchanged' }
  const data = { changed_fields: changedFields, ...(after as OrganizationProfile) }
  return { type: 'accepted', events: [{ type: 'OrganizationUpdated', schema: 1, by, data }] }
}
