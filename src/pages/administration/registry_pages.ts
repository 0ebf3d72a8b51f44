import type { Readiness } from '#src/edge/metrics.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type DatedSample, meanOf, type Span, spans } from '#src/operations/history.ts'
import type { OperationsReport, RegistryReadiness } from '#src/operations/operations.ts'
import { type Series, seriesGroups, type SeriesUnit } from '#src/operations/series.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import type { FoundWarning } from '#src/operations/warnings.ts'
import { administrationPage, adminPath, adminRoutes } from '#src/pages/administration/frame.ts'
import { endingKeys } from '#src/pages/administration/key_pages.ts'
import { reportsShownMax } from '#src/pages/administration/report_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { lineDrawing } from '#src/pages/kit/drawing.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { asLink, badge, facts, table } from '#src/pages/kit/parts.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import {
  administration,
  cluster,
  operations as words,
  warnings as warningWords,
} from '#src/words/administrator_desk.ts'
import { adminSections, frame, search } from '#src/words/english.ts'
import { inEnglish, joined, number } from '#src/words/format.ts'
import { type Slot, termOf } from '#src/words/message.ts'
import type { Text, Wording } from '#src/words/wording.ts'

const code: Slot = (text) => html`<code>${text}</code>`

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
  const link = (path: string, count: number, isAll = true) =>
    html`<a href="${pages.prefix}${adminPath}${path}">${
      isAll ? number(count) : administration.orMore({ count })
    }</a>`
  const ending = await endingKeys(context)
  const reports = await service.reports.newest(operator, { limit: reportsShownMax })
  const unanswered = reports.filter(({ answer }) => answer === undefined)
  return administrationPage(context, '', {
    title: frame.administration,
    heading: adminSections.queue,
    content: html`${facts([
      [administration.requests, link('/organizations', asked.length)],
      [administration.unverified, link('/applications?state=unverified', unverified.length)],
      [adminSections.disputes, link('/claims', claims.length, claims.length < disputesCountedMax)],
      [administration.unanswered, link('/reports', unanswered.length)],
      [administration.endingKeys, link('/keys?state=soon', ending.length)],
    ])}
<h2>${administration.health}</h2>
${health(await readiness())}`,
  })
}

function health({ ready, checks }: Readiness): Html {
  const problems = Object.entries(checks).filter(([, { ok }]) => !ok)
  if (ready && problems.length === 0) {
    return html`<p>${badge(administration.noAction, 'good')} ${administration.works}</p>`
  }
  const lines = problems.map(
    ([name, { problem }]) =>
      html`<li>${badge(inEnglish(name), 'bad')} ${
        problem === undefined ? administration.isWrong : inEnglish(problem)
      }</li>`,
  )
  return html`<ul>${lines}</ul>
<p>${administration.doctor({ code })}</p>`
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
  const link = asLink(`${context.baseUrl}/docs/guides/operations`)
  const groups = seriesGroups.map(({ name: group, series }) => {
    const shown = series.filter(({ name }) => samples.some(({ sample }) => name in sample))
    if (shown.length === 0) return ''
    return html`<h2>${nameOf(group)}</h2>
<div class="drawings">${shown.map((one) => figure(one, samples))}</div>`
  })
  return administrationPage(context, operationsSection, {
    title: adminSections.operations,
    lead: words.lead({ code }),
    content: html`${warnings(report.warnings)}
${choice(context, span)}
${groups}
<p class="hint">${words.hint({ link })}</p>`,
  })
}

function warnings(found: readonly FoundWarning[]): Html {
  if (found.length === 0) return html`<p>${badge(administration.noAction, 'good')}</p>`
  const items = found.map(({ code: warning, command, guide }) => {
    const shown = html`<code>${command}</code>`
    const run = command === undefined ? '' : html` ${words.run({ command: shown })}`
    const read = guide === undefined ? '' : html` <a href="/docs/guides/${guide}">${words.more}</a>`
    const action = warningWords[`${warning}Action`]
    return html`<li><strong>${warningWords[warning]}</strong> ${action}${run}${read}</li>`
  })
  return html`<div class="flash flash-error" role="note"><ul>${items}</ul></div>`
}

function choice({ pages }: OrganizationContext, chosen: Span): Html {
  const links = (Object.keys(spans) as Span[]).map((span) => {
    const current = span === chosen ? html` aria-current="page"` : ''
    const href = `${pages.prefix}${adminPath}${operationsSection}?span=${span}`
    return html`<li><a href="${href}"${current}>${words[span]}</a></li>`
  })
  return html`<nav class="navigation sections" aria-label="${words.time}"><ul>${links}</ul></nav>`
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

/** What a series, or a group of them, is called. */
function nameOf(name: string): Text {
  return termOf(words, name) ?? name
}

function figure(series: Series, samples: readonly DatedSample[]): Html {
  const { name, unit } = series
  const title = nameOf(name)
  const values = samples.map(({ sample }) => sample[name])
  const known = values.filter((value) => value !== undefined)
  const write = (value: number) => written(value, unit)
  const newest = values.findLast((value) => value !== undefined) ?? 0
  const ends = [clock(samples[0]?.atMs ?? 0), clock(samples.at(-1)?.atMs ?? 0)] as const
  const most = write(Math.max(...known))
  const [from, to] = ends
  const label = words.drawing({ title, from, to, most, now: write(newest) })
  return html`<figure><figcaption>${title} <strong>${write(newest)}</strong></figcaption>
${lineDrawing({ values, label, ends, write })}
<details class="fold"><summary>${words.asTable({ title })}</summary>
${meansTable(series, samples)}</details></figure>`
}

function meansTable({ name, unit }: Series, samples: readonly DatedSample[]): Html {
  const each = samples.length / tableRows
  const rows = Array.from({ length: tableRows }, (_, index) => {
    const part = samples.slice(index * each, (index + 1) * each)
    return { atMs: part[0]?.atMs ?? 0, mean: meanOf(part.map(({ sample }) => sample))[name] }
  })
  return table(nameOf(name), rows.toReversed(), [
    [words.fromUtc, ({ atMs }) => clock(atMs)],
    [words.mean, ({ mean }) => (mean === undefined ? words.unknown : written(mean, unit))],
  ])
}

function clock(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16)
}

