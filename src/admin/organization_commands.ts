import { Type } from 'typebox'

import type { Member, MembersAnswer } from '#actors/organizations/events.ts'
import { command, environment, invalid, limit, noOrganization, slug } from '#src/admin/command.ts'
import { HttpError } from '#src/edge/errors.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { enterOrganization, updateOrganization } from '#src/use_cases/organization_service.ts'

const ppid = Type.String({ minLength: 1, maxLength: 64 })
const role = Type.Union([Type.Literal('owner'), Type.Literal('editor'), Type.Literal('viewer')])
const pageDefault = 100
const byOperator = { by: operatorAgent, copiedBy: operatorAgent }

/** The commands on organizations; their members are people of the live environment only. */
export const organizationCommands = {
  '/organizations/create': command(
    { organization: Type.Unknown() },
    async ({ environments }, { organization: body }) => {
      const answer = await enterOrganization(environments, { body, ...byOperator })
      if (answer.type === 'invalid') throw invalid('It is not an organization', answer.faults)
      const { organization } = answer
      if (answer.type === 'entered') return { organization }
      const message = `There is an organization ${organization.slug} already`
      throw new HttpError('conflict', message)
    },
  ),
  '/organizations/update': command(
    { slug, changes: Type.Unknown() },
    async ({ environments }, { slug: name, changes: body }) => {
      const answer = await updateOrganization(environments, name, { body, ...byOperator })
      if (answer.type === 'invalid') {
        throw invalid('The organization cannot be changed like this', answer.faults)
      }
      if (!('organization' in answer)) throw noOrganization(name)
      return { organization: answer.organization, unchanged: answer.type === 'unchanged' }
    },
  ),
  '/organizations/list': command(
    { environment, after: Type.Optional(Type.String()), limit },
    async ({ environments }, body) => {
      const { environment: name = 'live', after = '', limit: count = pageDefault } = body
      const { organizations } = environments[name]
      return { organizations: await organizations.list({ after, limit: count }) }
    },
  ),
  '/organizations/members': command({ slug }, ({ environments }, { slug: name }) => {
    const members = environments.live.organizations.members(name)
    if (members === undefined) throw noOrganization(name)
    return { members }
  }),
  '/organizations/add-member': command({ slug, ppid, role }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.addMember({ ...member, by: operatorAgent }))
  }),
  '/organizations/change-role': command({ slug, ppid, role }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.changeRole({ ...member, by: operatorAgent }))
  }),
  '/organizations/remove-member': command({ slug, ppid }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.removeMember({ ...member, by: operatorAgent }))
  }),
}

/** The members as they are now, in the order in which they came. */
function membersOf(
  member: { readonly slug: string; readonly ppid: string },
  answer: MembersAnswer,
): { readonly members: readonly Member[] } {
  const { slug: name, ppid: person } = member
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return { members: answer.members }
    case 'not_found':
      throw noOrganization(name)
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
