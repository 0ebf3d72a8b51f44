import type { UsagePeriod, UsageReport } from '#src/use_cases/usage_report.ts'
import { barDrawing } from '#src/pages/kit/drawing.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'

/** What a figure of uses is given beside them. */
export type UsageFigureOptions = {
  /** Completes "How often … used". */
  readonly of: string
  /** Where the same is as JSON and CSV; without it, there is no link. */
  readonly href?: string
}

/**
 * How often something was used until now, as a bar for each month: its ARK resolved, or its page
 * read. The last month is not over, and said to be so. The highest bar has its number, and a table
 * in words all numbers of all kinds; without any use there is a sentence.
 */
export function usageFigure(report: UsageReport, { of, href }: UsageFigureOptions): Html {
  const { total, periods } = report
  const uses = total.resolutions + total.landings
  const span = html`${unbroken(report.from)} to ${unbroken(report.to)}`
  const query = new URLSearchParams({ granularity: report.granularity, format: 'csv' })
  const link = href === undefined ? '' : html` · <a href="${href}?${query.toString()}">As CSV</a>`
  return html`<section class="usage" aria-labelledby="usage"><h2 id="usage">How often ${of}</h2>
${
  uses === 0
    ? html`<p class="aside">Not resolved or read from ${span}, robots left out.</p>`
    : html`<figure><figcaption>Resolved or read <strong>${formatNumber(uses)}</strong>
${uses === 1 ? 'time' : 'times'} from ${span}, which is not over
yet; robots are left out</figcaption>
${barDrawing(
  periods.map((each) => ({ label: each.period, count: usesOf(each) })),
  'Uses',
)}</figure>`
}
<details class="fold"><summary>All counts as a table</summary>${countsTable(report)}</details>
<p class="hint"><a href="/docs/guides/usage">How this is counted</a>${link}</p></section>`
}

function usesOf({ resolutions, landings }: UsagePeriod): number {
  return resolutions + landings
}

// A line may end after a hyphen, and half a month says nothing.
function unbroken(period: string): Html {
  return html`<span class="period">${period}</span>`
}

function countsTable({ periods, to }: UsageReport): Html {
  return table('Uses by month', periods.toReversed(), {
    Month: ({ period }) => html`${unbroken(period)}${period === to ? ', so far' : ''}`,
    Resolved: ({ resolutions }) => formatNumber(resolutions),
    'Page read': ({ landings }) => formatNumber(landings),
    Verified: ({ verifications }) => formatNumber(verifications),
    Harvested: ({ harvests }) => formatNumber(harvests),
  })
}
