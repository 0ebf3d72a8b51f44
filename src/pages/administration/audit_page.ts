import type { Owner } from '#actors/values/agent.ts'
import type { AuditEntry, OwnedAuditEntry } from '#src/identity/store/audit.ts'
import { formatOwner, parseOwner } from '#src/identity/store/owner_text.ts'
import { happening, subject } from '#src/pages/account/audit_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import {
  emptyState,
  filterQuery,
  listFilter,
  pagination,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { findAccount } from '#src/pages/administration/account_pages.ts'
import { ownerLink } from '#src/pages/administration/key_pages.ts'
import { type OrganizationContext, publicName } from '#src/pages/organization/context.ts'
import { periodFault, periodOf } from '#src/pages/organization/history_source.ts'

const path = `${adminPath}/audit`
const entriesOnPage = 50

/** Entries that a page looks at, of which a filter may want few. */
const rowsMax = 1_000

const kinds = [
  ['', 'All'],
  ['key', 'Keys'],
  ['application', 'Applications and permissions'],
  ['invitation', 'Invitations'],
  ['account', 'Accounts'],
] as const

/** Adds the page of what happened to keys, applications and accounts of whomever. */
export function addAdminAuditPage(context: OrganizationContext): void {
  const limit = { limit: 'search_page' } as const
  adminRoutes(context).member.get(path, auditPage, limit)
}

/** What is asked of the audit lists; an empty text asks for nothing. */
type AuditFilter = {
  readonly whose: string
  readonly kind: string
  readonly from: string
  readonly until: string
}

type Page = { readonly entries: readonly OwnedAuditEntry[]; readonly next: string | undefined }

function kindOf({ key_id, client_id, invitation_id }: AuditEntry): string {
  if (invitation_id !== undefined) return 'invitation'
  if (key_id !== undefined) return 'key'
  return client_id === undefined ? 'account' : 'application'
}

/** Whose list a text names: `operator`, `org:press`, or a person; undefined for nobody's. */
function ownerOf(
  context: OrganizationContext,
  text: string,
): Pick<Owner, 'type' | 'id'> | undefined {
  const named = parseOwner(text)
  if (named !== undefined) return named
  const account = findAccount(context, text)
  return account && { type: 'person', id: account.ppid }
}

async function readEntries(
  { audit }: OrganizationContext,
  owner: Pick<Owner, 'type' | 'id'> | undefined,
  filter: AuditFilter,
  before: string | undefined,
): Promise<Page> {
  const { fromMs, untilMs } = periodOf(filter)
  const rows = await readRows()
  const entries: OwnedAuditEntry[] = []
  let next: string | undefined
  for (const row of rows) {
    if (fromMs !== undefined && Date.parse(row.entry.at) < fromMs) {
      return { entries, next: undefined }
    }
    const isWanted = filter.kind === '' || kindOf(row.entry) === filter.kind
    if (isWanted && entries.length === entriesOnPage) return { entries, next }
    if (isWanted) entries.push(row)
    next = row.place
  }
  return { entries, next: rows.length < rowsMax ? undefined : next }

  async function readRows(): Promise<readonly OwnedAuditEntry[]> {
    if (owner === undefined) {
      const span = {
        ...(before !== undefined && { before }),
        ...(untilMs !== undefined && { untilMs }),
      }
      return audit.readAll({ ...span, limit: rowsMax })
    }
    const end = untilMs === undefined ? undefined : await audit.firstFrom(owner, untilMs)
    const asked = Number(before ?? Number.NaN)
    const cursor = Number.isSafeInteger(asked) ? asked : end
    const page = {
      order: 'newest',
      limit: rowsMax,
      ...(cursor !== undefined && { cursor }),
    } as const
    const found = await audit.read(owner, page)
    return found.map((entry) => ({ owner, entry, place: `${entry.seq}` }))
  }
}

const placeForm = /^[\w:./-]{1,200}$/

async function auditPage(visit: AdminVisit): Promise<AccountPage> {
  const base = visit.context.pages.prefix + path
  const given = (name: string) => (visit.query.get(name) ?? '').trim().slice(0, 254)
  const filter: AuditFilter = {
    whose: given('whose'),
    kind: kinds.find(([kind]) => kind === given('kind'))?.[0] ?? '',
    from: given('from'),
    until: given('until'),
  }
  const owner = filter.whose === '' ? undefined : ownerOf(visit.context, filter.whose)
  const fault =
    filter.whose !== '' && owner === undefined
      ? `Nobody is called “${filter.whose}”: write an address, a username, org:press or operator.`
      : periodFault(filter)
  const place = given('before')
  const before = placeForm.test(place) ? place : undefined
  const found =
    fault === undefined ? await readEntries(visit.context, owner, filter, before) : undefined
  const kept = filterQuery(filter)
  return administrationPage(visit.context, '/audit', {
    title: 'Audit',
    lead: `What was changed of keys, applications, permissions and accounts. Uses of keys are in the
list of whose they are. Days are of UTC.`,
    content: html`${auditForm(base, filter)}
${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
${
  found === undefined
    ? nothing
    : html`${entriesPart(visit.context, found)}
${pagination({
  path: base,
  parameter: 'before',
  next: found.next,
  isFirst: before === undefined,
  kept,
})}`
}`,
  })
}

function entriesPart(context: OrganizationContext, page: Page): Html {
  return page.entries.length === 0 ? noneFound(page) : auditTable(context, page.entries)
}

function noneFound({ next }: Page): Html {
  return next === undefined
    ? emptyState('Nothing like that', 'Choose another period, or take back a filter.')
    : emptyState('Nothing found yet', 'The next page goes on from here.')
}

function auditForm(action: string, { whose, kind, from, until }: AuditFilter): Html {
  return listFilter(action, 'Audit', [
    textFilter('whose', 'Whose', whose, 'ada@example.org'),
    { name: 'kind', label: 'About', value: kind, options: kinds },
    { name: 'from', label: 'From', value: from, type: 'date' },
    { name: 'until', label: 'Until', value: until, type: 'date' },
  ])
}

function auditTable(context: OrganizationContext, entries: readonly OwnedAuditEntry[]): Html {
  const list = table('The newest first', entries, {
    When: ({ entry }) => time(entry.at, 'second'),
    Whose: ({ owner }) =>
      owner.type === 'person'
        ? html`${publicName(context, owner.id, '')} ${ownerLink(context, owner, 'live')}`
        : ownerLink(context, owner, 'live'),
    What: ({ owner, entry }) => {
      const whose = owner.type === 'person' ? 'Account' : 'Organization'
      return `${subject(context, entry, whose)} ${happening(entry)}`
    },
    By: ({ entry }) => byCell(context, entry),
  })
  return html`<div class="admin-table">${list}</div>`
}

function byCell(context: OrganizationContext, { by, network }: AuditEntry): Html {
  const from = network === undefined ? nothing : html` <span class="aside">${network}</span>`
  if (by === undefined) return from
  if (by.type === 'person') return html`${publicName(context, by.id, '')}${from}`
  return html`${by.type === 'organization' ? formatOwner(by) : by.name}${from}`
}
