import type { Agent } from '#actors/agent.ts'
import { FaultList } from '#actors/fault_list.ts'
import type { Invalid } from '#actors/metadata.ts'
import type {
  OrganizationCreated,
  OrganizationEvent,
  OrganizationPlace,
  OrganizationProfile,
} from '#actors/organization_events.ts'
import { type OrganizationBody, organizationFields } from '#actors/organization_fields.ts'
import type { Organization } from '#actors/organizations.ts'
import { readRecord, recordSchema, shapeOf } from '#actors/record.ts'
import { assert } from '#log/errors.ts'

const organizationShape = shapeOf(organizationFields)

/** Describes the body of a creation. */
export const newOrganizationSchema = recordSchema(organizationShape, {
  description: 'An organization: the owner of keys and works.',
  nullable: true,
})

/** The only thing to ask of an organization so far: that it be there. */
export type OrganizationCommand = {
  readonly type: 'create'
  readonly profile: OrganizationProfile
  readonly by: Agent
}

/** What becomes of a command. `taken`: an organization has the slug already. */
export type OrganizationDecision =
  | { readonly type: 'accepted'; readonly event: OrganizationCreated }
  | { readonly type: 'taken'; readonly organization: Organization }

/** Checks the JSON body of a creation; all faults at once. */
export function checkOrganization(
  body: unknown,
): { readonly type: 'ok'; readonly profile: OrganizationProfile } | Invalid {
  const faults = new FaultList()
  const record = readRecord(organizationShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', profile: { aliases: [], ...(record as OrganizationBody) } }
}

/** Decides a command on an organization; undefined is one that does not exist. */
export function decideOrganization(
  state: Organization | undefined,
  { profile, by }: OrganizationCommand,
): OrganizationDecision {
  if (state !== undefined) return { type: 'taken', organization: state }
  const event = { type: 'OrganizationCreated', schema: 1, by, data: profile } as const
  return { type: 'accepted', event }
}

/** The organization after an event that the journal has put at `place`. */
export function evolveOrganization(
  state: Organization | undefined,
  event: OrganizationEvent,
  { at }: OrganizationPlace,
): Organization {
  assert(state === undefined, 'an organization is created once')
  return { ...event.data, created_at: at, updated_at: at }
}
