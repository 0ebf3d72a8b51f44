import type { Environments } from '#actors/registry/environment.ts'
import type { MembersAnswer } from '#actors/organizations/events.ts'
import { HttpError } from '#src/errors.ts'
import type { AdminBody, AdminReplies, MembersReply } from '#src/admin/command_table.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Organizations in one reply unless told. */
const pageDefault = 100

/**
 * The calls of the admin socket on organizations. Every refusal is an HttpError. An organization is
 * in both environments, so that it can have keys of both kinds; its members are people of the live
 * environment only.
 */
export class OrganizationCommands {
  readonly #environments: Environments

  constructor(environments: Environments) {
    this.#environments = environments
  }

  async create(
    body: AdminBody<'/organizations/create'>,
  ): Promise<AdminReplies['/organizations/create']> {
    const { live, sandbox } = this.#environments
    const command = { body: body.organization, by: operatorAgent }
    const inLive = await live.organizations.create(command)
    if (inLive.type === 'invalid') throw invalid('It is not an organization', inLive.faults)
    const inSandbox = await sandbox.organizations.create(command)
    // One that only the sandbox lacked is complete now.
    if (inLive.type === 'taken' && inSandbox.type !== 'created') {
      const { slug } = inLive.organization
      throw new HttpError('conflict', `There is an organization ${slug} already`)
    }
    return { organization: inLive.organization }
  }

  async update({
    slug,
    changes,
  }: AdminBody<'/organizations/update'>): Promise<AdminReplies['/organizations/update']> {
    const { live, sandbox } = this.#environments
    const command = { slug, body: changes, by: operatorAgent }
    const answer = await live.organizations.update(command)
    if (answer.type === 'invalid') {
      throw invalid('The organization cannot be changed like this', answer.faults)
    }
    if (!('organization' in answer)) throw noOrganization(slug)
    await sandbox.organizations.update(command)
    return { organization: answer.organization, unchanged: answer.type === 'unchanged' }
  }

  async list(body: AdminBody<'/organizations/list'>): Promise<AdminReplies['/organizations/list']> {
    const { environment = 'live', after = '', limit = pageDefault } = body
    const { organizations } = this.#environments[environment]
    return { organizations: await organizations.list({ after, limit }) }
  }

  listMembers({ slug }: AdminBody<'/organizations/members'>): MembersReply {
    const members = this.#environments.live.organizations.members(slug)
    if (members === undefined) throw noOrganization(slug)
    return { members }
  }

  async addMember(body: AdminBody<'/organizations/add-member'>): Promise<MembersReply> {
    const { organizations } = this.#environments.live
    const command = { ...body, by: operatorAgent }
    return membersReply(body, await organizations.addMember(command))
  }

  async changeRole(body: AdminBody<'/organizations/change-role'>): Promise<MembersReply> {
    const { organizations } = this.#environments.live
    const command = { ...body, by: operatorAgent }
    return membersReply(body, await organizations.changeRole(command))
  }

  async removeMember(body: AdminBody<'/organizations/remove-member'>): Promise<MembersReply> {
    const { organizations } = this.#environments.live
    const command = { ...body, by: operatorAgent }
    return membersReply(body, await organizations.removeMember(command))
  }
}

function membersReply(
  { slug, ppid }: { readonly slug: string; readonly ppid: string },
  answer: MembersAnswer,
): MembersReply {
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return { members: answer.members }
    case 'not_found':
      throw noOrganization(slug)
    case 'no_person':
      throw new HttpError('not_found', `There is no person ${ppid}`)
    case 'not_member':
      throw new HttpError('not_found', `${ppid} is no member of ${slug}`)
    case 'already_member':
      throw new HttpError('conflict', `${ppid} is a member of ${slug} already, in another role`)
    case 'last_owner':
      throw new HttpError(
        'conflict',
        `${ppid} is the last owner of ${slug}: name another one first`,
      )
    case 'too_many_members':
      throw new HttpError('conflict', `${slug} has as many members as there may be`)
    case 'forbidden':
      throw new HttpError('forbidden', `Only an owner changes the members of ${slug}`)
  }
}

function noOrganization(slug: string): HttpError {
  return new HttpError('not_found', `There is no organization ${slug}`)
}

function invalid(message: string, details: readonly FieldFault[]): HttpError {
  return new HttpError('validation_failed', message, { details })
}
