import type { UsagePeriod, UsageReport } from '#src/use_cases/usage_report.ts'
import { barDrawing } from '#src/pages/kit/drawing.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { table } from '#src/pages/kit/parts.ts'
import { figures } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'

/** What a figure of uses is given beside them. */
export type UsageFigureOptions = {
  readonly heading: Text
  /** Where the same is as JSON and CSV; without it, there is no link. */
  readonly href?: string
}

/**
 * How often something was used until now, as a bar for each month: its ARK resolved, or its page
 * read. The last month is not over, and said to be so. The highest bar has its number, and a table
 * in words all numbers of all kinds; without any use there is a sentence.
 */
export function usageFigure(report: UsageReport, { heading, href }: UsageFigureOptions): Html {
  const { total, periods } = report
  const uses = total.resolutions + total.landings
  const span = { from: unbroken(report.from), to: unbroken(report.to) }
  const strong = (words: Wording) => html`<strong>${words}</strong>`
  const query = new URLSearchParams({ granularity: report.granularity, format: 'csv' })
  const link =
    href === undefined ? '' : html` · <a href="${href}?${query.toString()}">${figures.asCsv}</a>`
  return html`<section class="usage" aria-labelledby="usage"><h2 id="usage">${heading}</h2>
${
  uses === 0
    ? html`<p class="aside">${figures.notUsed(span)}</p>`
    : html`<figure><figcaption>${figures.used({ count: uses, ...span, strong })}</figcaption>
${barDrawing(
  periods.map((each) => ({ label: each.period, count: usesOf(each) })),
  figures.uses,
)}</figure>`
}
<details class="fold"><summary>${figures.table}</summary>${countsTable(report)}</details>
<p class="hint"><a href="/docs/guides/usage">${figures.howCounted}</a>${link}</p></section>`
}

function usesOf({ resolutions, landings }: UsagePeriod): number {
  return resolutions + landings
}

// A line may end after a hyphen, and half a month says nothing. Between Arabic words, `2026-01`
// would be read from its end.
function unbroken(period: string): Html {
  return html`<span class="period" dir="ltr">${period}</span>`
}

function countsTable({ periods, to }: UsageReport): Html {
  const named = (period: string) => {
    const month = unbroken(period)
    return period === to ? figures.soFar({ month }) : month
  }
  return table(figures.byMonth, periods.toReversed(), [
    [figures.month, ({ period }) => named(period)],
    [figures.resolved, ({ resolutions }) => number(resolutions)],
    [figures.pageRead, ({ landings }) => number(landings)],
    [figures.verified, ({ verifications }) => number(verifications)],
    [figures.harvested, ({ harvests }) => number(harvests)],
  ])
}
