import { html, type Html, type HtmlContent } from '#src/pages/kit/html.ts'

/** The room of a drawing, in its units: what is drawn is between `top` and `base`. */
export const drawing = { width: 240, height: 56, top: 14, base: 70 } as const

/** What stands around a drawing. */
export type DrawingFrame = {
  /** What the drawing says to those who do not see it. */
  readonly label: string
  /** What is written above its highest place, and how far that is from the left. */
  readonly mark: string
  readonly markX: number
  /** What stands below its left and its right end. */
  readonly ends: readonly [left: HtmlContent, right: HtmlContent]
}

/** A drawing above a line, with its highest place marked and both ends named. */
export function framedDrawing(
  { label, mark, markX, ends }: DrawingFrame,
  drawn: HtmlContent,
): Html {
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

/** A distance as it is written in a drawing. */
export function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}
