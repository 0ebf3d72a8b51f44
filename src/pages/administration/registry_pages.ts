import type { Readiness } from '#src/edge/metrics.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type DatedSample, meanOf, type Span, spans } from '#src/operations/history.ts'
import type { OperationsReport } from '#src/operations/operations.ts'
import { type Series, seriesGroups, type SeriesUnit } from '#src/operations/series.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import type { RegistryReadiness } from '#src/operations/readiness.ts'
import type { FoundWarning } from '#src/operations/warnings.ts'
import { administrationPage, adminPath, adminRoutes } from '#src/pages/administration/frame.ts'
import { endingKeys } from '#src/pages/administration/key_pages.ts'
import { reportsShownMax } from '#src/pages/administration/report_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { lineDrawing } from '#src/pages/kit/drawing.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { badge, facts, table } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

type ClusterStatus = NonNullable<RegistryReadiness['node']>
type NodeSeen = ClusterStatus['nodes'][number]
type StreamSeen = ClusterStatus['streams'][number]

/** Claims in dispute that are counted; beyond them the page says that there are more. */
const disputesCountedMax = 100

/** Adds the page on which administrators begin: what waits for them, and whether all is well. */
export function addAdminStartPage(context: OrganizationContext): void {
  adminRoutes(context).member.get(adminPath, () => startPage(context))
}

async function startPage(context: OrganizationContext): Promise<AccountPage> {
  const { requests, applications, environments, pages, readiness, service } = context
  const asked = await requests.open()
  const unverified = (await applications.list()).filter(({ state }) => state === 'unverified')
  const { claims } = await environments.live.claims.disputed({ limit: disputesCountedMax })
  const disputesMore = claims.length < disputesCountedMax ? '' : ' or more'
  const link = (path: string, count: number, more = '') =>
    html`<a href="${pages.prefix}${adminPath}${path}">${formatNumber(count)}${more}</a>`
  const ending = await endingKeys(context)
  const reports = await service.reports.newest(operator, { limit: reportsShownMax })
  const unanswered = reports.filter(({ answer }) => answer === undefined)
  return administrationPage(context, '', {
    title: 'Administration',
    heading: 'What waits for an administrator',
    content: html`${facts([
      ['Requests for an organization', link('/organizations', asked.length)],
      [
        'Applications that nobody has verified',
        link('/applications?state=unverified', unverified.length),
      ],
      ['Claims in dispute', link('/claims', claims.length, disputesMore)],
      ['Reports from readers without an answer', link('/reports', unanswered.length)],
      ['Keys that end within 30 days', link('/keys?state=soon', ending.length)],
    ])}
<h2>Health</h2>
${health(await readiness())}`,
  })
}

function health({ ready, checks }: Readiness): Html {
  const problems = Object.entries(checks).filter(([, { ok }]) => !ok)
  if (ready && problems.length === 0) {
    return html`<p>${badge('All is well', 'good')} The registry reads and writes.</p>`
  }
  const lines = problems.map(
    ([name, { problem = 'is not as it should be' }]) =>
      html`<li>${badge(name, 'bad')} ${problem}</li>`,
  )
  return html`<ul>${lines}</ul>
<p>Run <code>arklog doctor</code> on the machine: it says of each what to do.</p>`
}

const operationsSection = '/operations'

/** Rows of the table beside a drawing: each is a mean of as many samples. */
const tableRows = 12

/** Adds the page on which administrators see how the registry does, and has done of late. */
export function addOperationsPage(context: OrganizationContext): void {
  adminRoutes(context).member.get(`${adminPath}${operationsSection}`, async (visit) => {
    const { operations, nowMs } = context
    if (operations === undefined) {
      throw new HttpError('not_found', 'No history of this registry is kept')
    }
    const span: Span = visit.query.get('span') === 'day' ? 'day' : 'hour'
    return operationsPage(context, await operations.report(span), nowMs())
  })
}

