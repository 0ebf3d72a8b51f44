import { encode } from 'uqr'

import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'
import { figures } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

/** The room of a drawing, in its units: what is drawn is between `top` and `base`. */
const drawing = { width: 240, height: 56, top: 14, base: 70 } as const

type DrawingFrame = {
  /** What the drawing says to those who do not see it. */
  readonly label: Text
  /** What is written above its highest place, and how far that is from the left. */
  readonly mark: Text
  readonly markX: number
  /** What stands below its left and its right end. */
  readonly ends: readonly [left: HtmlContent, right: HtmlContent]
}

/** A drawing above a line, with its highest place marked and both ends named. */
function framedDrawing({ label, mark, markX, ends }: DrawingFrame, drawn: HtmlContent): Html {
  const { width, top, base } = drawing
  // A mark beyond the edge would be cut off.
  const anchor = markX < width / 4 ? 'start' : markX > (width * 3) / 4 ? 'end' : 'middle'
  const x = anchor === 'start' ? 0 : anchor === 'end' ? width : markX
  return html`<svg class="drawing" viewBox="0 0 ${width} ${base + 14}" role="img"
aria-label="${label}"><text x="${rounded(x)}" y="${top - 4}"
text-anchor="${anchor}">${mark}</text>${drawn}
<line x1="0" x2="${width}" y1="${base}" y2="${base}"/>
<text x="0" y="${base + 12}">${ends[0]}</text>
<text x="${width}" y="${base + 12}" text-anchor="end">${ends[1]}</text></svg>`
}

/** A distance in a drawing, of which no more than a tenth of its unit is told. */
export function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}

const barShare = 0.82

/** How many there were in a period, which `label` names. */
export type Bar = { readonly label: string; readonly count: number }

/**
 * A bar for each period, one at least, the first on the left. The highest has its number; `what`
 * begins what a reader of the screen is told, such as `Uses`.
 */
export function barDrawing(bars: readonly Bar[], what: Text): Html {
  const { width, height, base } = drawing
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best))
  const step = width / bars.length
  const drawn = bars.map(({ label, count }, index) => {
    const tall = count === 0 ? 0 : Math.max(1, (count / most.count) * height)
    const x = rounded(index * step)
    return html`<rect x="${x}" y="${rounded(base - tall)}"
width="${rounded(step * barShare)}" height="${rounded(tall)}">
<title>${figures.bar({ label, count })}</title></rect>`
  })
  const [from = '', to = ''] = [bars[0]?.label, bars.at(-1)?.label]
  const mark = number(most.count)
  const label = figures.bars({ what, from, to, most: mark, when: most.label })
  const markX = (bars.indexOf(most) + barShare / 2) * step
  return framedDrawing({ label, mark, markX, ends: [from, to] }, drawn)
}

/** A bar whose length is a share of the longest one's; its number stands beside it in words. */
export function shareBar(count: number, most: number): Html {
  const { width } = drawing
  const long = count === 0 ? 0 : Math.max(1, (count / most) * width)
  return html`<svg class="share-bar" viewBox="0 0 ${width} 8" preserveAspectRatio="none"
aria-hidden="true"><rect width="${rounded(long)}" height="8"/></svg>`
}

/** Something over time: `values` are evenly apart, and undefined where nothing is known. */
type Line = {
  readonly values: readonly (number | undefined)[]
  /** What the drawing says to those who do not see it. */
  readonly label: Text
  /** What stands at the beginning and at the end of the time. */
  readonly ends: readonly [from: string, until: string]
  readonly write: (value: number) => Text
}

/**
 * Draws values over time as a line above zero, broken where nothing is known, with the highest
 * written above it. It needs no colour: there is one line.
 */
export function lineDrawing({ values, label, ends, write }: Line): Html {
  const { width, height, base } = drawing
  const known = values.filter((value) => value !== undefined)
  const most = Math.max(0, ...known)
  const step = width / Math.max(1, values.length - 1)
  const yOf = (value: number) => rounded(base - (most === 0 ? 0 : (value / most) * height))
  const points = values.map((value, index) => {
    return value === undefined ? undefined : `${rounded(index * step)} ${yOf(value)}`
  })
  const markX = values.indexOf(most) * step
  return framedDrawing(
    { label, mark: write(most), markX, ends },
    html`<path d="${pathOf(points)}"/>`,
  )
}

/** A line through the points that follow one another; one that stands alone is a dot. */
function pathOf(points: readonly (string | undefined)[]): string {
  return points
    .flatMap((point, index) => {
      if (point === undefined) return []
      const isBegun = points[index - 1] !== undefined
      if (isBegun) return [`L${point}`]
      return points[index + 1] === undefined ? [`M${point}h0.1`] : [`M${point}`]
    })
    .join('')
}

/** Modules around a code that stay light (ISO/IEC 18004 asks for four). */
const quietModules = 4

/** A text as a QR code, dark on light whatever the colours of the page; `label` says what it is. */
export function qrCode(text: string, label: Text): Html {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}
