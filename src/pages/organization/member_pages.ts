import type { Member, MembersAnswer } from '#actors/organizations/port.ts'
import type { Agent } from '#actors/values/agent.ts'
import { type MemberRole, memberRoles } from '#actors/values/authority.ts'
import { isPpid } from '#actors/values/ppid.ts'
import { HttpError } from '#src/errors.ts'
import { readEmail } from '#src/identity/accounts/account.ts'
import type {
  InvitationRefusal,
  MemberInvitation,
  SentInvitation,
} from '#src/identity/accounts/member_invitations.ts'
import { pageAgent } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type PageReply, redirectDone, type Visit } from '#src/pages/kit/pages.ts'
import {
  buttonLink,
  card,
  emptyState,
  facts,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
  publicName,
  visitOrganization,
} from '#src/pages/organization/context.ts'

/** What members may be, as forms offer it. */
const roleOptions = [
  { value: 'viewer', label: 'Viewer: sees what members see' },
  { value: 'editor', label: 'Editor: registers works and describes the organization' },
  { value: 'owner', label: 'Owner: everything, with keys, applications and members' },
]

/** Invitations that wait, and the form for one more; nothing for who may not manage members. */
function invitationPart(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): Html {
  if (!mayDo(visit, 'manage members')) return nothing
  const waiting = context.service.invitations.waiting(visit.organization.slug)
  return html`${waiting.length === 0 ? nothing : waitingTable(context, visit, waiting)}
${card('Invite somebody by mail', inviteForm(context, visit, state))}`
}

function inviteForm(
  { pages, service }: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): Html {
  const hint = service.mail.isOn
    ? 'They get a link with which they accept or decline, within a week, with an account or not.'
    : 'No mail is sent from here: you are shown a link, once, to give to them.'
  const fields = [
    field(
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        required: true,
        hint,
        autocomplete: 'off',
      },
      state,
    ),
    selectField({ name: 'role', label: 'They are to be', options: roleOptions }, state),
  ]
  const action = pages.prefix + pathIn(visit, '/members/invite')
  return form({ action, csrf: visit.csrf, fields, submit: 'Invite them' })
}

function waitingTable(
  context: OrganizationContext,
  visit: OrganizationVisit,
  waiting: readonly MemberInvitation[],
): Html {
  const base = context.pages.prefix + pathIn(visit, '/members/invitations')
  const button = (id: string, word: string, submit: string) =>
    form({ action: `${base}/${id}/${word}`, csrf: visit.csrf, submit, inline: true })
  const list = table('Invitations', waiting, {
    Address: ({ email }) => html`<bdi>${email}</bdi>`,
    'Is to be': ({ role }) => role,
    'Asked by': ({ by }) => publicName(context, by.id, visit.account.ppid),
    Sent: ({ sent_at: at }) => time(at),
    'Good until': ({ expires_at: at }) => time(at),
    Change: ({ id }) =>
      html`${button(id, 'again', 'Send again')} ${button(id, 'revoke', 'Take back')}`,
  })
  return html`<h2>Invitations that wait for an answer</h2>
${list}`
}

const flashes: Flashes = {
  added: 'The person is a member now.',
  entered: 'The organization is entered. Name its first owner here.',
  changed: 'The role is changed.',
  removed: 'The person is no longer a member.',
  invited: 'The message is on its way. The invitation stands below until it is answered.',
  taken_back: 'The invitation is taken back, and its link is no longer good.',
}

