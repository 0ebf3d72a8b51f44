import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { field, form, type FormState, selectField } from '#src/pages/kit/form_field.ts'
import { card, table, time } from '#src/pages/kit/parts.ts'
import type { MemberInvitation } from '#src/identity/accounts/member_invitations.ts'
import {
  mayDo,
  type OrganizationContext,
  type OrganizationVisit,
  pathIn,
  publicName,
} from '#src/pages/organization/context.ts'

/** What members may be, as forms offer it. */
export const roleOptions = [
  { value: 'viewer', label: 'Viewer: sees what members see' },
  { value: 'editor', label: 'Editor: registers works and describes the organization' },
  { value: 'owner', label: 'Owner: everything, with keys, applications and members' },
]

/** Invitations that wait, and the form for one more; nothing for who may not manage members. */
export function invitationPart(
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
  const columns = [
    {
      heading: 'Address',
      isRowHeading: true,
      cell: ({ email }: MemberInvitation) => html`<bdi>${email}</bdi>`,
    },
    { heading: 'Is to be', cell: ({ role }: MemberInvitation) => role },
    {
      heading: 'Asked by',
      cell: ({ by }: MemberInvitation) => publicName(context, by.id, visit.account.ppid),
    },
    { heading: 'Sent', cell: ({ sent_at: at }: MemberInvitation) => time(at) },
    { heading: 'Good until', cell: ({ expires_at: at }: MemberInvitation) => time(at) },
    {
      heading: 'Change',
      cell: ({ id }: MemberInvitation) =>
        html`${button(id, 'again', 'Send again')} ${button(id, 'revoke', 'Take back')}`,
    },
  ]
  return html`<h2>Invitations that wait for an answer</h2>
${table('Invitations', columns, waiting)}`
}
