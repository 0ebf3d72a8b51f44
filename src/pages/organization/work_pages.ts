import { workLink } from '#actors/registry/catalogue/representation.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import type { HeldWork } from '#actors/registry/catalogue/owner_lists.ts'
import { isOwner } from '#actors/values/agent.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { HttpError } from '#src/edge/errors.ts'
import { sendFile } from '#src/edge/rendered_reply.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type FormBody, hiddenField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  badge,
  buttonLink,
  card,
  emptyState,
  facts,
  filterQuery,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { plainTitle, typeName } from '#src/pages/kit/words.ts'
import { bulkFormPage, bulkPath } from '#src/pages/organization/bulk_change_pages.ts'
import {
  arkLink,
  hrefIn,
  mayDo,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
  workAgent,
} from '#src/pages/organization/context.ts'
import {
  filterForm,
  findHeld,
  type HeldPage,
  type HeldSource,
  plainArk,
  readFilter,
  recheckAll,
  type WorkFilter,
} from '#src/pages/organization/held_works.ts'
import { contentStateBadge } from '#src/pages/organization/overview_pages.ts'
import {
  type ExportFormat,
  exportFormatNames,
  exportFormats,
  exportLimits,
  pageOfExport,
  type WorkExport,
} from '#src/use_cases/work_export.ts'
import { frame, landing, organizations, record } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'
import { worksList as words } from '#src/words/publisher_desk.ts'
import { type Text, textIn } from '#src/words/wording.ts'

/** What begins the names of the boxes by which works are chosen. */
const ticks = 'work:'

/** Works with a box each, which is ticked if all are, and what the visitor may do to them. */
function workTable(visit: OrganizationVisit, works: readonly HeldWork[], isTicked: boolean): Html {
  const base = hrefIn(visit, '/works')
  const list = table(
    frame.works,
    works,
    [
      [
        words.select,
        (work) => html`<input type="checkbox" value="on"
name="${ticks}${plainArk(work.ark_identifier)}"
aria-label="${words.selectOf({ title: nameOf(work) })}"
${isTicked ? 'checked' : ''}>`,
      ],
      [
        words.title,
        (work) => html`${titleOf(work)}
<span class="aside">${arkLink(visit.context, work.ark_identifier)}</span>`,
      ],
      [record.type, ({ work_type: type }) => (type === null ? '' : typeName(type))],
      [words.content, (work) => contentBadge(work)],
      [words.registered, ({ created_at: at, version }) => html`${time(at)}${versionNote(version)}`],
      ...(mayDo(visit, 'register works')
        ? [[words.change, (work: HeldWork) => changeLinks(base, work)] as const]
        : []),
    ],
    words.title,
  )
  return html`<div class="works-table">${list}</div>`
}

function versionNote(version: number): Html {
  if (version === 1) return nothing
  return html` <span class="aside">${words.version({ version: `${version}` })}</span>`
}

function changeLinks(base: string, work: HeldWork): Html {
  if (work.status === 'withdrawn') return html``
  const { ark_identifier: ark } = work
  const at = `${base}/${ark.slice(ark.lastIndexOf('/') + 1)}`
  // Out of its row, as in a list of links, a link still says which work it is about.
  const title = nameOf(work)
  const link = (way: string, text: Text, label: Text) =>
    html`<a href="${at}/${way}" aria-label="${label}">${text}</a>`
  return html`<span class="row-links">${link('edit', words.edit, words.editOf({ title }))}
${link('new-version', words.newVersion, words.newVersionOf({ title }))}
${link('withdraw', words.withdraw, words.withdrawOf({ title }))}</span>`
}

function nameOf({ work_title: title, ark_identifier: ark }: HeldWork): string {
  return title === null ? ark : plainTitle(title)
}

function titleOf(work: HeldWork): Html {
  return work.work_title === null
    ? html`<i>${organizations.erased}</i>`
    : html`<span class="work-title" dir="auto">${nameOf(work)}</span>`
}

function contentBadge({ status, standing }: HeldWork): Html {
  return status === 'withdrawn' ? badge(organizations.withdrawn) : contentStateBadge(standing)
}

const section = '/works'
const worksOnPage = 50

const flashes: Flashes = {
  recheck: words.recheck,
  nothing: { kind: 'error', text: words.nothing },
}

