import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { OwnedAuditEntry } from '#src/identity/store/audit.ts'
import { formatOwner } from '#src/identity/store/owner_text.ts'
import { auditWords, subject, subjectAndEvent } from '#src/pages/account/audit_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  emptyState,
  facts,
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
import { ownerLink } from '#src/pages/administration/key_pages.ts'
import { arkLink, type OrganizationContext, publicName } from '#src/pages/organization/context.ts'
import {
  type AuditFilter,
  auditFilterFault,
  auditFilterNames,
  auditLine,
  type AuditResults,
  searchAudit,
} from '#src/use_cases/audit_search.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { EventKind, FoundEvents, KeptEvent } from '#src/operations/kept_events.ts'
import { entriesBetween } from '#src/use_cases/public_log.ts'
import { adminAudit as words, administration, warnings } from '#src/words/administrator_desk.ts'
import { adminSections, changes, frame, security, standing } from '#src/words/english.ts'
import { inEnglish, number } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

const path = `${adminPath}/audit`
const entriesOnPage = 50

/** Entries of an exported file, at most; the last line then says where the rest begins. */
const exportedMax = 10_000

/** Adds the page of what was done to accounts, organizations, works and the registry. */
export function addAdminAuditPage(context: OrganizationContext): void {
  const limit = { limit: 'search_page' } as const
  const { member } = adminRoutes(context)
  member.get(path, auditPage, limit)
  member.get(`${path}/export/:format`, exportEntries, limit)
}

const placeForm = /^[\w:./-]{1,200}$/

function readFilter({ query }: AdminVisit): AuditFilter {
  const given = auditFilterNames.map((name) => [name, (query.get(name) ?? '').trim().slice(0, 254)])
  return Object.fromEntries(given) as AuditFilter
}

function search(visit: AdminVisit, filter: AuditFilter, limit: number): Promise<AuditResults> {
  const place = visit.query.get('before') ?? ''
  const before = placeForm.test(place) ? place : undefined
  return searchAudit(visit.context, filter, { before, limit })
}

async function auditPage(visit: AdminVisit): Promise<AccountPage> {
  const base = visit.context.pages.prefix + path
  const filter = readFilter(visit)
  const fault = auditFilterFault(filter)
  const found = fault === undefined ? await search(visit, filter, entriesOnPage) : undefined
  const kept = filterQuery(filter)
  const asked = kept.size === 0 ? '' : `?${kept}`
  return administrationPage(visit.context, '/audit', {
    title: adminSections.audit,
    lead: words.lead,
    content: html`${auditForm(base, filter)}
${fault === undefined ? nothing : html`<p class="fault" role="alert">${inEnglish(fault)}</p>`}
${
  found === undefined
    ? nothing
    : html`${entriesPart(visit.context, found)}
${pagination({
  path: base,
  parameter: 'before',
  next: found.next,
  isFirst: !visit.query.has('before'),
  kept,
})}
<p class="aside">${words.export} <a href="${base}/export/csv${asked}" download>CSV</a>
<a href="${base}/export/jsonl${asked}" download>${words.jsonLines}</a></p>`
}`,
  })
}

function entriesPart(context: OrganizationContext, { entries, next }: AuditResults): Html {
  if (entries.length > 0) return auditTable(context, entries)
  return next === undefined
    ? emptyState(words.none, words.noneText)
    : emptyState(words.noneSoFar, words.noneSoFarText)
}

function auditForm(action: string, filter: AuditFilter): Html {
  const actions = Object.entries(auditWords)
    .filter(([word]) => word !== 'used' && word !== 'refused')
    .map(([code, event]) => [code, words.actionAndCode({ event, code })] as const)
  const all = ['', standing.all] as const
  return listFilter(action, adminSections.audit, [
    textFilter('actor', words.by, filter.actor, 'ada@example.org'),
    { name: 'action', label: words.action, value: filter.action, options: [all, ...actions] },
    textFilter('subject', words.subject, filter.subject, words.subjectExample),
    textFilter('address', security.network, filter.address, '192.0.2'),
    textFilter('from', words.from, filter.from, '2026-11-28T15:00'),
    textFilter('until', words.until, filter.until, '2026-11-28T15:30'),
  ])
}

/** A table of entries, each with links to what it is about. */
function auditTable(context: OrganizationContext, entries: readonly OwnedAuditEntry[]): Html {
  const list = table(adminSections.audit, entries, [
    [changes.when, ({ entry }) => time(entry.at, 'second')],
    [words.subject, (row) => subjectCell(context, row)],
    [
      changes.what,
      ({ owner, entry }) => subjectAndEvent(subject(context, entry, owner.type), entry),
    ],
    [words.by, ({ entry }) => byCell(context, entry)],
  ])
  return html`<div class="admin-table">${list}</div>`
}

