import { html, type Html } from '#src/web/kit/html.ts'

/** Distances in units of the drawing. */
const width = 240
const height = 56
const marksHigh = 14

/** Something over time: `values` are evenly apart, and undefined where nothing is known. */
export type Line = {
  readonly values: readonly (number | undefined)[]
  /** What the drawing says to those who do not see it. */
  readonly label: string
  /** What stands at the beginning and at the end of the time. */
  readonly ends: readonly [from: string, until: string]
  readonly write: (value: number) => string
}

/**
 * Draws values over time as a line above zero, broken where nothing is known, with the highest
 * written above it. It needs no colour: there is one line.
 */
export function lineDrawing({ values, label, ends: [from, until], write }: Line): Html {
  const known = values.filter((value) => value !== undefined)
  const most = Math.max(0, ...known)
  const step = width / Math.max(1, values.length - 1)
  const base = marksHigh + height
  const yOf = (value: number) => rounded(base - (most === 0 ? 0 : (value / most) * height))
  const points = values.map((value, index) => {
    return value === undefined ? undefined : `${rounded(index * step)} ${yOf(value)}`
  })
  const at = values.indexOf(most) * step
  // A number beyond the edge would be cut off.
  const anchor = at < width / 4 ? 'start' : at > (width * 3) / 4 ? 'end' : 'middle'
  const markX = anchor === 'start' ? 0 : anchor === 'end' ? width : rounded(at)
  return html`<svg class="line-drawing" viewBox="0 0 ${width} ${base + 14}" role="img"
aria-label="${label}"><text x="${markX}" y="${marksHigh - 4}"
text-anchor="${anchor}">${write(most)}</text>
<path d="${pathOf(points)}"/><line x1="0" x2="${width}" y1="${base}" y2="${base}"/>
<text x="0" y="${base + 12}">${from}</text>
<text x="${width}" y="${base + 12}" text-anchor="end">${until}</text></svg>`
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

function rounded(distance: number): number {
  return Math.round(distance * 10) / 10
}
