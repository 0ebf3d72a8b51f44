import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { CommitPoint, GrowthPoint, LogGrowth } from '#src/use_cases/public_log.ts'
import { table, time } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { formatTimestamp } from '#actors/values/clock.ts'

/** Units of the drawings, which are as wide as there is room. */
const wide = 1_000
const growthHigh = 240
const commitsHigh = 80

/** Marks on the axes, and lines of the tables. */
const timesMax = 4
const rowsMax = 12

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** The times from the left of the drawings to their right. */
type Span = { readonly fromMs: number; readonly toMs: number }

/** How a log has grown, and how much came at once; nothing where there is nothing to draw. */
export function growthFigure({ points, commits }: LogGrowth): Html {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first.atMs === last.atMs) return nothing
  const span = { fromMs: first.atMs, toMs: last.atMs }
  return html`<section class="growth" aria-labelledby="growth"><h2 id="growth">Growth</h2>
<div class="card">
${plot({
  id: 'entries',
  name: 'Entries in the log',
  words: `From ${formatNumber(first.treeSize)} to ${formatNumber(last.treeSize)} entries.`,
  max: niceMax(last.treeSize),
  high: growthHigh,
  drawing: (max) => growthLine(points, span, max),
})}
${plot({
  id: 'commits',
  name: 'Entries that were committed at once',
  words: `At ${commits.length} places of the log that were looked at.`,
  max: niceMax(Math.max(...commits.map(({ entries }) => entries))),
  high: commitsHigh,
  drawing: (max) => commitLines(commits, span, max),
})}
${timeAxis(span)}
${tables(points, commits)}
</div></section>`
}

type Plot = {
  readonly id: string
  readonly name: string
  readonly words: string
  readonly max: number
  readonly high: number
  readonly drawing: (max: number) => Html
}

/** One drawing, with the axis at its left. Words stand beside it, so that they keep their size. */
function plot({ id, name, words, max, high, drawing }: Plot): Html {
  const half = max / 2
  return html`<figure class="plot plot-${id}"><figcaption>${name}</figcaption>
<div class="plot-marks" aria-hidden="true"><span>${formatNumber(max)}</span>
${Number.isInteger(half) ? html`<span>${formatNumber(half)}</span>` : nothing}<span>0</span></div>
<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" role="img"
aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${name}, over time</title>
<desc id="${id}-desc">${words} The numbers are in the tables below.</desc>
${[0, high / 2, high].map((y) => html`<path class="plot-grid" d="M0 ${y}H${wide}"/>`)}
${drawing(max)}
</svg></figure>`
}

function growthLine(points: readonly GrowthPoint[], span: Span, max: number): Html {
  // Where every entry is drawn, the log has so many until the next one comes.
  const isWhole = points.length === points.at(-1)?.treeSize
  const places = points.map(({ atMs, treeSize }) => {
    return { x: xOf(atMs, span), y: yOf(treeSize, max, growthHigh) }
  })
  const line = places
    .map(({ x, y }, index) =>
      index > 0 && isWhole ? `H${x}V${y}` : `${index > 0 ? 'L' : ''}${x} ${y}`,
    )
    .join('')
  const area = `M0 ${growthHigh}L${line}V${growthHigh}Z`
  return html`<path class="plot-area" d="${area}"/><path class="plot-line" d="M${line}"/>`
}

function commitLines(commits: readonly CommitPoint[], span: Span, max: number): Html {
  const lines = commits.map(({ atMs, entries }) => {
    return `M${xOf(atMs, span)} ${commitsHigh}V${yOf(entries, max, commitsHigh)}`
  })
  return html`<path class="plot-sticks" d="${lines.join('')}"/>`
}

function xOf(atMs: number, { fromMs, toMs }: Span): number {
  return rounded((wide * (atMs - fromMs)) / (toMs - fromMs))
}

function yOf(value: number, max: number, high: number): number {
  return rounded(high - (high * value) / max)
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** The least of 1, 2, 3, 4, 6, 8, 10, 20, 30 … that is no smaller. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 3, 4, 6, 8].find((one) => one * power >= value) ?? 10
  return factor * power
}

function timeAxis({ fromMs, toMs }: Span): Html {
  const step = (toMs - fromMs) / (timesMax - 1)
  const marks = Array.from({ length: timesMax }, (_, index) => {
    return html`<span>${markText(fromMs + index * step, toMs - fromMs)}</span>`
  })
  return html`<div class="plot-times" aria-hidden="true">${marks}</div>`
}

/** A time as exactly as the whole span asks for, in UTC. */
function markText(atMs: number, spanMs: number): string {
  const text = formatTimestamp(Math.round(atMs))
  if (spanMs >= 4 * dayMs) return text.slice(0, 10)
  if (spanMs >= 10 * minuteMs) return `${text.slice(5, 10)} ${text.slice(11, 16)}`
  return text.slice(11, 19)
}

function tables(points: readonly GrowthPoint[], commits: readonly CommitPoint[]): Html {
  const when = {
    heading: 'Time',
    isRowHeading: true,
    cell: ({ atMs }: GrowthPoint) => time(formatTimestamp(atMs), 'second'),
  }
  const size = { heading: 'Entries', cell: ({ treeSize }: GrowthPoint) => formatNumber(treeSize) }
  const atOnce = { heading: 'At once', cell: ({ entries }: CommitPoint) => formatNumber(entries) }
  return html`<details class="fold"><summary>The same as tables</summary>
${table<GrowthPoint>('Entries in the log', [when, size], evenly(points))}
${table<CommitPoint>('Commits', [when, size, atOnce], evenly(commits))}</details>`
}

/** So many of a list as fit, from its first to its last. */
function evenly<T>(all: readonly T[]): readonly T[] {
  const step = (all.length - 1) / (rowsMax - 1)
  if (step <= 1) return all
  return Array.from({ length: rowsMax }, (_, index) => all[Math.round(index * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  )
}
