import type { Environments } from '#actors/registry/environment.ts'
import type {
  Member,
  MembersAnswer,
  Organization,
  OrganizationUpdateAnswer,
} from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AuditLog } from '#src/identity/store/audit.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'

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

type OwnerNaming = {
  readonly environments: { readonly live: Pick<Environments['live'], 'organizations'> }
  readonly accounts: Pick<AccountService, 'accounts'>
  readonly audit: AuditLog
  readonly nowMs: () => number
}

/**
 * Makes a person an owner of an organization that has lost its own: one with a confirmed address,
 * named by it or by their ppid. Owners are told. HttpErrors `not_found`, `conflict`.
 */
export async function nameOwner(
  { environments, accounts: { accounts }, audit, nowMs }: OwnerNaming,
  { slug, account: text }: { readonly slug: string; readonly account: string },
  by: Agent,
): Promise<readonly Member[]> {
  const { organizations } = environments.live
  const account = text.includes('@') ? accounts.findByEmail(text) : accounts.find(text)
  if (account === undefined) throw new HttpError('not_found', `There is no account ${text}`)
  const { ppid } = account
  if (!account.email_verified) {
    const message = `The e-mail address of ${ppid} is not confirmed: anybody may have typed it`
    throw new HttpError('conflict', message)
  }
  const change = { slug, ppid, role: 'owner', by } as const
  const isMember = organizations.roleOf(slug, ppid) !== undefined
  const answer = isMember
    ? await organizations.changeRole(change)
    : await organizations.addMember(change)
  const { members } = membersOf({ slug, ppid }, answer)
  const doer = { type: by.type, id: by.id, name: by.name }
  await audit.note(
    { owner: { type: 'organization', id: slug }, action: 'owner_named', ppid },
    { by: doer, nowMs: nowMs() },
  )
  return members
}

/** The members as they are now, in the order in which they came. HttpErrors of refusals. */
export function membersOf(
  member: { readonly slug: string; readonly ppid: string },
  answer: MembersAnswer,
): { readonly members: readonly Member[] } {
  const { slug: name, ppid: person } = member
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return { members: answer.members }
    case 'not_found':
      throw new HttpError('not_found', `There is no organization ${name}`)
    case 'no_person':
      throw new HttpError('not_found', `There is no person ${person}`)
    case 'not_member':
      throw new HttpError('not_found', `${person} is no member of ${name}`)
    case 'already_member':
      throw new HttpError('conflict', `${person} is a member of ${name} already, in another role`)
    case 'last_owner': {
      const message = `${person} is the last owner of ${name}: name another one first`
      throw new HttpError('conflict', message)
    }
    case 'too_many_members':
      throw new HttpError('conflict', `${name} has as many members as there may be`)
    case 'forbidden':
      throw new HttpError('forbidden', `Only an owner changes the members of ${name}`)
  }
}
