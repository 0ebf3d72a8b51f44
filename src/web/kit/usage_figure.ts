import type { UsagePeriod, UsageReport } from '#src/api/usage_report.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import { table } from '#src/web/kit/parts.ts'
import { inDigits } from '#src/web/kit/words.ts'

/** Distances in units of the drawing. */
const width = 240
const height = 56
const marksHigh = 14
const barShare = 0.82

/** What a figure of uses is given beside them. */
export type UsageFigureOptions = {
  /** Completes "How often … used". */
  readonly of: string
  /** Where the same is as JSON and CSV; without it, there is no link. */
  readonly href?: string
}

/**
 * How often something was used, as a bar for each period: its ARK resolved, or its page read. The
 * highest bar has its number, and a table in words all numbers of all kinds; without any use there
 * is a sentence.
 */
export function usageFigure(report: UsageReport, { of, href }: UsageFigureOptions): Html {
  const { total, periods } = report
  const uses = total.resolutions + total.landings
  const span = `${report.from} to ${report.to}`
  const query = new URLSearchParams({ granularity: report.granularity, format: 'csv' })
  const link = href === undefined ? '' : html` · <a href="${href}?${query.toString()}">As CSV</a>`
  return html`<section class="usage" aria-labelledby="usage"><h2 id="usage">How often ${of}</h2>
${
  uses === 0
    ? html`<p class="aside">Nobody has resolved or read it from ${span}, robots left out.</p>`
    : html`<figure><figcaption>Resolved or read <strong>${inDigits(uses)}</strong>
${uses === 1 ? 'time' : 'times'} from ${span}, robots left out</figcaption>
${drawing(periods, span)}</figure>`
}
<details class="fold"><summary>All counts as a table</summary>${countsTable(report)}</details>
<p class="hint"><a href="/docs/guides/usage">How this is counted</a>${link}</p></section>`
}

function usesOf({ resolutions, landings }: UsagePeriod): number {
  return resolutions + landings
}

function drawing(periods: readonly UsagePeriod[], span: string): Html {
  const most = periods.reduce((best, period) => (usesOf(period) > usesOf(best) ? period : best))
  const step = width / periods.length
  const bars = periods.map((period, index) => {
    const uses = usesOf(period)
    const tall = uses === 0 ? 0 : Math.max(1, (uses / usesOf(most)) * height)
    const x = rounded(index * step)
    return html`<rect x="${x}" y="${rounded(marksHigh + height - tall)}"
width="${rounded(step * barShare)}" height="${rounded(tall)}">
<title>${period.period}: ${inDigits(uses)}</title></rect>`
  })
  const base = marksHigh + height
  const said = `Uses from ${span}; most in ${most.period}: ${inDigits(usesOf(most))}`
  const [first, last] = [periods[0]?.period, periods.at(-1)?.period]
  const middle = (periods.indexOf(most) + barShare / 2) * step
  // A number beyond the edge would be cut off.
  const anchor = middle < width / 4 ? 'start' : middle > (width * 3) / 4 ? 'end' : 'middle'
  const markX = anchor === 'start' ? 0 : anchor === 'end' ? width : middle
  return html`<svg class="usage-bars" viewBox="0 0 ${width} ${base + 14}" role="img"
aria-label="${said}"><text x="${rounded(markX)}" y="${marksHigh - 4}"
text-anchor="${anchor}">${inDigits(usesOf(most))}</text>${bars}
<line x1="0" x2="${width}" y1="${base}" y2="${base}"/>
<text x="0" y="${base + 12}">${first}</text>
<text x="${width}" y="${base + 12}" text-anchor="end">${last}</text></svg>`
}

function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}

function countsTable({ periods }: UsageReport): Html {
  return table<UsagePeriod>(
    'Uses by month',
    [
      { heading: 'Month', isRowHeading: true, cell: ({ period }) => period },
      { heading: 'Resolved', cell: ({ resolutions }) => inDigits(resolutions) },
      { heading: 'Page read', cell: ({ landings }) => inDigits(landings) },
      { heading: 'Verified', cell: ({ verifications }) => inDigits(verifications) },
      { heading: 'Harvested', cell: ({ harvests }) => inDigits(harvests) },
    ],
    // The newest is looked for first.
    periods.toReversed(),
  )
}
