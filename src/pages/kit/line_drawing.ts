import { drawing, framedDrawing, rounded } from '#src/pages/kit/drawing.ts'
import { html, type Html } from '#src/pages/kit/html.ts'

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
