import { readerLanguage } from '#src/edge/reader_language.ts'
import { languageOf } from '#src/words/languages.ts'
import type { Member, MembersAnswer } from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import { type MemberRole, memberRoles } from '#actors/values/authority.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readEmail } from '#src/identity/accounts/account.ts'
import type { MemberInvitation, SentInvitation } from '#src/identity/accounts/member_invitations.ts'
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
import {
  type PageReply,
  redirectDone,
  routesIn,
  type Visit,
  type VisitIn,
} from '#src/pages/kit/pages.ts'
import {
  asLink,
  buttonLink,
  card,
  emptyState,
  facts,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import {
  askersName,
  hrefIn,
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
  publicName,
  visitOrganization,
  findPerson,
} from '#src/pages/organization/context.ts'
import { consortium, organizations as about } from '#src/words/english.ts'
import { english } from '#src/words/language.ts'
import { invitations as answers, members as words } from '#src/words/publisher_desk.ts'
import { type Text, textIn } from '#src/words/wording.ts'

const roleOptions = [
  { value: 'viewer', label: words.asViewer },
  { value: 'editor', label: words.asEditor },
  { value: 'owner', label: words.asOwner },
]

/** Invitations that wait, and the form for one more; nothing for who may not manage members. */
function invitationPart(visit: OrganizationVisit, state: FormState): Html {
  if (!mayDo(visit, 'manage members')) return nothing
  const waiting = visit.context.service.invitations.waiting(visit.organization.slug)
  return html`${waiting.length === 0 ? nothing : waitingTable(visit, waiting)}
${card(words.inviteHeading, inviteForm(visit, state))}`
}

function inviteForm(visit: OrganizationVisit, state: FormState): Html {
  const { service } = visit.context
  const hint = service.mail.isOn ? words.inviteHint : words.linkHint
  const fields = [
    field(
      {
        name: 'email',
        label: words.email,
        type: 'email',
        required: true,
        hint,
        autocomplete: 'off',
      },
      state,
    ),
    selectField({ name: 'role', label: words.role, options: roleOptions }, state),
  ]
  const action = hrefIn(visit, '/members/invite')
  return form({ action, csrf: visit.csrf, fields, submit: words.invite })
}

function waitingTable(visit: OrganizationVisit, waiting: readonly MemberInvitation[]): Html {
  const base = hrefIn(visit, '/members/invitations')
  const button = (id: string, word: string, submit: Text) =>
    form({ action: `${base}/${id}/${word}`, csrf: visit.csrf, submit, inline: true })
  const list = table(words.invitationTable, waiting, [
    [words.address, ({ email }) => html`<bdi>${email}</bdi>`],
    [words.role, ({ role }) => about[role]],
    [words.invitedBy, ({ by }) => askersName(visit.context, by.id)],
    [words.sent, ({ sent_at: at }) => time(at)],
    [words.validUntil, ({ expires_at: at }) => time(at)],
    [
      words.changeColumn,
      ({ id }) => html`${button(id, 'again', words.again)} ${button(id, 'revoke', words.revoke)}`,
    ],
  ])
  return html`<h2>${words.invitations}</h2>
${list}`
}

const flashes: Flashes = {
  added: words.added,
  entered: words.organizationAdded,
  changed: words.changed,
  removed: words.removed,
  invited: words.invited,
  taken_back: words.canceled,
}

/** Adds the page of an organization's members: owners add them and change what they may do. */
export function addOrganizationMemberPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const manage = organizationRoutes(context, 'manage members')
  const { organizations } = context.environments.live
  const path = '/members'
  read.member.get(path, (visit) => {
    const base = hrefIn(visit, '/members')
    const kept = context.pages.takeForm(visit)
    // The other forms of the page are one choice and a button.
    const isTyped = kept?.action === base || kept?.action === `${base}/invite`
    return membersPage(visit, givenBack(isTyped ? kept : undefined, emptyForm))
  })
  manage.fresh.post(path, async (visit, body) => {
    const ppid = findPerson(context, textOf(body, 'person').trim())
    const { slug } = visit.organization
    const command = { slug, ppid, role: roleOf(body, 'member_role'), by: memberAgent(visit) }
    const fault = whyNot(await organizations.addMember(command))
    if (fault === undefined) return redirectDone(pathIn(visit, '/members'), 'added')
    const faults = [{ field: 'person', code: 'refused', message: '', text: fault }]
    return membersPage(visit, { values: body, faults })
  })
  manage.fresh.post(`${path}/role`, async (visit, body) => {
    const { slug } = visit.organization
    const command = { slug, ppid: textOf(body, 'ppid'), role: roleOf(body), by: memberAgent(visit) }
    expectDone(await organizations.changeRole(command))
    return redirectDone(pathIn(visit, '/members'), 'changed')
  })
  read.fresh.get(`${path}/:ppid/remove`, (visit) => {
    const ppid = visit.parameters['ppid'] ?? ''
    const leaves = ppid === visit.account.ppid
    const at = leaves ? visit : visitOrganization(context, visit, 'manage members')
    return removalPage(at, ppid)
  })
  read.fresh.post(`${path}/remove`, async (visit, body) => {
    const ppid = textOf(body, 'ppid')
    const leaves = ppid === visit.account.ppid
    const at = leaves ? visit : visitOrganization(context, visit, 'manage members')
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

/** Why a change of the members was not made; undefined if it was, or is so already. */
function whyNot(answer: MembersAnswer): Text | undefined {
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return undefined
    case 'no_person':
      return words.noPerson
    case 'already_member':
      return words.alreadyMember
    case 'not_member':
      return words.notMember
    case 'last_owner':
      return words.lastOwner
    case 'too_many_members':
      return words.tooMany
    case 'forbidden':
    case 'not_found':
      return words.onlyOwners
  }
}

function expectDone(answer: MembersAnswer): void {
  const fault = whyNot(answer)
  if (fault !== undefined) throw conflictOf(fault)
}

/** Programs read it in English, as pages show it then. */
function conflictOf(text: Text): HttpError {
  return new HttpError('conflict', textIn(english, text))
}

function membersPage(visit: OrganizationVisit, state: FormState): AccountPage {
  const { organizations } = visit.context.environments.live
  const members = organizations.members(visit.organization.slug) ?? []
  const link = visit.context.pages.takeSecret(visit, pathIn(visit, '/members'))
  const none = emptyState(words.none, words.noneText)
  return organizationPage(visit, {
    section: '/members',
    title: words.heading,
    flashes,
    state,
    content: html`${members.length === 0 ? none : memberTable(visit, members)}
${link === undefined ? nothing : secretBox(words.link, link)}
${invitationPart(visit, state)}
${mayDo(visit, 'manage members') ? addPart(visit, state) : nothing}`,
  })
}

function memberTable(visit: OrganizationVisit, members: readonly Member[]): Html {
  const own = visit.account.ppid
  const nameOf = (ppid: string) => askersName(visit.context, ppid)
  return table(words.table, members, [
    [
      words.person,
      ({ ppid }) => html`${nameOf(ppid)} <code>${ppid}</code>${ppid === own ? words.you : ''}`,
    ],
    [words.role, (member) => roleCell(visit, member)],
    [about.since, ({ since }) => time(since)],
    [words.leaveColumn, (member) => removeCell(visit, member)],
  ])
}

function roleCell(visit: OrganizationVisit, member: Member): Html {
  if (!mayDo(visit, 'manage members')) return html`${about[member.role]}`
  const id = `role-${member.ppid}`
  const options = memberRoles.map((role) => {
    const selected = role === member.role ? ' selected' : ''
    return html`<option value="${role}"${selected}>${about[role]}</option>`
  })
  const name = publicName(visit.context, member.ppid, visit.account.ppid)
  const label = words.roleOf({ name })
  return form({
    action: hrefIn(visit, '/members/role'),
    csrf: visit.csrf,
    fields: html`${hiddenField('ppid', member.ppid)}
<select id="${id}" name="role" aria-label="${label}">${options}</select>`,
    submit: words.change,
    inline: true,
  })
}

function removeCell(visit: OrganizationVisit, { ppid }: Member): Html {
  const isOwn = ppid === visit.account.ppid
  if (!isOwn && !mayDo(visit, 'manage members')) return nothing
  const href = hrefIn(visit, `/members/${ppid}/remove`)
  const name = publicName(visit.context, ppid, visit.account.ppid)
  const label = isOwn ? words.leaveLink : words.removeOf({ name })
  const text = isOwn ? words.leaveLink : words.removeLink
  return html`<a href="${href}" aria-label="${label}">${text}</a>`
}

/**
 * Asks whether a member is to leave or be removed; the last owner is told what to do before.
 * HttpError `not_found` for who is no member.
 */
function removalPage(visit: OrganizationVisit, ppid: string): AccountPage {
  const { organization, members, account, csrf } = visit
  const member = members.find((each) => each.ppid === ppid)
  if (member === undefined) throw new HttpError('not_found', 'The person is no member')
  const isOwn = ppid === account.ppid
  const name = publicName(visit.context, ppid, account.ppid)
  const list = hrefIn(visit, '/members')
  const title = isOwn
    ? words.leaveHeading({ organization: organization.name })
    : words.removeHeading({ name })
  const owners = members.filter(({ role }) => role === 'owner')
  if (member.role === 'owner' && owners.length === 1) {
    return organizationPage(visit, {
      section: '/members',
      title,
      content: card(words.notYet, lastOwnerAdvice(isOwn, members.length > 1, list)),
    })
  }
  const loses = isOwn ? words.youLose : words.theyLose({ name: html`<bdi>${name}</bdi>` })
  return organizationPage(visit, {
    section: '/members',
    title,
    content: formCard({
      action: `${list}/remove`,
      csrf,
      fields: html`<p>${loses} ${words.othersStay}</p>
${hiddenField('ppid', ppid)}`,
      submit: isOwn ? words.leave : words.remove,
      beside: html`<a href="${list}">${words.cancel}</a>`,
      danger: true,
    }),
  })
}

/** What to do before the last owner of an organization can leave it. */
function lastOwnerAdvice(isOwn: boolean, hasOthers: boolean, list: string): Html {
  const advice = isOwn
    ? hasOthers
      ? words.youAreLast
      : words.youAreAlone
    : hasOthers
      ? words.theyAreLast
      : words.theyAreAlone
  return html`<p>${advice({ link: asLink(list) })}
${words.closing}</p>`
}

/** Somebody with an account is added at once, by an owner who knows their username. */
function addPart(visit: OrganizationVisit, state: FormState): Html {
  const isOpen = state.faults.some((fault) => fault.field === 'person') ? ' open' : ''
  return html`<details class="fold"${isOpen}><summary>${words.addAtOnce}</summary>
${card(words.addHeading, addForm(visit, state))}</details>`
}

function addForm(visit: OrganizationVisit, state: FormState): Html {
  const fields = [
    field(
      {
        name: 'person',
        label: words.username,
        required: true,
        hint: words.usernameHint,
      },
      state,
    ),
    selectField({ name: 'member_role', label: words.role, options: roleOptions }, state),
  ]
  const action = hrefIn(visit, '/members')
  return form({ action, csrf: visit.csrf, fields, submit: words.add })
}

const answerPath = '/invitations/:slug/:token'

/** Adds the pages of invitations: owners send them, and the person who has the link answers. */
export function addInvitationPages(context: OrganizationContext): void {
  addSending(context)
  addAnswering(context)
}

function addSending(context: OrganizationContext): void {
  const manage = organizationRoutes(context, 'manage members')
  const { invitations } = context.service
  const path = '/members'
  manage.fresh.post(`${path}/invite`, async (visit, body) => {
    const email = readEmail(textOf(body, 'email'))
    if (email === undefined) return again(visit, body, words.emailNeeded)
    const asked = { email, role: roleOf(body), by: ownerOf(visit) }
    const answer = await invitations.invite(visit.organization.slug, asked)
    if (typeof answer === 'string') return again(visit, body, words[answer])
    return send(visit, answer)
  })
  manage.fresh.post(`${path}/invitations/:id/again`, async (visit) => {
    const id = visit.parameters['id'] ?? ''
    const answer = await invitations.again(visit.organization.slug, id, ownerOf(visit))
    if (typeof answer === 'string') throw conflictOf(words[answer])
    return send(visit, answer)
  })
  manage.fresh.post(`${path}/invitations/:id/revoke`, async (visit) => {
    const id = visit.parameters['id'] ?? ''
    if (!(await invitations.revoke(visit.organization.slug, id, ownerOf(visit)))) {
      throw conflictOf(words.not_found)
    }
    return redirectDone(pathIn(visit, '/members'), 'taken_back')
  })
}

function ownerOf({ account }: Pick<OrganizationVisit, 'account'>) {
  return { type: 'person', id: account.ppid, name: account.ppid } as const
}

function again(visit: OrganizationVisit, body: FormBody, text: Text): AccountPage {
  const faults = [{ field: 'email', code: 'refused', message: '', text }]
  return membersPage(visit, { values: body, faults })
}

/** Sends the message, or shows the link where no messages are sent. */
function send(visit: OrganizationVisit, { invitation, token }: SentInvitation): PageReply {
  const { service, pages } = visit.context
  const { slug, name } = visit.organization
  const link = `${service.authUrl}/invitations/${slug}/${token}`
  const list = pathIn(visit, '/members')
  if (!service.mail.isOn) return pages.redirectWithSecret(visit, list, link)
  const by = publicName(visit.context, visit.account.ppid, visit.account.ppid)
  const { email, role } = invitation
  const language = languageOf(service.accounts.findByEmail(email)?.language ?? '')
  const to = { email, language: language ?? readerLanguage(visit.request) }
  service.mail.sendInvitation(to, { organization: name, role, by, link })
  return redirectDone(list, 'invited')
}

function addAnswering(context: OrganizationContext): void {
  const { open } = context.pages
  const { member } = routesIn(context)
  const { invitations } = context.service
  open.get(answerPath, (visit) => {
    const invitation = invitationOf(context, visit)
    return invitation === undefined ? overPage() : answerPage(context, visit, invitation)
  })
  member.post(`${answerPath}/accept`, async (visit) => {
    const invitation = invitationOf(context, visit)
    if (invitation === undefined) return overPage()
    const fault = await join(visit, invitation)
    if (fault !== undefined) throw conflictOf(fault)
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
 * Makes the person who accepts a member, by the rights that the inviter has now. The invitation
 * is theirs alone meanwhile, so that two who have the link are not both members, and is used up
 * once they are one: what fails before leaves it as it was, and they go on from wherever it was
 * cut off. Gives why it could not be done.
 */
async function join(
  visit: VisitIn<OrganizationContext>,
  invitation: MemberInvitation,
): Promise<Text | undefined> {
  const { environments, service } = visit.context
  const { slug = '', token = '' } = visit.parameters
  const { ppid } = visit.account
  const { organizations } = environments.live
  const { invitations } = service
  const wasTaken = invitation.accepted_by === ppid
  if (organizations.roleOf(slug, ppid) !== undefined && !wasTaken) {
    return answers.memberAlready
  }
  const by = agentOf(visit.context, invitation)
  const { role } = invitation
  const person = { type: 'person', id: ppid, name: ppid } as const
  if ((await invitations.take(slug, token, ppid)) === undefined) return words.not_found
  const isMember = organizations.roleOf(slug, ppid) !== undefined
  const fault = isMember
    ? undefined
    : reasonOf(await organizations.addMember({ slug, ppid, role, by }))
  if (fault === undefined) await invitations.answer(slug, token, 'invitation_accepted', person)
  else await invitations.giveBack(slug, token, ppid)
  return fault
}

function reasonOf(answer: MembersAnswer): Text | undefined {
  return answer.type === 'forbidden' ? answers.notAllowed : whyNot(answer)
}

/** Whoever asked, with the rights that they have now. */
function agentOf({ service }: OrganizationContext, { by }: MemberInvitation): Agent {
  const isAdmin = service.accounts.find(by.id)?.roles.includes('admin') === true
  return { ...pageAgent(by.id), ...(isAdmin && { admin: true }) }
}

function overPage(): AccountPage {
  return { title: answers.over, isOfDesk: true, status: 404, lead: answers.overText }
}

function declinedPage(): AccountPage {
  return { title: answers.declined, isOfDesk: true, lead: answers.declinedText }
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
    submit: consortium.decline,
    danger: true,
    inline: true,
  })
  return {
    title: answers.heading({ organization: name }),
    isOfDesk: true,
    content: html`${facts([
      [consortium.organization, html`<bdi>${name}</bdi>`],
      [answers.yourRole, about[invitation.role]],
      [words.invitedBy, askersName(context, invitation.by.id)],
      [words.validUntil, time(invitation.expires_at)],
    ])}
<p class="hint">${answers.seen({ organization: name })}</p>
<div class="buttons">${acceptPart(context, visit, base)} ${decline}</div>`,
  }
}

function acceptPart({ pages, service }: OrganizationContext, visit: Visit, base: string): Html {
  if (visit.account !== undefined) {
    const action = `${base}/accept`
    return form({ action, csrf: visit.csrf, submit: consortium.accept, inline: true })
  }
  const query = pages.returnQuery(base)
  const signUp =
    service.signUp === 'open'
      ? html`<a href="${pages.prefix}/sign-up${query}">${answers.signUp}</a>`
      : ''
  return html`${buttonLink(`${pages.prefix}/sign-in${query}`, answers.signIn)} ${signUp}`
}