/** Adds the page of an organization's members: owners add them and change what they may do. */
export function addOrganizationMemberPages(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  const { organizations } = context.environments.live
  const path = '/organizations/:slug/members'
  member.get(path, (visit) => {
    const at = visitOrganization(context, visit, 'read')
    const base = context.pages.prefix + pathIn(at, '/members')
    const kept = context.pages.takeForm(visit)
    // The other forms of the page are one choice and a button.
    const isTyped = kept?.action === base || kept?.action === `${base}/invite`
    return membersPage(context, at, givenBack(isTyped ? kept : undefined, emptyForm))
  })
  fresh.post(path, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage members')
    const ppid = findPerson(context, textOf(body, 'person').trim())
    const { slug } = at.organization
    const command = { slug, ppid, role: roleOf(body, 'member_role'), by: memberAgent(at) }
    const fault = whyNot(await organizations.addMember(command))
    if (fault === undefined) return redirectDone(pathIn(at, '/members'), 'added')
    const faults = [{ field: 'person', code: 'refused', message: fault }]
    return membersPage(context, at, { values: body, faults })
  })
  fresh.post(`${path}/role`, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage members')
    const { slug } = at.organization
    const command = { slug, ppid: textOf(body, 'ppid'), role: roleOf(body), by: memberAgent(at) }
    expectDone(await organizations.changeRole(command))
    return redirectDone(pathIn(at, '/members'), 'changed')
  })
  fresh.get(`${path}/:ppid/remove`, (visit) => {
    const ppid = visit.parameters['ppid'] ?? ''
    const leaves = ppid === visit.account.ppid
    const at = visitOrganization(context, visit, leaves ? 'read' : 'manage members')
    return removalPage(context, at, ppid)
  })
  fresh.post(`${path}/remove`, async (visit, body) => {
    const ppid = textOf(body, 'ppid')
    const leaves = ppid === visit.account.ppid
    const at = visitOrganization(context, visit, leaves ? 'read' : 'manage members')
    const command = { slug: at.organization.slug, ppid, by: memberAgent(at) }
    expectDone(await organizations.removeMember(command))
    return leaves
      ? redirectDone(organizationsPath, 'left')
      : redirectDone(pathIn(at, '/members'), 'removed')
  })
}

/** What a form says that a member is to be. HttpError `bad_request` for anything else. */
function roleOf(body: FormBody, name = 'role'): MemberRole {
  const role = memberRoles.find((each) => each === textOf(body, name))
  if (role !== undefined) return role
  throw new HttpError('bad_request', 'A member is a viewer, an editor or an owner')
}

/** The ppid of the person with a username; any other text is taken for a ppid. */
function findPerson({ environments }: OrganizationContext, text: string): string {
  const name = text.replace(/^@/, '')
  return (isPpid(name) ? undefined : environments.live.people.findByUsername(name)) ?? name
}

/** Why a change of the members was not made; undefined if it was, or is so already. */
function whyNot(answer: MembersAnswer): string | undefined {
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return undefined
    case 'no_person':
      return 'There is nobody with this username or identifier.'
    case 'already_member':
      return 'The person is a member already: change the role below.'
    case 'not_member':
      return 'The person is no longer a member.'
    case 'last_owner':
      return 'Somebody must be left who owns the organization: name another owner first.'
    case 'too_many_members':
      return 'The organization has as many members as there may be.'
    case 'forbidden':
    case 'not_found':
      return 'Only its owners change the members of an organization.'
  }
}

function expectDone(answer: MembersAnswer): void {
  const fault = whyNot(answer)
  if (fault !== undefined) throw new HttpError('conflict', fault)
}

/** The page of the members and of who is asked to be one; `state` is that of its forms. */
function membersPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): AccountPage {
  const { organizations } = context.environments.live
  const members = organizations.members(visit.organization.slug) ?? []
  const link = context.pages.takeSecret(visit, pathIn(visit, '/members'))
  const none = emptyState('No members yet', 'An administrator of the registry can add the first.')
  return organizationPage(visit, {
    section: '/members',
    title: 'Members',
    flashes,
    state,
    content: html`${members.length === 0 ? none : memberTable(context, visit, members)}
${link === undefined ? nothing : secretBox('Link of the invitation', link)}
${invitationPart(context, visit, state)}
${mayDo(visit, 'manage members') ? addPart(context, visit, state) : nothing}`,
  })
}

function memberTable(
  context: OrganizationContext,
  visit: OrganizationVisit,
  members: readonly Member[],
): Html {
  const own = visit.account.ppid
  return table('Members, in the order in which they came', members, {
    Person: ({ ppid }) =>
      html`${publicName(context, ppid, own)} <code>${ppid}</code>${ppid === own ? ' (you)' : ''}`,
    Role: (member) => roleCell(context, visit, member),
    Since: ({ since }) => time(since),
    Leave: (member) => removeCell(context, visit, member),
  })
}

