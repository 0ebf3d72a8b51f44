import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_parts.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import { emptyState, pagination, table, time } from '#src/pages/kit/parts.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import {
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  publicName,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import {
  type ActorChoice,
  type HistoryFilter,
  historyForm,
  historyQuery,
  readHistoryFilter,
} from '#src/pages/organization/history_filter.ts'
import { type HistoryLine, lineOf } from '#src/pages/organization/history_line.ts'
import { readTimeline, type Timeline } from '#src/pages/organization/history_source.ts'
import {
  placeText,
  readPlace,
  type TimelinePlace,
} from '#src/pages/organization/history_timeline.ts'

const section = '/history'
const entriesOnPage = 50

/** Characters of a timestamp up to its minute. */
const minuteCharacters = 16

/** Lines of a file, and parts of the history that are looked at for one. */
const fileLinesMax = 2_000
const fileReadsMax = 10

/** Adds the page of what happened to an organization and its works, for its owners. */
export function addOrganizationHistoryPages(context: OrganizationContext): void {
  const { member } = context.pages
  const path = `/organizations/:slug${section}`
  const limit = { limit: 'search_page' } as const
  const visited = (visit: Parameters<typeof visitOrganization>[1]) =>
    visitOrganization(context, visit, 'read history')
  member.get(path, (visit) => historyPage(context, visited(visit)), limit)
  member.get(`${path}/csv`, (visit) => sendCsv(context, visited(visit)), limit)
}

function readPart(
  context: OrganizationContext,
  { organization: { slug } }: OrganizationVisit,
  filter: HistoryFilter,
  place: TimelinePlace,
  limit: number,
): Promise<Timeline> {
  const { environments, audit } = context
  const source = { holdings: environments.live.holdings, audit, slug }
  return readTimeline(source, filter, place, limit)
}

async function historyPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
): Promise<AccountPage> {
  const base = context.pages.prefix + pathIn(visit, section)
  const { filter, fault } = readHistoryFilter(visit.query)
  const before = visit.query.get('before')
  const content =
    fault === undefined
      ? timelinePart(
          context,
          visit,
          filter,
          await readPart(context, visit, filter, readPlace(before ?? ''), entriesOnPage),
        )
      : html`<p class="fault" role="alert">${fault}</p>`
  return organizationPage(visit, {
    section,
    title: 'History',
    lead: 'Who did what: works, claims, members, keys. Only owners see it. Days are of UTC.',
    content: html`${historyForm(base, filter, await actorChoices(context, visit, filter))}
${content}`,
  })
}

function timelinePart(
  context: OrganizationContext,
  visit: OrganizationVisit,
  filter: HistoryFilter,
  { entries, next }: Timeline,
): Html {
  const base = context.pages.prefix + pathIn(visit, section)
  const query = historyQuery(filter)
  const isFirst = !visit.query.has('before')
  const lines = entries.map((entry) => lineOf(context, visit, entry))
  const csv = query.size === 0 ? `${base}/csv` : `${base}/csv?${query}`
  const linesMax = formatNumber(fileLinesMax)
  const file =
    lines.length === 0
      ? nothing
      : html`<p class="aside"><a href="${csv}" download>As CSV</a>, with ${linesMax}
entries at most.</p>`
  const list =
    lines.length === 0
      ? noLines(next !== null, query.size > 0)
      : lineTable(context, base, filter, lines)
  const following = next === null ? null : placeText(next)
  return html`${list}
${pagination({ path: base, parameter: 'before', next: following, isFirst, kept: query })}${file}`
}

function noLines(hasMore: boolean, isFiltered: boolean): Html {
  if (hasMore) {
    const text = 'Of what happened last, nothing is like that. The next page goes on from here.'
    return emptyState('Nothing found yet', text)
  }
  return isFiltered
    ? emptyState('Nothing like that', 'Choose another period, or take back a filter.')
    : emptyState('Nothing yet', 'What members and keys do stands here.')
}

function lineTable(
  context: OrganizationContext,
  base: string,
  filter: HistoryFilter,
  lines: readonly HistoryLine[],
): Html {
  const columns = [
    { heading: 'When', isRowHeading: true, cell: whenCell },
    {
      heading: 'What',
      cell: ({ what, detail = '' }: HistoryLine) =>
        html`${what}${detail === '' ? nothing : html` <span class="aside">${detail}</span>`}`,
    },
    { heading: 'Work', cell: (line: HistoryLine) => workCell(context, line) },
    { heading: 'By', cell: ({ by }: HistoryLine) => byCell(base, filter, by) },
  ]
  return html`<div class="history-table">${table('The newest first', columns, lines)}</div>`
}

