import type { Agent } from '#actors/values/agent.ts'
import type { MembersAnswer } from '#actors/organizations/events.ts'
import { HttpError } from '#src/errors.ts'
import { readEmail } from '#src/identity/accounts/account.ts'
import type {
  InvitationRefusal,
  MemberInvitation,
  SentInvitation,
} from '#src/identity/accounts/member_invitations.ts'
import { pageAgent } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { form } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { type MemberVisit, type PageReply, redirectDone, type Visit } from '#src/pages/kit/pages.ts'
import { buttonLink, facts, time } from '#src/pages/kit/parts.ts'
import {
  type OrganizationContext,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
  publicName,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import { membersPage, roleOf, whyNot } from '#src/pages/organization/member_pages.ts'

const answerPath = '/invitations/:slug/:token'

const refusals: Readonly<Record<InvitationRefusal, string>> = {
  waits_already: 'This address is asked already: send it again, or take it back first.',
  too_many: 'As many invitations wait as may: take one back, or wait for an answer.',
  too_often: 'A message was sent to this address just now, or many were today: wait a while.',
  not_found: 'This invitation does not wait any more.',
}

/** Adds the pages of invitations: owners send them, and whoever has the link answers. */
export function addInvitationPages(context: OrganizationContext): void {
  addSending(context)
  addAnswering(context)
}

function addSending(context: OrganizationContext): void {
  const { fresh } = context.pages
  const { invitations } = context.service
  const path = '/organizations/:slug/members'
  fresh.post(`${path}/invite`, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage members')
    const email = readEmail(textOf(body, 'email'))
    if (email === undefined) return again(context, at, body, 'Write an address: name@example.org')
    const asked = { email, role: roleOf(body), by: ownerOf(at) }
    const answer = await invitations.invite(at.organization.slug, asked)
    if (typeof answer === 'string') return again(context, at, body, refusals[answer])
    return send(context, at, answer)
  })
  fresh.post(`${path}/invitations/:id/again`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage members')
    const id = visit.parameters['id'] ?? ''
    const answer = await invitations.again(at.organization.slug, id, ownerOf(at))
    if (typeof answer === 'string') throw new HttpError('conflict', refusals[answer])
    return send(context, at, answer)
  })
  fresh.post(`${path}/invitations/:id/revoke`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage members')
    const id = visit.parameters['id'] ?? ''
    if (!(await invitations.revoke(at.organization.slug, id, ownerOf(at)))) {
      throw new HttpError('conflict', refusals.not_found)
    }
    return redirectDone(pathIn(at, '/members'), 'taken_back')
  })
}

function ownerOf({ account }: Pick<OrganizationVisit, 'account'>) {
  return { type: 'person', id: account.ppid, name: account.ppid } as const
}

function again(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
  message: string,
): AccountPage {
  const faults = [{ field: 'email', code: 'refused', message }]
  return membersPage(context, visit, { values: body, faults })
}

/** Sends the message, or shows the link where no messages are sent. */
function send(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { invitation, token }: SentInvitation,
): PageReply {
  const { service, pages } = context
  const { slug, name } = visit.organization
  const link = `${service.authUrl}/invitations/${slug}/${token}`
  const list = pathIn(visit, '/members')
  if (!service.mail.isOn) return pages.redirectWithSecret(visit, list, link)
  const by = publicName(context, visit.account.ppid, visit.account.ppid)
  const { email, role } = invitation
  service.mail.sendInvitation(email, { organization: name, role, by, link })
  return redirectDone(list, 'invited')
}

function addAnswering(context: OrganizationContext): void {
  const { open, member } = context.pages
  const { invitations } = context.service
  open.get(answerPath, (visit) => {
    const invitation = invitationOf(context, visit)
    return invitation === undefined ? overPage() : answerPage(context, visit, invitation)
  })
  member.post(`${answerPath}/accept`, async (visit) => {
    const invitation = invitationOf(context, visit)
    if (invitation === undefined) return overPage()
    const fault = await join(context, visit, invitation)
    if (fault !== undefined) throw new HttpError('conflict', fault)
    return redirectDone(`${organizationsPath}/${slugOf(visit)}`, 'joined')
  })
  open.post(`${answerPath}/decline`, async (visit) => {
    const { slug = '', token = '' } = visit.parameters
    const by = visit.account && ownerOf({ account: visit.account })
    const ended = await invitations.answer(slug, token, 'invitation_declined', by)
    return ended === undefined ? overPage() : declinedPage()
  })
}

