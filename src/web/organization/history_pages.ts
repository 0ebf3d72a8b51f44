import { parseDecimal } from '#log/encoding.ts'
import { keyName } from '#src/web/kit/key_parts.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import type { Agent, Owner } from '#actors/values/agent.ts'
import type { OrganizationChange } from '#actors/organizations/port.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import {
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  publicName,
  visitOrganization,
} from '#src/web/organization/context.ts'
import { emptyState, pagination, table, time } from '#src/web/kit/parts.ts'

const entriesOnPage = 50

/** Adds the page of what happened to an organization, for its owners. */
export function addOrganizationHistoryPages(context: OrganizationContext): void {
  context.pages.member.get('/organizations/:slug/history', (visit) =>
    historyPage(context, visitOrganization(context, visit, 'read history')),
  )
}

async function historyPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const { slug } = visit.organization
  const base = context.pages.prefix + pathIn(visit, '/history')
  const keysBefore = parseDecimal(visit.query.get('keys_before') ?? '')
  const membersBefore = parseDecimal(visit.query.get('members_before') ?? '')
  const uses = await context.audit.read(
    { type: 'organization', id: slug },
    { order: 'newest', limit: entriesOnPage, ...(keysBefore && { cursor: keysBefore }) },
  )
  const changes = await context.environments.live.organizations.history(slug, {
    limit: entriesOnPage,
    ...(membersBefore && { before: membersBefore }),
  })
  const lastUse = uses.length < entriesOnPage ? undefined : uses.at(-1)
  const lastChange = changes.length < entriesOnPage ? undefined : changes.at(-1)
  const links = (parameter: string, before: number | undefined, next: number | undefined) =>
    pagination({ path: base, parameter, next, isFirst: before === undefined })
  return organizationPage(visit, {
    section: '/history',
    title: 'History',
    lead: 'Who did what. Only owners see it.',
    content: html`<h2>Keys, applications and invitations</h2>
${uses.length === 0 ? nothing('Keys and applications') : useTable(context, visit, uses)}
${links('keys_before', keysBefore, lastUse?.seq)}
<h2>Members and description</h2>
${changes.length === 0 ? nothing('Changes') : changeTable(context, visit, changes)}
${links('members_before', membersBefore, lastChange?.position)}`,
  })
}

function nothing(what: string): Html {
  return emptyState('Nothing yet', `${what} stand here once there are any.`)
}

function useTable(
  context: OrganizationContext,
  visit: OrganizationVisit,
  entries: readonly AuditEntry[],
): Html {
  const columns = [
    { heading: 'When', isRowHeading: true, cell: ({ at }: AuditEntry) => time(at) },
    { heading: 'What', cell: (entry: AuditEntry) => entry.action.replaceAll('_', ' ') },
    { heading: 'Of', cell: (entry: AuditEntry) => subject(context, visit, entry) },
    {
      heading: 'By',
      cell: ({ by, network }: AuditEntry) =>
        html`${by === undefined ? '' : agentName(context, visit, by)} ${network ?? ''}`,
    },
    {
      heading: 'Why',
      cell: ({ reason }: AuditEntry) => reason?.replaceAll('_', ' ') ?? '',
    },
  ]
  return table('The newest first', columns, entries)
}

function subject(context: OrganizationContext, visit: OrganizationVisit, entry: AuditEntry): Html {
  const { key_id, client_id, invitation_id, role } = entry
  if (invitation_id !== undefined) return html`invitation to be its ${role ?? 'member'}`
  if (client_id !== undefined) {
    return html`application ${context.applications.find(client_id)?.name ?? client_id}`
  }
  const { slug } = visit.organization
  const keys = context.keys.list({ type: 'organization', id: slug })
  const key = keys.find(({ id }) => id === key_id)
  return html`key ${key === undefined ? (key_id ?? '') : keyName(key)}`
}

const changeWords = {
  OrganizationCreated: 'was entered',
  OrganizationUpdated: 'was described anew',
  MemberAdded: 'has a new member',
  MemberRoleChanged: 'has given a member another role',
  MemberRemoved: 'has lost a member',
} as const

function changeTable(
  context: OrganizationContext,
  visit: OrganizationVisit,
  changes: readonly OrganizationChange[],
): Html {
  const { ppid: own } = visit.account
  const columns = [
    { heading: 'When', isRowHeading: true, cell: ({ at }: OrganizationChange) => time(at) },
    {
      heading: 'The organization',
      cell: ({ type }: OrganizationChange) => changeWords[type],
    },
    {
      heading: 'Which',
      cell: ({ ppid, role, changed_fields: fields = [] }: OrganizationChange) =>
        ppid === undefined
          ? html`${fields.join(', ')}`
          : html`${publicName(context, ppid, own)} ${role === undefined ? '' : `(${role})`}`,
    },
    { heading: 'By', cell: ({ by }: OrganizationChange) => agentName(context, visit, by) },
  ]
  return table('The newest first', columns, changes)
}

function agentName(
  context: OrganizationContext,
  visit: OrganizationVisit,
  by: Owner | Agent,
): string {
  if (by.type !== 'person') return by.name
  const name = publicName(context, by.id, visit.account.ppid)
  return 'admin' in by && by.admin ? `${name}, as an administrator` : name
}