/** Links to what an entry is about: each page, if there is one. */
function subjectCell(context: OrganizationContext, { owner, entry }: OwnedAuditEntry): Html {
  const { prefix } = context.pages
  const { ark, ppid, client_id: client, key_id: key } = entry
  const name = owner.type === 'person' ? publicName(context, owner.id, '') : ''
  const owned =
    owner.type === 'operator'
      ? nothing
      : html`${name === owner.id ? '' : `${name} `}${ownerLink(context, owner, 'live')} `
  return html`${owned}${ark === undefined ? nothing : arkLink(context, `ark:/${ark}`)}${
    ppid === undefined || ppid === owner.id
      ? nothing
      : html` <a href="${prefix}${adminPath}/accounts/${ppid}">${ppid}</a>`
  }${
    client === undefined
      ? nothing
      : html` <a href="${prefix}${adminPath}/applications/${client}">${client}</a>`
  }${key === undefined ? nothing : html` <a href="${prefix}${adminPath}/keys?q=${key}">${key}</a>`}`
}

/** Who did something, by name, and from which network, if that is known. */
export function byCell(
  context: OrganizationContext,
  { by, network }: Pick<OwnedAuditEntry['entry'], 'by' | 'network'>,
): Html {
  const from = network === undefined ? nothing : html` <span class="aside">${network}</span>`
  if (by === undefined) return from
  if (by.type !== 'person') {
    return html`${by.type === 'operator' ? administration.operator : formatOwner(by)}${from}`
  }
  return html`<a href="${context.pages.prefix}${adminPath}/accounts/${by.id}">${publicName(
    context,
    by.id,
    '',
  )}</a>${from}`
}

const exportTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const

async function exportEntries(visit: AdminVisit): Promise<PageReply> {
  const format = visit.parameters['format']
  if (format !== 'csv' && format !== 'jsonl') {
    throw new HttpError('not_found', 'The audit list is exported as csv and as jsonl')
  }
  const filter = readFilter(visit)
  const fault = auditFilterFault(filter)
  if (fault !== undefined) throw new HttpError('bad_request', fault)
  const { entries, next } = await search(visit, filter, exportedMax)
  const lines = entries.map(auditLine)
  const base = visit.context.pages.prefix + path
  const more =
    next === undefined ? [] : [{ next: `${base}/export/${format}?${nextQuery(filter, next)}` }]
  const text =
    format === 'jsonl'
      ? [...lines, ...more].map((line) => `${JSON.stringify(line)}\n`).join('')
      : csvOf(lines) + more.map(({ next: at }) => csvRow([`more at ${at}`])).join('')
  visit.reply.header('content-type', exportTypes[format])
  visit.reply.header('content-disposition', `attachment; filename="audit.${format}"`)
  visit.reply.header('cache-control', 'no-store')
  visit.reply.send(text)
  return { sent: true }
}

function nextQuery(filter: AuditFilter, before: string): URLSearchParams {
  const query = filterQuery(filter)
  query.set('before', before)
  return query
}

function csvOf(lines: readonly ReturnType<typeof auditLine>[]): string {
  const rows = lines.map(({ by, owner, scopes, ...line }) => ({
    ...line,
    by: by === null ? '' : formatOwner(by),
    owner: formatOwner(owner),
    scopes: scopes?.join(' ') ?? '',
  }))
  const names = [
    'id',
    'at',
    'action',
    'by',
    'owner',
    'because',
    'address',
    'ark',
    'organization',
    'ppid',
    'key_id',
    'client_id',
    'invitation_id',
    'bulk_change_id',
    'role',
    'works_count',
    'scopes',
  ] as const
  return [
    csvRow([...names]),
    ...rows.map((row) => csvRow(names.map((name) => `${row[name] ?? ''}`))),
  ].join('')
}

const happenedPath = `${adminPath}/happened`
const shownMax = 100
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** What is asked for: a day, and from and until which minute of it, all of UTC. */
type AskedTime = { readonly day: string; readonly from: string; readonly until: string }

/** Adds the page that tells what happened at a time: audit, log, refusals, errors and alarms. */
export function addHappenedPage(context: OrganizationContext): void {
  const limit = { limit: 'search_page' } as const
  adminRoutes(context).member.get(
    happenedPath,
    ({ query }) => {
      const last = new Date(context.nowMs() - hourMs).toISOString()
      const now = new Date(context.nowMs()).toISOString()
      const isSameDay = last.slice(0, 10) === now.slice(0, 10)
      return happenedPage(context, {
        day: query.get('day') ?? now.slice(0, 10),
        from: query.get('from') ?? (isSameDay ? last.slice(11, 16) : '00:00'),
        until: query.get('until') ?? now.slice(11, 16),
      })
    },
    limit,
  )
}

