import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { isOwner } from '#actors/values/agent.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { HeldWork } from '#actors/catalogue/owner_lists.ts'
import { HttpError } from '#src/errors.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import {
  arkLink,
  mayDo,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
  workAgent,
} from '#src/pages/organization/context.ts'
import {
  findHeld,
  type HeldPage,
  type HeldSource,
  plainArk,
} from '#src/pages/organization/held_works.ts'
import { recheckAll } from '#src/pages/organization/recheck.ts'
import {
  type ExportFormat,
  exportFormats,
  exportWorksMax,
  WorkExporter,
} from '#src/pages/organization/work_export.ts'
import {
  filterForm,
  filterQuery,
  readFilter,
  type WorkFilter,
} from '#src/pages/organization/work_filter.ts'
import { ticks, workTable } from '#src/pages/organization/work_table.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { hiddenField } from '#src/pages/kit/form_field.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import { buttonLink, card, emptyState, facts, quietLink, time } from '#src/pages/kit/parts.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'

const section = '/works'
const worksOnPage = 50

const flashes: Flashes = {
  recheck: 'The contents are read again, one after another, as their hosts allow.',
  nothing: { kind: 'error', text: 'Tick the works that you mean, and choose again.' },
}

/** Adds the table of an organization's works, and what can be done with several of them. */
export function addOrganizationWorkPages(context: OrganizationContext): void {
  const { member } = context.pages
  const { environments, baseUrl, nowMs } = context
  const exporter = new WorkExporter({ environment: environments.live, baseUrl, nowMs })
  const path = `/organizations/:slug${section}`
  const limit = { limit: 'search_page' } as const
  member.get(path, (visit) => worksPage(context, visitOrganization(context, visit, 'read')), limit)
  member.get(
    `${path}/export/:format`,
    (visit) => exportFound(context, exporter, visitOrganization(context, visit, 'read')),
    limit,
  )
  member.post(`${path}/selected`, (visit, body) =>
    doSelected(context, exporter, visitOrganization(context, visit, 'read'), body),
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

function sourceOf(
  { environments, search }: OrganizationContext,
  { organization, from, reply }: OrganizationVisit,
): HeldSource {
  return {
    environment: environments.live,
    owner: { type: 'organization', id: organization.slug },
    search: {
      service: search?.live,
      searcher: { caller: from, signal: reply.standAside() },
    },
  }
}

/** A page of works, or why none can be told. */
type Outcome = HeldPage | { readonly failed: string }

async function find(
  context: OrganizationContext,
  visit: OrganizationVisit,
  filter: WorkFilter,
): Promise<Outcome> {
  const page = { cursor: visit.query.get('cursor') ?? undefined, limit: worksOnPage }
  try {
    return await findHeld(sourceOf(context, visit), filter, page)
  } catch (error) {
    if (error instanceof SearchError) return { failed: 'Search has failed' }
    if (error instanceof HttpError && answers.has(error.code)) return { failed: error.message }
    throw error
  }
}

const answers: ReadonlySet<string> = new Set(['bad_request', 'timeout', 'unavailable'])

async function worksPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const base = context.pages.prefix + pathIn(visit, section)
  const { filter, fault } = readFilter(visit.query)
  const found = await find(context, visit, filter)
  const register = mayDo(visit, 'register works')
    ? html`<div class="buttons desk-buttons">${buttonLink(`${base}/new`, 'Register a work')}
${quietLink(`${context.pages.prefix}${pathIn(visit, '/import')}`, 'Import a file')}</div>`
    : nothing
  return organizationPage(visit, {
    section,
    title: 'Works',
    flashes,
    content: html`${register}
${filterForm(base, filter)}
${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
${
  'failed' in found
    ? emptyState('This could not be looked for', `${found.failed}.`, allLink(base))
    : results(context, visit, filter, found)
}`,
  })
}

function allLink(base: string): Html {
  return html`<p><a href="${base}">Show all works</a></p>`
}

function results(
  context: OrganizationContext,
  visit: OrganizationVisit,
  filter: WorkFilter,
  { works, next, total }: HeldPage,
): Html {
  const base = context.pages.prefix + pathIn(visit, section)
  const query = filterQuery(filter)
  const isFirst = !visit.query.has('cursor')
  if (works.length === 0 && next === null && isFirst) return noWorks(base, query.size === 0)
  const isTicked = visit.query.get('tick') === 'all'
  return html`<p class="aside" role="status">${totalText(total)}${hintOf(filter)}</p>
<form method="post" action="${base}/selected">
${hiddenField('csrf', visit.csrf)}${hiddenField('query', `${visit.query}`)}
${selectionBar(visit, base, { works, isTicked })}
${workTable(context, visit, works, isTicked)}
</form>
${pages(base, query, next, isFirst)}
${exportPart(base, query)}`
}

function totalText(total: HeldPage['total']): string {
  if (total === undefined) return 'Withdrawn works, the last withdrawn first.'
  const { count, isExact } = total
  return isExact ? `${plural(count, 'work')}.` : `More than ${plural(count, 'work')}.`
}

/** What a list says of works that it cannot have. */
function hintOf({ q, type, content, registered, state, sort }: WorkFilter): string {
  if (state === 'withdrawn') {
    return q === '' ? '' : ' Of withdrawn works, titles and ARKs are looked through.'
  }
  const isBySearch = [q, type, content, registered, state].some((value) => value !== '')
  const isSorted = sort !== '' && sort !== 'newest' && sort !== 'oldest'
  if (!isBySearch && !isSorted) return ''
  return ' Withdrawn works are not among them; new ones are found a moment after they came.'
}

function noWorks(base: string, isAll: boolean): Html {
  if (!isAll) {
    const text = 'Look for fewer words, or take back a filter. Withdrawn works are listed by state.'
    return emptyState('No work is like that', text, allLink(base))
  }
  return emptyState(
    'No works yet',
    'Works that the organization registers stand here, with what is known of their content.',
  )
}

function selectionBar(
  visit: OrganizationVisit,
  base: string,
  { works, isTicked }: { readonly works: readonly HeldWork[]; readonly isTicked: boolean },
): Html {
  const query = new URLSearchParams(visit.query)
  query.delete('done')
  if (isTicked) query.delete('tick')
  else query.set('tick', 'all')
  const button = (value: string, text: string) =>
    html`<button class="button button-quiet" type="submit" name="action"
value="${value}">${text}</button>`
  const again = mayDo(visit, 'register works') ? button('recheck', 'Read content again') : nothing
  return html`<div class="selection" role="group" aria-label="Ticked works">
<a href="${base}?${query.toString()}">${
    isTicked ? 'Untick all' : html`Tick all ${works.length} here`
  }</a>
<span>Ticked works:</span>
${button('csv', 'CSV')} ${button('bibtex', 'BibTeX')} ${again}</div>`
}

function exportPart(base: string, query: URLSearchParams): Html {
  const links = Object.entries(exportFormats).map(
    ([name, { label }]) =>
      html`<a href="${base}/export/${name}${query.size === 0 ? '' : `?${query}`}" download>${
        query.size === 0 ? `All works as ${label}` : `All that are found as ${label}`
      }</a> `,
  )
  const worksMax = formatNumber(exportWorksMax)
  return html`<p class="aside">${links}· A file has ${worksMax} works, 64 MiB, or
what a minute gives; one that ends before its time says so in its last line.</p>`
}

function pages(base: string, query: URLSearchParams, next: string | null, isFirst: boolean): Html {
  if (next === null && isFirst) return nothing
  const first = query.size === 0 ? base : `${base}?${query}`
  const following = new URLSearchParams(query)
  if (next !== null) following.set('cursor', next)
  const ahead = `${base}?${following}`
  return html`<nav class="pagination" aria-label="Pages">
${isFirst ? nothing : html`<a href="${first}">First page</a>`}
${next === null ? nothing : html`<a href="${ahead}" rel="next">Next page</a>`}
</nav>`
}

function formatOf(name: string | undefined): ExportFormat {
  if (name === 'csv' || name === 'bibtex') return name
  throw new HttpError('not_found', 'Works are exported as CSV and as BibTeX')
}

/** Sends all works that a filter finds as a file. */
async function exportFound(
  context: OrganizationContext,
  exporter: WorkExporter,
  visit: OrganizationVisit,
): Promise<PageReply> {
  const format = formatOf(visit.parameters['format'])
  const { filter, fault } = readFilter(visit.query)
  if (fault !== undefined) throw new HttpError('bad_request', fault)
  const source = sourceOf(context, visit)
  const begin = visit.query.get('cursor') ?? undefined
  await exporter.send(visit.reply, visit.account.ppid, {
    format,
    name: `${visit.organization.slug}-works`,
    page: (cursor = begin) => findHeld(source, filter, { cursor, limit: pageOfExport }),
    addressAt(cursor) {
      const query = filterQuery(filter)
      query.set('cursor', cursor)
      const path = `${pathIn(visit, section)}/export/${format}`
      return `${context.service.authUrl}${path}?${query}`
    },
  })
  return { sent: true }
}

/** Works that are looked up at a time for a file. */
const pageOfExport = 200

/** Carries out what was chosen for the ticked works. */
async function doSelected(
  context: OrganizationContext,
  exporter: WorkExporter,
  visit: OrganizationVisit,
  body: FormBody,
): Promise<PageReply> {
  const { holdings, fixity } = context.environments.live
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const ticked = [...body.keys()].filter((name) => name.startsWith(ticks))
  const works = ticked.flatMap((name) => holdings.work(owner, name.slice(ticks.length)) ?? [])
  if (works.length === 0) return { redirect: backTo(visit, body, 'nothing') }
  if (textOf(body, 'action') === 'recheck') {
    visitOrganization(context, visit, 'register works')
    const by = workAgent(visit)
    const standing = works.filter(({ status }) => status === 'registered')
    const arks = standing.map(({ ark_identifier: ark }) => plainArk(ark))
    await recheckAll(fixity, arks, by)
    return { redirect: backTo(visit, body, 'recheck') }
  }
  await exporter.send(visit.reply, visit.account.ppid, {
    format: formatOf(textOf(body, 'action')),
    name: `${visit.organization.slug}-selected-works`,
    page: () => Promise.resolve({ works, next: null }),
    addressAt: () => context.service.authUrl + pathIn(visit, section),
  })
  return { sent: true }
}

/** The page of the table from which works were chosen, which says what was done. */
function backTo(visit: OrganizationVisit, body: FormBody, done: string): string {
  const query = new URLSearchParams(textOf(body, 'query'))
  query.delete('tick')
  query.set('done', done)
  return `${pathIn(visit, section)}?${query}`
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