function operationsPage(
  context: OrganizationContext,
  report: OperationsReport,
  nowMs: number,
): Promise<AccountPage> {
  const { span } = report
  const samples = evenly(report, nowMs)
  const groups = seriesGroups.map(({ heading, series }) => {
    const shown = series.filter(({ name }) => samples.some(({ sample }) => name in sample))
    if (shown.length === 0) return ''
    return html`<h2>${heading}</h2>
<div class="drawings">${shown.map((one) => figure(one, samples))}</div>`
  })
  return administrationPage(context, operationsSection, {
    title: 'Operations',
    heading: 'How the registry does',
    lead: html`What the metrics at <code>ADMIN_PORT</code> tell, of this machine alone.`,
    content: html`${warnings(report.warnings)}
${choice(context, span)}
${groups}
<p class="hint">A sample is taken every half minute; a day has means of ten minutes. Lines are
broken where the registry did not run. Older history is Prometheus's to keep:
<a href="${context.baseUrl}/docs/guides/operations">how</a>.</p>`,
  })
}

function warnings(found: readonly FoundWarning[]): Html {
  if (found.length === 0) return html`<p>${badge('All is well', 'good')} Nothing needs you.</p>`
  const items = found.map(({ found: what, action, command, guide }) => {
    const run = command === undefined ? '' : html` Run <code>${command}</code>.`
    const read = guide === undefined ? '' : html` <a href="/docs/guides/${guide}">More on this</a>`
    return html`<li><strong>${what}</strong> ${action}${run}${read}</li>`
  })
  return html`<div class="flash flash-error" role="note"><ul>${items}</ul></div>`
}

function choice({ pages }: OrganizationContext, chosen: Span): Html {
  const links = (Object.keys(spans) as Span[]).map((span) => {
    const current = span === chosen ? html` aria-current="page"` : ''
    const href = `${pages.prefix}${adminPath}${operationsSection}?span=${span}`
    return html`<li><a href="${href}"${current}>The last ${span}</a></li>`
  })
  return html`<nav class="navigation sections" aria-label="Time"><ul>${links}</ul></nav>`
}

/** The samples at even distances, empty ones where there are none. */
function evenly({ span, samples }: OperationsReport, nowMs: number): readonly DatedSample[] {
  const { lengthMs, stepMs } = spans[span]
  const known = new Map(samples.map((sample) => [sample.atMs, sample]))
  const lastMs = Math.floor(nowMs / stepMs) * stepMs
  const count = lengthMs / stepMs
  return Array.from({ length: count }, (_, index) => {
    const atMs = lastMs - (count - 1 - index) * stepMs
    return known.get(atMs) ?? { atMs, sample: {} }
  })
}

function figure(series: Series, samples: readonly DatedSample[]): Html {
  const { name, title, unit } = series
  const values = samples.map(({ sample }) => sample[name])
  const known = values.filter((value) => value !== undefined)
  const write = (value: number) => written(value, unit)
  const newest = values.findLast((value) => value !== undefined) ?? 0
  const ends = [clock(samples[0]?.atMs ?? 0), clock(samples.at(-1)?.atMs ?? 0)] as const
  const most = write(Math.max(...known))
  const label = `${title} from ${ends[0]} to ${ends[1]}: at most ${most}, now ${write(newest)}`
  return html`<figure><figcaption>${title} <strong>${write(newest)}</strong></figcaption>
${lineDrawing({ values, label, ends, write })}
<details class="fold"><summary>${title} as a table</summary>
${meansTable(series, samples)}</details></figure>`
}

function meansTable({ name, title, unit }: Series, samples: readonly DatedSample[]): Html {
  const each = samples.length / tableRows
  const rows = Array.from({ length: tableRows }, (_, index) => {
    const part = samples.slice(index * each, (index + 1) * each)
    return { atMs: part[0]?.atMs ?? 0, mean: meanOf(part.map(({ sample }) => sample))[name] }
  })
  return table(title, rows.toReversed(), {
    'From (UTC)': ({ atMs }) => clock(atMs),
    Mean: ({ mean }) => (mean === undefined ? 'not known' : written(mean, unit)),
  })
}

function clock(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16)
}

const mebibyte = 1_048_576

function written(value: number, unit: SeriesUnit): string {
  switch (unit) {
    case 'bytes':
      return value < 1_024 * mebibyte
        ? `${digits(value / mebibyte)} MiB`
        : `${digits(value / 1_024 / mebibyte)} GiB`
    case 'milliseconds':
      return `${digits(value)} ms`
    case 'percent':
      return `${digits(value)} %`
    case 'per_second':
      return `${digits(value)} a second`
    case 'count':
      return digits(value)
  }
}

