import { formatTimestamp } from '#actors/values/clock.ts'
import type { EventKind, FoundEvents, KeptEvent } from '#src/operations/kept_events.ts'
import { administrationPage, adminPath, adminRoutes } from '#src/pages/administration/frame.ts'
import { auditTable } from '#src/pages/administration/audit_page.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { facts, listFilter, table, textFilter, time } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { searchAudit } from '#src/use_cases/audit_search.ts'
import { entriesBetween } from '#src/use_cases/public_log.ts'

const path = `${adminPath}/happened`
const shownMax = 100
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** What is asked for: a day, and from and until which minute of it, all of UTC. */
type AskedTime = { readonly day: string; readonly from: string; readonly until: string }

/** Adds the page that tells what happened at a time: audit, log, refusals, errors and alarms. */
export function addHappenedPage(context: OrganizationContext): void {
  const limit = { limit: 'search_page' } as const
  adminRoutes(context).member.get(
    path,
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
  const base = context.pages.prefix + path
  const span = spanOf(asked)
  const form = listFilter(base, 'Time', [
    textFilter('day', 'Day', asked.day, '2026-11-28'),
    textFilter('from', 'From', asked.from, '15:00'),
    textFilter('until', 'Until', asked.until, '15:59'),
  ])
  const fault = html`<p class="fault" role="alert">Give a day such as 2026-11-28, and two times of
that day such as 15:00 and 15:59. The second must not be before the first.</p>`
  return administrationPage(context, '/happened', {
    title: 'What happened',
    heading: 'What happened at …',
    lead: 'Choose a day and two times. All times are UTC; the last minute is included.',
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
  return html`${facts([
    ['Alarms', countOf(events, 'alarm')],
    ['Errors and warnings', countOf(events, 'error')],
    ['Refused requests', countOf(events, 'refusal')],
    ['Changes', `${audit.entries.length}${audit.next === undefined ? '' : ' or more'}`],
    ...logFacts(context, span),
  ])}
${eventPart('Alarms', events?.alarm)}
${eventPart('Errors and warnings', events?.error)}
<h2>Changes</h2>
${audit.entries.length === 0 ? html`<p>None.</p>` : auditTable(context, audit.entries)}
<p><a href="${auditPath}">All of them in the audit log</a></p>
${eventPart('Refused requests', events?.refusal)}
<p class="hint">Alarms, errors and refused requests are those of this machine, of 30 days. At most
200 of a kind are kept for a minute; further ones are only counted. Networks stand in for
addresses.</p>`
}

function timesOf(day: string, from: string, until: string) {
  return { from: `${day}T${from}`, until: `${day}T${until}` }
}

function countOf(events: FoundEvents | undefined, kind: EventKind): string {
  return events === undefined ? 'not kept' : formatNumber(events[kind].count)
}

/** The entries that each log got in the time: how many, and which. */
function logFacts({ environments, baseUrl }: OrganizationContext, { fromMs, untilMs }: Span) {
  return [environments.live, environments.sandbox].map(({ name, log }) => {
    const { first, end } = entriesBetween(log, fromMs, untilMs)
    const entries = `${baseUrl}${name === 'sandbox' ? '/sandbox' : ''}/log/entries`
    const which =
      end === first
        ? '0'
        : html`${formatNumber(end - first)}: <a href="${entries}/${first}">${first}</a> to
<a href="${entries}/${end - 1}">${end - 1}</a>`
    return [`Entries of the ${name} log`, which] as const
  })
}

function eventPart(title: string, found: FoundEvents[EventKind] | undefined): Html {
  if (found === undefined || found.count === 0) return nothing
  const { count, events } = found
  const isRefusal = events[0]?.kind === 'refusal'
  const list = table(title, events, {
    When: ({ atMs }: KeptEvent) => time(formatTimestamp(atMs), 'second'),
    What: whatCell,
    ...(isRefusal && { Network: ({ network = '' }: KeptEvent) => network }),
    Request: ({ requestId = '' }: KeptEvent) => html`<code>${requestId}</code>`,
  })
  const left = count - events.length
  const more = `${formatNumber(left)} more are not shown: choose a shorter time.`
  return html`<h2>${title}</h2><div class="admin-table">${list}</div>
${left > 0 ? html`<p>${more}</p>` : nothing}`
}

function whatCell({ text, status }: KeptEvent): Html {
  const told = status === undefined ? nothing : html`<strong>${String(status)}</strong> `
  return html`${told}<code>${text}</code>`
}
