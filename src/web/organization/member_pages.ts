import { html } from 'ghtml'

import type { Member, MembersAnswer } from '#actors/organizations/port.ts'
import { isPpid } from '#actors/values/ppid.ts'
import { HttpError } from '#src/errors.ts'
import { askAgain } from '#src/api/ask_again.ts'
import { done } from '#src/web/account/desk.ts'
import { flashOf } from '#src/web/kit/pages.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  emptyForm,
  faultSummary,
  field,
  form,
  type FormState,
  hiddenField,
  selectField,
} from '#src/web/kit/form_field.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationDesk,
  organizationPage,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
  shownName,
  visitOrganization,
} from '#src/web/organization/desk.ts'
import type { Flash, Html, Page } from '#src/web/kit/page.ts'
import { card, emptyState, table, time } from '#src/web/kit/parts.ts'
import { type MemberRole, memberRoles } from '#actors/values/authority.ts'

const flashes: Readonly<Record<string, Flash>> = {
  added: { kind: 'success', text: 'The person is a member now.' },
  changed: { kind: 'success', text: 'The role is changed.' },
  removed: { kind: 'success', text: 'The person is no member any more.' },
}

const roleOptions = [
  { value: 'viewer', label: 'Viewer: sees what members see' },
  { value: 'editor', label: 'Editor: registers works and describes the organization' },
  { value: 'owner', label: 'Owner: everything, with keys, applications and members' },
]

/** Adds the page of an organization's members: owners add them and change what they may do. */
export function addOrganizationMemberPages(desk: OrganizationDesk): void {
  const { member } = desk.pages
  const { organizations } = desk.environments.live
  const path = '/organizations/:slug/members'
  member.get(path, (visit) => membersPage(desk, visitOrganization(desk, visit, 'read'), emptyForm))
  member.post(path, async (visit, body) => {
    const at = visitOrganization(desk, visit, 'manage members')
    const ppid = findPerson(desk, textOf(body, 'person').trim())
    const { slug } = at.organization
    const command = { slug, ppid, role: roleOf(body), by: memberAgent(at) }
    const fault = whyNot(await askAgain(() => organizations.addMember(command)))
    if (fault === undefined) return done(pathIn(at, '/members'), 'added')
    const faults = [{ field: 'person', code: 'refused', message: fault }]
    return membersPage(desk, at, { values: body, faults })
  })
  member.post(`${path}/role`, async (visit, body) => {
    const at = visitOrganization(desk, visit, 'manage members')
    const { slug } = at.organization
    const command = { slug, ppid: textOf(body, 'ppid'), role: roleOf(body), by: memberAgent(at) }
    expectDone(await askAgain(() => organizations.changeRole(command)))
    return done(pathIn(at, '/members'), 'changed')
  })
  member.post(`${path}/remove`, async (visit, body) => {
    const ppid = textOf(body, 'ppid')
    const leaves = ppid === visit.account.ppid
    const at = visitOrganization(desk, visit, leaves ? 'read' : 'manage members')
    const command = { slug: at.organization.slug, ppid, by: memberAgent(at) }
    expectDone(await askAgain(() => organizations.removeMember(command)))
    return leaves ? { redirect: organizationsPath } : done(pathIn(at, '/members'), 'removed')
  })
}

function roleOf(body: FormBody): MemberRole {
  const role = memberRoles.find((each) => each === textOf(body, 'role'))
  if (role !== undefined) return role
  throw new HttpError('bad_request', 'A member is a viewer, an editor or an owner')
}

/** The ppid that somebody is known by; a text that is no username is taken for a ppid. */
function findPerson({ environments }: OrganizationDesk, text: string): string {
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
      return 'The person is no member any more.'
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

function membersPage(desk: OrganizationDesk, visit: OrganizationVisit, state: FormState): Page {
  const { organizations } = desk.environments.live
  const members = organizations.members(visit.organization.slug) ?? []
  const flash = flashOf(visit, flashes)
  const none = emptyState('No members yet', 'An administrator of the registry can add the first.')
  return organizationPage(desk, visit, {
    section: '/members',
    title: 'Members',
    ...(flash !== undefined && { flash }),
    ...(state.faults.length > 0 && { status: 422 }),
    body: html`!${faultSummary(state)}
!${members.length === 0 ? none : memberTable(desk, visit, members)}
!${mayDo(visit, 'manage members') ? card('Add a member', addForm(desk, visit, state)) : ''}`,
  })
}

function memberTable(
  desk: OrganizationDesk,
  visit: OrganizationVisit,
  members: readonly Member[],
): Html {
  const own = visit.account.ppid
  const columns = [
    {
      heading: 'Person',
      isRowHeading: true,
      cell: ({ ppid }: Member) =>
        html`${shownName(desk, ppid, own)} <code>${ppid}</code>${ppid === own ? ' (you)' : ''}`,
    },
    { heading: 'Role', cell: (member: Member) => roleCell(desk, visit, member) },
    { heading: 'Since', cell: ({ since }: Member) => time(since) },
    { heading: 'Leave', cell: (member: Member) => removeCell(desk, visit, member) },
  ]
  return table('Members, in the order in which they came', columns, members)
}

function roleCell(desk: OrganizationDesk, visit: OrganizationVisit, member: Member): Html {
  if (!mayDo(visit, 'manage members')) return html`${member.role}`
  const id = `role-${member.ppid}`
  const options = memberRoles.map((role) => {
    const selected = role === member.role ? ' selected' : ''
    return html`<option value="${role}"!${selected}>${role}</option>`
  })
  const label = `Role of ${shownName(desk, member.ppid, visit.account.ppid)}`
  return form({
    action: desk.pages.prefix + pathIn(visit, '/members/role'),
    csrf: visit.csrf,
    fields: html`!${hiddenField('ppid', member.ppid)}
<select id="${id}" name="role" aria-label="${label}">!${options}</select>`,
    submit: 'Change',
    inline: true,
  })
}

function removeCell(desk: OrganizationDesk, visit: OrganizationVisit, { ppid }: Member): Html {
  const isOwn = ppid === visit.account.ppid
  if (!isOwn && !mayDo(visit, 'manage members')) return ''
  return form({
    action: desk.pages.prefix + pathIn(visit, '/members/remove'),
    csrf: visit.csrf,
    fields: hiddenField('ppid', ppid),
    submit: isOwn ? 'Leave' : 'Remove',
    danger: true,
    inline: true,
  })
}

function addForm({ pages }: OrganizationDesk, visit: OrganizationVisit, state: FormState): Html {
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
    selectField({ name: 'role', label: 'Role', options: roleOptions }, state),
  ].join('')
  const action = pages.prefix + pathIn(visit, '/members')
  return form({ action, csrf: visit.csrf, fields, submit: 'Add them' })
}