/** The span of a day from a minute to the end of another; undefined for what is none. */
function spanOf({ day, from, until }: AskedTime) {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  if (![from, until].every((text) => /^\d\d:\d\d$/.test(text))) return undefined
  const [fromMs, lastMs] = [from, until].map((text) => Date.parse(`${day}T${text}:00.000Z`))
  if (fromMs === undefined || lastMs === undefined) return undefined
  return fromMs <= lastMs ? { fromMs, untilMs: lastMs + minuteMs } : undefined
}

async function happenedPage(context: OrganizationContext, asked: AskedTime): Promise<AccountPage> {
  const base = context.pages.prefix + happenedPath
  const span = spanOf(asked)
  const form = listFilter(base, words.time, [
    textFilter('day', words.day, asked.day, '2026-11-28'),
    textFilter('from', words.from, asked.from, '15:00'),
    textFilter('until', words.until, asked.until, '15:59'),
  ])
  const fault = html`<p class="fault" role="alert">${words.timeFault}</p>`
  return administrationPage(context, '/happened', {
    title: adminSections.happened,
    heading: words.timeHeading,
    lead: words.timeLead,
    content: html`${form}${span === undefined ? fault : await happenedParts(context, asked, span)}`,
  })
}

type Span = NonNullable<ReturnType<typeof spanOf>>

async function happenedParts(
  context: OrganizationContext,
  { day, from, until }: AskedTime,
  span: Span,
): Promise<Html> {
  const filter = { actor: '', action: '', subject: '', address: '', ...timesOf(day, from, until) }
  const audit = await searchAudit(context, filter, { before: undefined, limit: shownMax })
  const events = await context.operations?.happened({ ...span, limit: shownMax })
  const more = new URLSearchParams(timesOf(day, from, until))
  const auditPath = `${context.pages.prefix}${adminPath}/audit?${more}`
  const count = audit.entries.length
  return html`${facts([
    [words.alarms, countOf(events, 'alarm')],
    [words.errors, countOf(events, 'error')],
    [words.refusals, countOf(events, 'refusal')],
    [frame.changes, audit.next === undefined ? number(count) : administration.orMore({ count })],
    ...logFacts(context, span),
  ])}
${eventPart(words.alarms, events?.alarm)}
${eventPart(words.errors, events?.error)}
<h2>${frame.changes}</h2>
${count === 0 ? html`<p>${words.noChanges}</p>` : auditTable(context, audit.entries)}
<p><a href="${auditPath}">${words.allChanges}</a></p>
${eventPart(words.refusals, events?.refusal)}
<p class="hint">${words.timeHint}</p>`
}

function timesOf(day: string, from: string, until: string) {
  return { from: `${day}T${from}`, until: `${day}T${until}` }
}

function countOf(events: FoundEvents | undefined, kind: EventKind): Text {
  return events === undefined ? words.notKept : number(events[kind].count)
}

/** The entries that each log got in the time: how many, and which. */
function logFacts({ environments, baseUrl }: OrganizationContext, { fromMs, untilMs }: Span) {
  return [environments.live, environments.sandbox].map(({ name, log }) => {
    const { first, end } = entriesBetween(log, fromMs, untilMs)
    const entries = `${baseUrl}${name === 'sandbox' ? '/sandbox' : ''}/log/entries`
    const link = (index: number) => html`<a href="${entries}/${index}">${index}</a>`
    const range = { count: end - first, first: link(first), last: link(end - 1) }
    const which = end === first ? number(0) : words.entryRange(range)
    return [name === 'sandbox' ? words.entriesSandbox : words.entriesLive, which] as const
  })
}

function eventPart(title: Text, found: FoundEvents[EventKind] | undefined): Html {
  if (found === undefined || found.count === 0) return nothing
  const { count, events } = found
  const isRefusal = events[0]?.kind === 'refusal'
  const networks = [security.network, ({ network }: KeptEvent) => network] as const
  const list = table(title, events, [
    [changes.when, ({ atMs }: KeptEvent) => time(formatTimestamp(atMs), 'second')],
    [changes.what, whatCell],
    ...(isRefusal ? [networks] : []),
    [words.request, ({ requestId = '' }: KeptEvent) => html`<code>${requestId}</code>`],
  ])
  const left = count - events.length
  return html`<h2>${title}</h2><div class="admin-table">${list}</div>
${left > 0 ? html`<p>${words.notShown({ count: left })}</p>` : nothing}`
}

function whatCell({ text, status, kind }: KeptEvent): Html {
  if (kind === 'alarm') return html`${alarmText(text)}`
  const told = status === undefined ? nothing : html`<strong>${String(status)}</strong> `
  return html`${told}<code>${text}</code>`
}

/** An alarm that began or ended, by the code of its warning; those of before are sentences. */
function alarmText(text: string): Text {
  const [step, code = ''] = text.split(' ')
  const what = termOf(warnings, code)
  if (what === undefined) return inEnglish(text)
  return step === 'began' ? words.alarmBegan({ what }) : words.alarmEnded({ what })
}
