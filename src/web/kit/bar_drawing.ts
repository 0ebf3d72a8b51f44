import { html, type Html } from '#src/web/kit/html.ts'
import { inDigits } from '#src/web/kit/words.ts'

/** Distances in units of the drawing. */
const width = 240
const height = 56
const marksHigh = 14
const barShare = 0.82

/** How many there were in a period, which `label` names. */
export type Bar = { readonly label: string; readonly count: number }

/**
 * A bar for each period, one at least, the first on the left. The highest has its number; `what`
 * begins what a reader of the screen is told, such as `Uses`.
 */
export function barDrawing(bars: readonly Bar[], what: string): Html {
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best))
  const step = width / bars.length
  const drawn = bars.map(({ label, count }, index) => {
    const tall = count === 0 ? 0 : Math.max(1, (count / most.count) * height)
    const x = rounded(index * step)
    return html`<rect x="${x}" y="${rounded(marksHigh + height - tall)}"
width="${rounded(step * barShare)}" height="${rounded(tall)}">
<title>${label}: ${inDigits(count)}</title></rect>`
  })
  const base = marksHigh + height
  const [first, last] = [bars[0]?.label, bars.at(-1)?.label]
  const said = `${what} from ${first} to ${last}; most in ${most.label}: ${inDigits(most.count)}`
  const middle = (bars.indexOf(most) + barShare / 2) * step
  // A number beyond the edge would be cut off.
  const anchor = middle < width / 4 ? 'start' : middle > (width * 3) / 4 ? 'end' : 'middle'
  const markX = anchor === 'start' ? 0 : anchor === 'end' ? width : middle
  return html`<svg class="usage-bars" viewBox="0 0 ${width} ${base + 14}" role="img"
aria-label="${said}"><text x="${rounded(markX)}" y="${marksHigh - 4}"
text-anchor="${anchor}">${inDigits(most.count)}</text>${drawn}
<line x1="0" x2="${width}" y1="${base}" y2="${base}"/>
<text x="0" y="${base + 12}">${first}</text>
<text x="${width}" y="${base + 12}" text-anchor="end">${last}</text></svg>`
}

/** A bar whose length is a share of the longest one's; its number stands beside it in words. */
export function shareBar(count: number, most: number): Html {
  const long = count === 0 ? 0 : Math.max(1, (count / most) * width)
  return html`<svg class="share-bar" viewBox="0 0 ${width} 8" preserveAspectRatio="none"
aria-hidden="true"><rect width="${rounded(long)}" height="8"/></svg>`
}

function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}