function roleCell(context: OrganizationContext, visit: OrganizationVisit, member: Member): Html {
  if (!mayDo(visit, 'manage members')) return html`${member.role}`
  const id = `role-${member.ppid}`
  const options = memberRoles.map((role) => {
    const selected = role === member.role ? ' selected' : ''
    return html`<option value="${role}"${selected}>${role}</option>`
  })
  const label = `Role of ${publicName(context, member.ppid, visit.account.ppid)}`
  return form({
    action: context.pages.prefix + pathIn(visit, '/members/role'),
    csrf: visit.csrf,
    fields: html`${hiddenField('ppid', member.ppid)}
<select id="${id}" name="role" aria-label="${label}">${options}</select>`,
    submit: 'Change',
    inline: true,
  })
}

function removeCell(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { ppid }: Member,
): Html {
  const isOwn = ppid === visit.account.ppid
  if (!isOwn && !mayDo(visit, 'manage members')) return nothing
  const href = `${context.pages.prefix}${pathIn(visit, `/members/${ppid}/remove`)}`
  const label = isOwn ? 'Leave…' : `Remove ${publicName(context, ppid, visit.account.ppid)}…`
  return html`<a href="${href}" aria-label="${label}">${isOwn ? 'Leave…' : 'Remove…'}</a>`
}

/**
 * Asks whether a member is to leave or be removed; the last owner is told what to do before.
 * HttpError `not_found` for who is no member.
 */
function removalPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  ppid: string,
): AccountPage {
  const { organization, members, account, csrf } = visit
  const member = members.find((each) => each.ppid === ppid)
  if (member === undefined) throw new HttpError('not_found', 'The person is no member')
  const isOwn = ppid === account.ppid
  const name = publicName(context, ppid, account.ppid)
  const list = context.pages.prefix + pathIn(visit, '/members')
  const title = isOwn ? `Leave ${organization.name}?` : `Remove ${name}?`
  const owners = members.filter(({ role }) => role === 'owner')
  if (member.role === 'owner' && owners.length === 1) {
    return organizationPage(visit, {
      section: '/members',
      title,
      content: card('Not yet', lastOwnerAdvice(isOwn, members.length > 1, list)),
    })
  }
  const loses = isOwn
    ? html`You see no more of its pages, and cannot register works for it. An owner can add you
again.`
    : html`<bdi>${name}</bdi> sees no more of its pages, and cannot register works for it. You can
add them again.`
  return organizationPage(visit, {
    section: '/members',
    title,
    content: formCard({
      action: `${list}/remove`,
      csrf,
      fields: html`<p>${loses} Keys and applications of the organization stay as they are.</p>
${hiddenField('ppid', ppid)}`,
      submit: isOwn ? 'Leave it' : 'Remove them',
      beside: html`<a href="${list}">Leave it as it is</a>`,
      danger: true,
    }),
  })
}

/** What to do before the last owner of an organization can leave it. */
function lastOwnerAdvice(isOwn: boolean, hasOthers: boolean, list: string): Html {
  const who = isOwn ? 'You are' : 'This person is'
  const next = hasOthers
    ? html`<a href="${list}">make another member an owner</a> first`
    : html`<a href="${list}">add another owner</a> first`
  return html`<p>${who} the only owner, and somebody must be left who can manage it: ${next}. If the
organization is not needed any more, an administrator of the registry can help; its works and their
receipts stay.</p>`
}

/** Somebody with an account is added at once, by an owner who knows their username. */
function addPart(context: OrganizationContext, visit: OrganizationVisit, state: FormState): Html {
  const isOpen = state.faults.some((fault) => fault.field === 'person') ? ' open' : ''
  return html`<details class="fold"${isOpen}><summary>Add somebody by their username, at once
</summary>${card('Add a member', addForm(context, visit, state))}</details>`
}

function addForm({ pages }: OrganizationContext, visit: OrganizationVisit, state: FormState): Html {
  const fields = [
    field(
      {
        name: 'person',
        label: 'Username or identifier',
        required: true,
        hint: 'As their profile shows it, such as ada or p followed by letters and digits.',
      },
      state,
    ),
    selectField({ name: 'member_role', label: 'Role', options: roleOptions }, state),
  ]
  const action = pages.prefix + pathIn(visit, '/members')
  return form({ action, csrf: visit.csrf, fields, submit: 'Add them' })
}

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