/** Adds the table of an organization's works, and what can be done with several of them. */
export function addOrganizationWorkPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const path = section
  const limit = { limit: 'search_page' } as const
  read.member.get(path, worksPage, limit)
  read.member.get(`${path}/export/:format`, exportFound, limit)
  read.member.post(`${path}/selected`, doSelected)
}

/** The ARK, `naan/name`, of a work of the organization. HttpError `not_found` for any other. */
export function ownWork(visit: OrganizationVisit, text: string): string {
  const { environments } = visit.context
  const { naan, catalogue } = environments.live
  const parsed = parseArkReference(text, naan)
  const work = parsed.type === 'malformed' ? undefined : catalogue.state(parsed.ark)
  if (work !== undefined && isOwner(organizationAgent(visit), work.owner)) return work.ark
  throw new HttpError('not_found', `${visit.organization.name} has registered no such work`)
}

function sourceOf({
  context: { environments, search },
  organization,
  from,
  reply,
}: OrganizationVisit): HeldSource {
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
type Outcome = HeldPage | { readonly failed: Text }

async function find(visit: OrganizationVisit, filter: WorkFilter): Promise<Outcome> {
  const page = { cursor: visit.query.get('cursor') ?? undefined, limit: worksOnPage }
  try {
    return await findHeld(sourceOf(visit), filter, page)
  } catch (error) {
    if (error instanceof SearchError) return { failed: words.searchFailed }
    if (error instanceof HttpError && answers.has(error.code))
      return { failed: inEnglish(error.message) }
    throw error
  }
}

const answers: ReadonlySet<string> = new Set(['bad_request', 'timeout', 'unavailable'])

async function worksPage(visit: OrganizationVisit): Promise<AccountPage> {
  const base = hrefIn(visit, section)
  const { filter, fault } = readFilter(visit.query)
  const found = await find(visit, filter)
  const register = mayDo(visit, 'register works')
    ? html`<div class="buttons desk-buttons">${buttonLink(`${base}/new`, organizations.register)}
${quietLink(hrefIn(visit, '/import'), organizations.import)}
${quietLink(hrefIn(visit, bulkPath), words.changeMany)}</div>`
    : nothing
  return organizationPage(visit, {
    section,
    title: frame.works,
    flashes,
    content: html`${register}
${filterForm(base, filter)}
${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
${
  'failed' in found
    ? emptyState(words.failed, found.failed, allLink(base))
    : results(visit, filter, found)
}`,
  })
}

function allLink(base: string): Html {
  return html`<p><a href="${base}">${words.showAll}</a></p>`
}

function results(
  visit: OrganizationVisit,
  filter: WorkFilter,
  { works, next, total }: HeldPage,
): Html {
  const base = hrefIn(visit, section)
  const query = filterQuery(filter)
  const isFirst = !visit.query.has('cursor')
  if (works.length === 0 && next === null && isFirst) return noWorks(base, query.size === 0)
  const isTicked = visit.query.get('tick') === 'all'
  return html`<p class="aside" role="status">${totalText(total)}${hintOf(filter)}</p>
<form method="post" action="${base}/selected">
${hiddenField('csrf', visit.csrf)}${hiddenField('query', `${visit.query}`)}
${selectionBar(visit, base, { works, isTicked })}
${workTable(visit, works, isTicked)}
</form>
${pagination({ path: base, parameter: 'cursor', next, isFirst, kept: query })}
${exportPart(base, query)}`
}

function totalText(total: HeldPage['total']): Text {
  if (total === undefined) return words.withdrawnFirst
  const { count, isExact } = total
  return isExact ? words.count({ count }) : words.moreThan({ count })
}

/** What a list says of works that it cannot have. */
function hintOf({ q, type, content, registered, state, sort }: WorkFilter): Html {
  if (state === 'withdrawn') {
    return q === '' ? nothing : html` ${words.withdrawnHint}`
  }
  const isBySearch = [q, type, content, registered, state].some((value) => value !== '')
  const isSorted = sort !== '' && sort !== 'newest' && sort !== 'oldest'
  return isBySearch || isSorted ? html` ${words.foundHint}` : nothing
}

function noWorks(base: string, isAll: boolean): Html {
  return isAll
    ? emptyState(words.none, words.noneText)
    : emptyState(words.noMatch, words.noMatchText, allLink(base))
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
  const button = (value: string, text: Text) =>
    html`<button class="button button-quiet" type="submit" name="action"
value="${value}">${text}</button>`
  const again = mayDo(visit, 'register works') ? button('recheck', words.recheckSelected) : nothing
  const change = mayDo(visit, 'change many works') ? button('change', words.change) : nothing
  return html`<div class="selection" role="group" aria-label="${words.selected}">
<a href="${base}?${query.toString()}">${
    isTicked ? words.selectNone : words.selectAll({ count: works.length })
  }</a>
<span>${words.selected}</span>
${button('csv', 'CSV')} ${button('bibtex', 'BibTeX')} ${change} ${again}</div>`
}

function exportPart(base: string, query: URLSearchParams): Html {
  const links = Object.entries(exportFormats).map(
    ([name, { label }]) =>
      html`<a href="${base}/export/${name}${query.size === 0 ? '' : `?${query}`}" download>${
        query.size === 0 ? words.exportAll({ format: label }) : words.exportFound({ format: label })
      }</a> `,
  )
  return html`<p class="aside">${links}· ${words.exportLimits({
    works: exportLimits.works,
    size: `${exportLimits.bytes / 1_048_576} MiB`,
    minutes: exportLimits.ms / 60_000,
  })}</p>`
}

function formatOf(name: string | undefined): ExportFormat {
  const format = exportFormatNames.find((one) => one === name)
  if (format !== undefined) return format
  throw new HttpError('not_found', `Works are exported as ${exportFormatNames.join(', ')}`)
}

async function exportFound(visit: OrganizationVisit): Promise<PageReply> {
  const format = formatOf(visit.parameters['format'])
  const { filter, fault } = readFilter(visit.query)
  if (fault !== undefined) throw new HttpError('bad_request', textIn(english, fault))
  const source = sourceOf(visit)
  const begin = visit.query.get('cursor') ?? undefined
  await sendExport(visit, {
    format,
    name: `${visit.organization.slug}-works`,
    async page(cursor = begin) {
      const { works, next } = await findHeld(source, filter, { cursor, limit: pageOfExport })
      return { arks: works.map(arkOf), next }
    },
    addressAt(cursor) {
      const query = filterQuery(filter)
      query.set('cursor', cursor)
      const path = `${pathIn(visit, section)}/export/${format}`
      return `${visit.context.service.authUrl}${path}?${query}`
    },
  })
  return { sent: true }
}

function arkOf({ ark_identifier: ark }: HeldWork): string {
  return plainArk(ark)
}

function sendExport(visit: OrganizationVisit, wanted: WorkExport): Promise<void> {
  const { reply, account, context } = visit
  const caller = { caller: account.ppid, signal: reply.standAside() }
  return context.exporter.run(caller, wanted, (file) => sendFile(reply, file))
}

async function doSelected(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const { holdings, fixity } = visit.context.environments.live
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const ticked = [...body.keys()].filter((name) => name.startsWith(ticks))
  const works = ticked.flatMap((name) => holdings.work(owner, name.slice(ticks.length)) ?? [])
  if (works.length === 0) return { redirect: backTo(visit, body, 'nothing') }
  if (textOf(body, 'action') === 'change') {
    visitOrganization(visit.context, visit, 'change many works')
    const list = works.map(({ ark_identifier: ark }) => ark).join('\n')
    return bulkFormPage(visit, { values: new Map([['works', list]]), faults: [] })
  }
  if (textOf(body, 'action') === 'recheck') {
    visitOrganization(visit.context, visit, 'register works')
    const by = workAgent(visit)
    const standing = works.filter(({ status }) => status === 'registered')
    await recheckAll(fixity, standing.map(arkOf), by)
    return { redirect: backTo(visit, body, 'recheck') }
  }
  await sendExport(visit, {
    format: formatOf(textOf(body, 'action')),
    name: `${visit.organization.slug}-selected-works`,
    page: () => Promise.resolve({ arks: works.map(arkOf), next: null }),
    addressAt: () => visit.context.service.authUrl + pathIn(visit, section),
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
  const proof = workLink('receipt', context.baseUrl, ark, 1)
  return card(
    title,
    facts([
      ['ARK', arkLink(context, ark)],
      [landing.receipt, html`<a href="${proof}"><code>${receipt}</code></a>`],
      [words.registered, time(created_at)],
    ]),
  )
}