function slugOf({ parameters }: Visit): string {
  return parameters['slug'] ?? ''
}

function invitationOf(
  { service, environments }: OrganizationContext,
  { parameters }: Visit,
): MemberInvitation | undefined {
  const { slug = '', token = '' } = parameters
  if (environments.live.organizations.read(slug) === undefined) return undefined
  return service.invitations.find(slug, token)
}

/**
 * Makes who accepts a member, by the rights that whoever asked has now. The invitation is theirs
 * alone meanwhile, so that two who have the link are not both members, and is used up once they
 * are one: what fails before leaves it as it was, and they go on from wherever it was cut off.
 * Gives why it could not be done.
 */
async function join(
  context: OrganizationContext,
  visit: MemberVisit,
  invitation: MemberInvitation,
): Promise<string | undefined> {
  const { environments, service } = context
  const { slug = '', token = '' } = visit.parameters
  const { ppid } = visit.account
  const { organizations } = environments.live
  const { invitations } = service
  const wasTaken = invitation.accepted_by === ppid
  if (organizations.roleOf(slug, ppid) !== undefined && !wasTaken) {
    return 'You are a member already: an owner can change what you are.'
  }
  const by = agentOf(context, invitation)
  const { role } = invitation
  const person = { type: 'person', id: ppid, name: ppid } as const
  if ((await invitations.take(slug, token, ppid)) === undefined) return refusals.not_found
  const isMember = organizations.roleOf(slug, ppid) !== undefined
  const fault = isMember
    ? undefined
    : reasonOf(await organizations.addMember({ slug, ppid, role, by }))
  if (fault === undefined) await invitations.answer(slug, token, 'invitation_accepted', person)
  else await invitations.giveBack(slug, token, ppid)
  return fault
}

function reasonOf(answer: MembersAnswer): string | undefined {
  if (answer.type === 'forbidden') {
    return 'Whoever has invited you may not do so any more: ask another owner'
  }
  return whyNot(answer)
}

/** Whoever asked, with the rights that they have now. */
function agentOf({ service }: OrganizationContext, { by }: MemberInvitation): Agent {
  const isAdmin = service.accounts.find(by.id)?.roles.includes('admin') === true
  return { ...pageAgent(by.id), ...(isAdmin && { admin: true }) }
}

function overPage(): AccountPage {
  return {
    title: 'This invitation is no longer good',
    status: 404,
    lead: `It was answered, taken back or sent anew, or a week is over. Ask who has invited you for
another one.`,
  }
}

function declinedPage(): AccountPage {
  return {
    title: 'You have declined',
    lead: 'Nothing else has happened, and the link is no longer good.',
  }
}

function answerPage(
  context: OrganizationContext,
  visit: Visit,
  invitation: MemberInvitation,
): AccountPage {
  const { pages, environments } = context
  const { token = '' } = visit.parameters
  const slug = slugOf(visit)
  const name = environments.live.organizations.read(slug)?.name ?? slug
  const base = `${pages.prefix}/invitations/${slug}/${token}`
  const decline = form({
    action: `${base}/decline`,
    csrf: visit.csrf,
    submit: 'Decline',
    danger: true,
    inline: true,
  })
  return {
    title: `You are invited to ${name}`,
    content: html`${facts([
      ['Organization', html`<bdi>${name}</bdi>`],
      ['You are to be', html`its ${invitation.role}`],
      ['Asked by', publicName(context, invitation.by.id, '')],
      ['Good until', time(invitation.expires_at)],
    ])}
<div class="buttons">${acceptPart(context, visit, base)} ${decline}</div>`,
  }
}

function acceptPart({ pages, service }: OrganizationContext, visit: Visit, base: string): Html {
  if (visit.account !== undefined) {
    const action = `${base}/accept`
    return form({ action, csrf: visit.csrf, submit: 'Accept', inline: true })
  }
  const query = pages.returnQuery(base)
  const signUp =
    service.signUp === 'open'
      ? html`<a href="${pages.prefix}/sign-up${query}">Create an account to accept</a>`
      : ''
  return html`${buttonLink(`${pages.prefix}/sign-in${query}`, 'Sign in to accept')} ${signUp}`
}
