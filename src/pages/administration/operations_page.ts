import { HttpError } from '#src/errors.ts'
import { type DatedSample, meanOf, type Span, spans } from '#src/operations/history.ts'
import type { OperationsReport } from '#src/operations/operations.ts'
import { type Series, type SeriesUnit, seriesGroups } from '#src/operations/series.ts'
import type { FoundWarning } from '#src/operations/warnings.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { lineDrawing } from '#src/pages/kit/line_drawing.ts'
import { badge, table } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

const path = '/operations'

/** Rows of the table beside a drawing: each is a mean of as many samples. */
const tableRows = 12

/** Adds the page on which administrators see how the registry does, and has done of late. */
export function addOperationsPage(context: OrganizationContext): void {
  context.pages.member.get(`${adminPath}${path}`, async (visit) => {
    demandAdmin(visit)
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
  return administrationPage(context, path, {
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
    const href = `${pages.prefix}${adminPath}${path}?span=${span}`
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
  return table<(typeof rows)[number]>(
    title,
    [
      { heading: 'From (UTC)', isRowHeading: true, cell: ({ atMs }) => clock(atMs) },
      {
        heading: 'Mean',
        cell: ({ mean }) => (mean === undefined ? 'not known' : written(mean, unit)),
      },
    ],
    // The newest is looked for first.
    rows.toReversed(),
  )
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