const mebibyte = 1_048_576

function written(value: number, unit: SeriesUnit): Text {
  switch (unit) {
    case 'bytes':
      return value < 1_024 * mebibyte
        ? joined([digits(value / mebibyte), 'MiB'], ' ')
        : joined([digits(value / 1_024 / mebibyte), 'GiB'], ' ')
    case 'milliseconds':
      return joined([digits(value), 'ms'], ' ')
    case 'percent':
      return joined([digits(value), '%'], ' ')
    case 'per_second':
      return joined([digits(value), '/s'], ' ')
    case 'count':
      return digits(value)
  }
}

/** A number with as many places as matter: `0.04`, `3.7`, `12,345`. */
function digits(value: number): Text {
  return number(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)))
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
    title: adminSections.cluster,
    lead: cluster.lead({ node }),
    content: html`${clusterWarnings(status)}
${facts([
  [cluster.leader, leader ?? cluster.noLeaderNow],
  [cluster.thisNode, cluster.nodeAndRole({ node, role: roleText(status.role) })],
  [cluster.contact, status.connected ? search.yes : cluster.lost],
  [cluster.eventsHere, number(status.position)],
  [cluster.entriesHere, number(status.tree_size)],
])}
${nodeTable(nodes, node)}
${streamTable(streams)}`,
  })
}

function roleText(role: string): Text {
  return role === 'leader' ? cluster.isLeader : cluster.isFollower
}

function clusterWarnings({ connected, leader, impediments }: ClusterStatus): Html {
  const found = [
    ...(connected ? [] : [cluster.lostContact]),
    ...(leader === null ? [cluster.noLeader({ code })] : []),
    ...impediments.map((impediment) => cluster.cannotLead({ reason: inEnglish(impediment) })),
  ]
  if (found.length === 0) return nothing
  return html`<div class="flash flash-error" role="note">
${found.map((warning) => html`<p>${warning}</p>`)}</div>`
}

function nodeTable(nodes: readonly NodeSeen[], own: string): Html {
  const newest = Math.max(...nodes.map(({ position }) => position ?? 0))
  const list = table(cluster.nodes, nodes, [
    [cluster.node, ({ node }) => (node === own ? cluster.ownNode({ node }) : node)],
    [cluster.role, ({ role }) => badge(roleText(role), role === 'leader' ? 'good' : 'plain')],
    [cluster.eventsThere, ({ position }) => (position === null ? words.unknown : number(position))],
    [cluster.behind, ({ position }) => (position === null ? '' : number(newest - position))],
  ])
  return html`${list}
<p class="hint">${cluster.nodesHint({ code })}</p>`
}

function streamTable(streams: readonly StreamSeen[]): Html {
  const kept = ({ messages, bytes }: StreamSeen) =>
    messages === null || bytes === null
      ? cluster.unknown
      : cluster.messages({ count: messages, size: size(bytes) })
  const list = table(cluster.streams, streams, [
    [cluster.stream, ({ stream }) => html`<code>${stream}</code>`],
    [cluster.newest, ({ newest }) => (newest === null ? cluster.unknown : number(newest))],
    [cluster.processed, ({ carried_out: done }) => (done === undefined ? '' : number(done))],
    [cluster.kept, kept],
    [cluster.servers, serversOf],
  ])
  return html`${list}
<p class="hint">${cluster.streamsHint}</p>`
}

function serversOf({ newest, leader, replicas }: StreamSeen): Wording {
  if (newest === null) return cluster.unknown
  const leads =
    leader === null ? badge(cluster.noStreamLeader, 'bad') : cluster.leads({ server: leader })
  const late = replicas.filter(({ current }) => !current).map(({ server }) => server)
  if (late.length === 0) return cluster.followers({ leader: leads, count: replicas.length })
  const others = badge(cluster.behindOrGone({ servers: late.join(', ') }), 'waiting')
  return cluster.late({ leader: leads, others })
}

function size(bytes: number): Text {
  return bytes < 2 ** 20
    ? joined([number(Math.ceil(bytes / 2 ** 10)), 'KiB'], ' ')
    : joined([number(Math.ceil(bytes / 2 ** 20)), 'MiB'], ' ')
}
