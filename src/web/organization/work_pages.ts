import { parseDecimal } from '#log/encoding.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import { isOwner } from '#actors/values/agent.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { OwnerListWork } from '#actors/catalogue/owner_lists.ts'
import { HttpError } from '#src/errors.ts'
import {
  arkLink,
  mayDo,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'
import {
  badge,
  type BadgeKind,
  buttonLink,
  card,
  emptyState,
  facts,
  pagination,
  table,
  time,
} from '#src/web/kit/parts.ts'

const worksOnPage = 25

/** Adds the list of an organization's works. */
export function addOrganizationWorkPages(context: OrganizationContext): void {
  const { member } = context.pages
  member.get('/organizations/:slug/works', (visit) =>
    worksPage(context, visitOrganization(context, visit, 'read')),
  )
}

/** The ARK, `naan/name`, of a work of the organization. HttpError `not_found` for any other. */
export function ownWork(
  { environments }: OrganizationContext,
  visit: OrganizationVisit,
  text: string,
): string {
  const { naan, catalogue } = environments.live
  const parsed = parseArkReference(text, naan)
  const work = parsed.type === 'malformed' ? undefined : catalogue.state(parsed.ark)
  if (work !== undefined && isOwner(organizationAgent(visit), work.owner)) return work.ark
  throw new HttpError('not_found', `${visit.organization.name} has registered no such work`)
}

type Row = OwnerListWork & { readonly workType: string }

async function worksPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const { pages, environments } = context
  const before = parseDecimal(visit.query.get('before') ?? '')
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const page = { limit: worksOnPage, ...(before !== undefined && { cursor: before }) }
  const held = await environments.live.holdings.works(owner, page)
  const rows = await Promise.all(held.works.map((work) => withType(context, work)))
  const base = pages.prefix + pathIn(visit, '/works')
  const register = mayDo(visit, 'register works')
    ? html`<p class="buttons">${buttonLink(`${base}/new`, 'Register a work')}
<a href="${pages.prefix}${pathIn(visit, '/import')}">Import a file</a></p>`
    : ''
  const changes = mayDo(visit, 'register works')
    ? (work: Row) => changeLinks(base, work)
    : undefined
  return organizationPage(context, visit, {
    section: '/works',
    title: 'Works',
    content: html`${register}
${rows.length === 0 ? noWorks() : workTable(context, rows, changes)}
${pagination({
  path: base,
  parameter: 'before',
  next: held.next,
  isFirst: before === undefined,
})}`,
  })
}

async function withType({ environments }: OrganizationContext, work: OwnerListWork): Promise<Row> {
  const ark = work.ark_identifier.replace(/^ark:\/?/, '')
  const found = await environments.live.catalogue.work(ark)
  if (found.type === 'not_found') return { ...work, workType: '' }
  const { work_type: workType = '' } = JSON.parse(Buffer.from(found.body).toString('utf8')) as {
    readonly work_type?: string
  }
  return { ...work, workType }
}

function noWorks(): Html {
  return emptyState(
    'No works yet',
    'Works that the organization registers stand here, with what is known of their content.',
  )
}

function workTable(
  context: OrganizationContext,
  works: readonly Row[],
  changes: ((work: Row) => Html) | undefined,
): Html {
  const columns = [
    { heading: 'Title', isRowHeading: true, cell: (work: Row) => titleOf(work) },
    { heading: 'ARK', cell: (work: Row) => arkLink(context, work.ark_identifier) },
    { heading: 'Type', cell: (work: Row) => work.workType.replaceAll('_', ' ') },
    { heading: 'Version', cell: (work: Row) => work.version },
    { heading: 'Content', cell: (work: Row) => contentBadge(work) },
    { heading: 'Registered', cell: (work: Row) => time(work.created_at) },
    ...(changes === undefined ? [] : [{ heading: 'Change', cell: changes }]),
  ]
  return table('Works, the newest first', columns, works)
}

function changeLinks(base: string, { ark_identifier: ark, ...work }: Row): Html {
  if (work.status === 'withdrawn') return html``
  const at = `${base}/${ark.slice(ark.lastIndexOf('/') + 1)}`
  // Out of its row, as in a list of links, a link still says which work it is about.
  const title = work.work_title ?? ark
  const link = (way: string, text: string, label: string) =>
    html`<a href="${at}/${way}" aria-label="${label}">${text}</a>`
  return html`${link('edit', 'Edit', `Edit ${title}`)}
${link('new-version', 'New version', `New version of ${title}`)}
${link('withdraw', 'Withdraw', `Withdraw ${title}`)}`
}

function titleOf({ work_title: title }: OwnerListWork): Html {
  return title === null ? html`<i>erased</i>` : html`${title}`
}

const contentKinds: Readonly<Record<OwnerListWork['fixity_status'], BadgeKind>> = {
  verified: 'good',
  pending: 'waiting',
  failed: 'bad',
  unreachable: 'bad',
}

function contentBadge({ status, fixity_status: fixity }: OwnerListWork): Html {
  return status === 'withdrawn' ? badge('withdrawn') : badge(fixity, contentKinds[fixity])
}

/** What was registered: its ARK, its receipt, and where both are. */
export function registeredCard(
  context: OrganizationContext,
  work: {
    readonly ark_identifier: string
    readonly work_title: string
    readonly receipt_id: string
    readonly created_at: string
  },
): Html {
  const { ark_identifier: ark, work_title: title, receipt_id: receipt, created_at } = work
  const proof = `${context.baseUrl}/api/v1/receipts/${ark}/v1`
  return card(
    title,
    facts([
      ['ARK', arkLink(context, ark)],
      ['Receipt', html`<a href="${proof}"><code>${receipt}</code></a>`],
      ['Registered', time(created_at)],
    ]),
  )
}