function whenCell({ at, since = at }: HistoryLine): Html {
  const isOneMinute = since.slice(0, minuteCharacters) === at.slice(0, minuteCharacters)
  return isOneMinute
    ? time(at)
    : html`${time(at)} <span class="aside">since
${time(since)}</span>`
}

function workCell({ baseUrl }: OrganizationContext, { works, worksCount }: HistoryLine): Html {
  const links = works.map(
    ({ ark, title }) =>
      html`<a href="${baseUrl}/${ark}">${title ?? html`<code>${ark}</code>, erased`}</a>`,
  )
  const [first, ...others] = links
  if (first === undefined) return nothing
  if (others.length === 0) return first
  const count = Math.max(worksCount, links.length)
  const unnamed = count - links.length
  const rest = unnamed === 0 ? nothing : html`<li>and ${plural(unnamed, 'more work')}</li>`
  const more = plural(count - 1, 'more work')
  return html`${first}<details class="fold"><summary>and ${more}</summary>
<ul>${others.map((link) => html`<li>${link}</li>`)}${rest}</ul></details>`
}

function byCell(base: string, filter: HistoryFilter, by: HistoryLine['by']): Html {
  if (by === undefined) return nothing
  if (by.filter === undefined || by.filter === filter.by) return html`${by.name}`
  const query = historyQuery({ ...filter, by: by.filter })
  return html`<a href="${base}?${query.toString()}">${by.name}</a>`
}

/** Members, keys and applications of the organization, and whoever is asked for. */
async function actorChoices(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { by }: HistoryFilter,
): Promise<readonly ActorChoice[]> {
  const { slug } = visit.organization
  const { ppid: own } = visit.account
  const members = visit.members.map(({ ppid }) => {
    return { value: `person:${ppid}`, name: publicName(context, ppid, own), group: 'Members' }
  })
  const keys = context.keys.list({ type: 'organization', id: slug }).map((key) => {
    return { value: `key:${key.id}`, name: keyName(key), group: 'Keys' }
  })
  const registered = await context.applications.list({ organization: slug })
  const applications = registered.map((each) => {
    return { value: `application:${each.client_id}`, name: each.name, group: 'Applications' }
  })
  const known = [...members, ...keys, ...applications]
  if (by === '' || known.some(({ value }) => value === by)) return known
  const id = by.slice(by.indexOf(':') + 1)
  const name = by.startsWith('person:') ? publicName(context, id, own) : id
  return [...known, { value: by, name, group: 'Others' }]
}

/** Sends what a filter finds as CSV, within bounds; its last line says where the rest is. */
async function sendCsv(context: OrganizationContext, visit: OrganizationVisit): Promise<PageReply> {
  const { filter } = readHistoryFilter(visit.query)
  const rows = [csvRow(['time', 'since', 'kind', 'what', 'detail', 'works', 'ark', 'title', 'by'])]
  let place: TimelinePlace | null = readPlace(visit.query.get('before') ?? '')
  for (let reads = 0; place !== null && reads < fileReadsMax; reads += 1) {
    const left: number = fileLinesMax + 1 - rows.length
    if (left === 0) break
    const part: Timeline = await readPart(context, visit, filter, place, left)
    rows.push(...part.entries.map((entry) => csvLine(lineOf(context, visit, entry))))
    place = part.next
  }
  if (place !== null) {
    const query = historyQuery(filter)
    query.set('before', placeText(place))
    const rest = `${context.service.authUrl}${pathIn(visit, section)}/csv?${query}`
    rows.push(csvRow([`# The file ends here. The rest: ${rest}`, ...Array<string>(8).fill('')]))
  }
  const name = `${visit.organization.slug}-history.csv`
  await visit.reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    // By this mark programs for tables know that it is UTF-8.
    .send(`\uFEFF${rows.join('')}`)
  return { sent: true }
}

function csvLine({ at, since, kind, what, detail, works, worksCount, by }: HistoryLine): string {
  const [work] = works
  const count = worksCount === 0 ? works.length : worksCount
  const named = [count === 0 ? '' : `${count}`, work?.ark, work?.title ?? '']
  return csvRow([at, since, kind, what, detail, ...named, by?.name])
}
