import { drawing, framedDrawing, rounded } from '#src/pages/kit/drawing.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { formatNumber } from '#src/pages/kit/words.ts'

/** How much of a period's room its bar takes. */
const barShare = 0.82

/** How many there were in a period, which `label` names. */
export type Bar = { readonly label: string; readonly count: number }

/**
 * A bar for each period, one at least, the first on the left. The highest has its number; `what`
 * begins what a reader of the screen is told, such as `Uses`.
 */
export function barDrawing(bars: readonly Bar[], what: string): Html {
  const { width, height, base } = drawing
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best))
  const step = width / bars.length
  const drawn = bars.map(({ label, count }, index) => {
    const tall = count === 0 ? 0 : Math.max(1, (count / most.count) * height)
    const x = rounded(index * step)
    return html`<rect x="${x}" y="${rounded(base - tall)}"
width="${rounded(step * barShare)}" height="${rounded(tall)}">
<title>${label}: ${formatNumber(count)}</title></rect>`
  })
  const [first, last] = [bars[0]?.label, bars.at(-1)?.label]
  const mark = formatNumber(most.count)
  const label = `${what} from ${first} to ${last}; most in ${most.label}: ${mark}`
  const markX = (bars.indexOf(most) + barShare / 2) * step
  return framedDrawing({ label, mark, markX, ends: [first, last] }, drawn)
}

/** A bar whose length is a share of the longest one's; its number stands beside it in words. */
export function shareBar(count: number, most: number): Html {
  const { width } = drawing
  const long = count === 0 ? 0 : Math.max(1, (count / most) * width)
  return html`<svg class="share-bar" viewBox="0 0 ${width} 8" preserveAspectRatio="none"
aria-hidden="true"><rect width="${rounded(long)}" height="8"/></svg>`
}
