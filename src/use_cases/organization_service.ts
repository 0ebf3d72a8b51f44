import type { Environments } from '#actors/registry/environment.ts'
import type { Organization, OrganizationUpdateAnswer } from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { operator } from '#src/identity/store/owner_text.ts'

// People and their roles are only in the live environment, so nobody could be asked in the sandbox.
const sandboxCopyAgent: Agent = { ...operator, via: 'service', admin: true }

type Both = { readonly [Name in keyof Environments]: Pick<Environments[Name], 'organizations'> }

type Change = {
  readonly body: unknown
  readonly by: Agent
  /** The author of the same change in the sandbox; the service by default. */
  readonly copiedBy?: Agent
}

/** What became of an organization that was to be entered. */
export type EntryAnswer =
  | { readonly type: 'entered' | 'taken'; readonly organization: Organization }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/**
 * Enters an organization in both environments, so that it can have keys of both kinds. One that
 * only the sandbox lacked is complete afterwards, and counts as entered.
 */
export async function enterOrganization(
  { live, sandbox }: Both,
  { body, by, copiedBy = sandboxCopyAgent }: Change,
): Promise<EntryAnswer> {
  const inLive = await live.organizations.create({ body, by })
  if (inLive.type === 'invalid') return inLive
  const inSandbox = await sandbox.organizations.create({ body, by: copiedBy })
  const isNew = inLive.type === 'created' || inSandbox.type === 'created'
  return { type: isNew ? 'entered' : 'taken', organization: inLive.organization }
}

/** Changes what is said of an organization, in both environments. */
export async function updateOrganization(
  { live, sandbox }: Both,
  slug: string,
  { body, by, copiedBy = sandboxCopyAgent }: Change,
): Promise<OrganizationUpdateAnswer> {
  const answer = await live.organizations.update({ slug, body, by })
  if (answer.type === 'changed' || answer.type === 'unchanged') {
    await sandbox.organizations.update({ slug, body, by: copiedBy })
  }
  return answer
}
