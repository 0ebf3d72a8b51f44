import { html, type Html } from '#src/pages/kit/html.ts'
import type { FacetCount } from '#src/discovery/search/search_engine.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'

/** Bars of the figure at most: of more years several make one. */
const barsMax = 40

/** Distances in units of the drawing. */
const width = 240
const height = 72

type Bar = { readonly from: number; readonly to: number; readonly count: number }

/**
 * How many results there are of each year, as bars from the first year to the last; what a reader
 * of the screen is told of them is what an eye sees: the span, and the highest bar. Undefined for
 * fewer than two years.
 */
export function yearFigure(counts: readonly FacetCount[]): Html | undefined {
  const years = counts.map(({ value, count }) => [Number(value), count] as const)
  const first = Math.min(...years.map(([year]) => year))
  const last = Math.max(...years.map(([year]) => year))
  if (years.length < 2) return undefined
  const bars = barsOf(years, first, last)
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best))
  const barWidth = width / bars.length
  const drawn = bars.map(({ from, to, count }, index) => {
    const tall = count === 0 ? 0 : Math.max(2, (count / most.count) * height)
    return html`<rect x="${rounded(index * barWidth)}" y="${rounded(height - tall)}"
width="${rounded(barWidth * 0.82)}" height="${rounded(tall)}">
<title>${span(from, to)}: ${formatNumber(count)}</title></rect>`
  })
  const said =
    `Results by year, ${first} to ${last}; ` +
    `most in ${span(most.from, most.to)}: ${plural(most.count, 'result')}`
  return html`<svg class="years" viewBox="0 0 ${width} ${height + 18}" role="img"
aria-label="${said}">${drawn}
<line x1="0" x2="${width}" y1="${height}" y2="${height}"/>
<text x="0" y="${height + 15}">${first}</text>
<text x="${width}" y="${height + 15}" text-anchor="end">${last}</text></svg>`
}

function barsOf(
  years: readonly (readonly [number, number])[],
  first: number,
  last: number,
): readonly Bar[] {
  const step = Math.ceil((last - first + 1) / barsMax)
  const bars = Array.from({ length: Math.ceil((last - first + 1) / step) }, (_, index) => {
    const from = first + index * step
    return { from, to: Math.min(last, from + step - 1), count: 0 }
  })
  for (const [year, count] of years) {
    const bar = bars[Math.floor((year - first) / step)]
    if (bar !== undefined) bar.count += count
  }
  return bars
}

function span(from: number, to: number): string {
  return from === to ? `${from}` : `${from}–${to}`
}

function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}
