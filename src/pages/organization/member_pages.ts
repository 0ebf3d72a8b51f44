import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Member, MembersAnswer } from '#actors/organizations/events.ts'
import { isPpid } from '#actors/values/identifier.ts'
import { HttpError } from '#src/errors.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  emptyForm,
  field,
  form,
  formCard,
  type FormState,
  hiddenField,
  selectField,
} from '#src/pages/kit/form_field.ts'
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
import type { Flashes } from '#src/pages/kit/page.ts'
import { invitationPart, roleOptions } from '#src/pages/organization/invitation_part.ts'
import { card, emptyState, secretBox, table, time } from '#src/pages/kit/parts.ts'
import { type MemberRole, memberRoles } from '#actors/values/authority.ts'

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
export function roleOf(body: FormBody, name = 'role'): MemberRole {
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
export function whyNot(answer: MembersAnswer): string | undefined {
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
export function membersPage(
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
  const columns = [
    {
      heading: 'Person',
      isRowHeading: true,
      cell: ({ ppid }: Member) =>
        html`${publicName(context, ppid, own)} <code>${ppid}</code>${ppid === own ? ' (you)' : ''}`,
    },
    { heading: 'Role', cell: (member: Member) => roleCell(context, visit, member) },
    { heading: 'Since', cell: ({ since }: Member) => time(since) },
    { heading: 'Leave', cell: (member: Member) => removeCell(context, visit, member) },
  ]
  return table('Members, in the order in which they came', columns, members)
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