/** A number with as many places as matter: `0.04`, `3.7`, `12,345`. */
function digits(value: number): string {
  if (value === 0 || value >= 100) return formatNumber(Math.round(value))
  return String(Number(value.toPrecision(2)))
}

/** Adds the page on which administrators see the nodes of a cluster, who leads, and the streams. */
export function addClusterPage(context: OrganizationContext): void {
  adminRoutes(context).member.get('/admin/cluster', async () => {
    const { node } = await context.readiness()
    if (node !== undefined) return clusterPage(context, node)
    throw new HttpError('not_found', 'This registry runs on one machine: it is no cluster')
  })
}

function clusterPage(context: OrganizationContext, status: ClusterStatus): Promise<AccountPage> {
  const { node, leader, nodes, streams } = status
  return administrationPage(context, '/cluster', {
    title: 'Cluster',
    heading: 'Cluster',
    lead: `This page was made by ${node}, from what that node knows.`,
    content: html`${clusterWarnings(status)}
${facts([
  ['Leader', leader ?? 'nobody at the moment'],
  ['This node', `${node}, which ${status.role === 'leader' ? 'leads' : 'follows'}`],
  ['Contact with the others', status.connected ? 'yes' : 'lost'],
  ['Events here', formatNumber(status.position)],
  ['Log entries here', formatNumber(status.tree_size)],
])}
${nodeTable(nodes, node)}
${streamTable(streams)}`,
  })
}

function clusterWarnings({ connected, leader, impediments }: ClusterStatus): Html {
  const found = [
    ...(connected ? [] : ['This node has lost contact with the others: look at its network.']),
    ...(leader === null
      ? ['No node leads, so nothing is written. "arklog cluster status" at each node says why.']
      : []),
    ...impediments.map((impediment) => `This node cannot lead. ${impediment}`),
  ]
  if (found.length === 0) return nothing
  return html`<div class="flash flash-error" role="note">
${found.map((warning) => html`<p>${warning}</p>`)}</div>`
}

function nodeTable(nodes: readonly NodeSeen[], own: string): Html {
  const newest = Math.max(...nodes.map(({ position }) => position ?? 0))
  const list = table('Nodes', nodes, {
    Node: ({ node }) => html`${node}${node === own ? ' (this one)' : ''}`,
    Role: ({ role }) => (role === 'leader' ? badge('leads', 'good') : badge('follows', 'plain')),
    'Events there': ({ position }) => (position === null ? 'not known' : formatNumber(position)),
    Behind: ({ position }) => (position === null ? '' : formatNumber(newest - position)),
  })
  return html`${list}
<p class="hint">Each node tells every second or so how far it has come. A node that is not
there has no line: <code>arklog cluster status</code>, run there, says what it knows.</p>`
}

function streamTable(streams: readonly StreamSeen[]): Html {
  const list = table('Streams', streams, {
    Stream: ({ stream }) => html`<code>${stream}</code>`,
    'Newest message': ({ newest }) => countText(newest),
    'Carried out here': ({ carried_out: done }) => (done === undefined ? '' : formatNumber(done)),
    Kept: ({ messages, bytes }) =>
      messages === null || bytes === null
        ? unknown
        : `${formatNumber(messages)} messages, ${size(bytes)}`,
    'NATS servers': serversOf,
  })
  return html`${list}
<p class="hint">As of the last look at the NATS servers, some twenty seconds ago at most.</p>`
}

const unknown = 'not known yet'

function countText(count: number | null): string {
  return count === null ? unknown : formatNumber(count)
}

function serversOf({ newest, leader, replicas }: StreamSeen): Html {
  if (newest === null) return html`${unknown}`
  const leads = leader === null ? badge('no leader', 'bad') : html`${leader} leads`
  const late = replicas.filter(({ current }) => !current).map(({ server }) => server)
  if (late.length === 0) return html`${leads}, ${replicas.length} follow`
  return html`${leads}, ${badge(`behind or gone: ${late.join(', ')}`, 'waiting')}`
}

function size(bytes: number): string {
  return bytes < 2 ** 20
    ? `${formatNumber(Math.ceil(bytes / 2 ** 10))} KiB`
    : `${formatNumber(Math.ceil(bytes / 2 ** 20))} MiB`
}
