import { formatTimestamp } from '#actors/values/clock.ts'
import { rounded } from '#src/pages/kit/drawing.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { card, type Fact, facts, table, time } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { formatNumber, plural } from '#src/pages/kit/words.ts'
import { entryTable } from '#src/pages/public/log/entry_pages.ts'
import {
  checkPart,
  hashCode,
  logPage,
  rawText,
  type ShownLog,
} from '#src/pages/public/log/log_site.ts'
import { compareForm } from '#src/pages/public/log/tree_pages.ts'
import type {
  CommitPoint,
  GrowthPoint,
  LoggedEntry,
  LogGrowth,
  LogWitnesses,
} from '#src/use_cases/public_log.ts'

type LogOverview = {
  /** Newest first. */
  readonly newest: readonly LoggedEntry[]
  readonly witnesses: LogWitnesses
  readonly growth: LogGrowth
}

/** The first page of a log: its head, its witnesses, and what came last. */
export function overviewPage(overview: LogOverview, log: ShownLog): PublicPage {
  const { newest, witnesses, growth } = overview
  const size = plural(log.environment.log.head().treeSize, 'entry', 'entries')
  const body = html`<p class="lead">Every statement that this registry has signed, in order. None
can be changed or taken out unseen: each is hashed into the one root that the log signs, and your
browser can check that.</p>
${figures(overview, log)}
${growthFigure(growth)}
<div class="log-columns"><div>
${headPart(log)}
${comparePart(log)}
</div><div>
${checkPart(
  {
    check: 'head',
    button: 'Check the checkpoint',
    proven: `The log has signed this root of ${size}: to sign another of so many would convict it.`,
    text: html`<p>Your browser holds the signatures of the checkpoint on this page against the
published keys. It keeps the checkpoint, and on your next visit it checks that the log continues it,
too.</p>
<p class="kept" hidden><button class="button button-quiet" type="button">Forget the kept
checkpoint</button></p>`,
  },
  log,
)}
${witnessPart(witnesses)}
</div></div>
${newestPart(newest, log)}
${rawPart(log)}`
  return logPage({ title: 'The log', heading: 'The log', body }, log)
}

function figures({ newest, witnesses }: LogOverview, { environment }: ShownLog): Html {
  const { witnessed } = witnesses
  const statement = newest.find((one) => 'statement' in one)
  const rows: Fact[] = [
    ['entries', formatNumber(environment.log.head().treeSize)],
    ['newest entry signed', statement && time(statement.statement.timestamp, 'second')],
    ['entries that witnesses have seen', witnessed && formatNumber(witnessed.tree_size)],
  ]
  return facts(rows, 'figures')
}

function headPart({ prefix, environment }: ShownLog): Html {
  const { log, origin, vkey } = environment
  const { treeSize, rootHash } = log.head()
  const { checkpoint } = log.newestCheckpoint()
  return card(
    'Its head',
    html`${facts([
      ['Origin', html`<code>${origin}</code>`],
      ['Entries', formatNumber(treeSize)],
      ['Root hash', hashCode(rootHash)],
      ['Verifier key', html`<code class="hash">${vkey}</code>`],
    ])}
<h3>The checkpoint, as it is signed</h3>
${rawText('checkpoint', 'The signed checkpoint', checkpoint)}
<p><a href="${prefix}/log/checkpoint">The same for programs</a></p>`,
  )
}

function comparePart(log: ShownLog): Html {
  const { treeSize } = log.environment.log.head()
  return card(
    'What it was before',
    html`<p>Of any two of its checkpoints a proof shows that the newer log begins with all of the
older one.</p>
${compareForm(log, undefined, treeSize)}
<p><a href="${log.prefix}/log/checkpoints">All checkpoints</a></p>`,
  )
}

function newestPart(newest: readonly LoggedEntry[], log: ShownLog): Html {
  if (newest.length === 0) {
    return html`<section class="empty"><h2>No entries yet</h2>
<p>The first work that is registered makes the first entry.</p></section>`
  }
  return html`<section aria-labelledby="newest"><h2 id="newest">Newest entries</h2>
${entryTable('Newest first', newest, log)}
<p><a href="${log.prefix}/log/entries">All entries</a></p></section>`
}

function witnessPart({ quorum, witnesses, tree_size: size }: LogWitnesses): Html {
  if (witnesses.length === 0) {
    return card(
      'Witnesses',
      html`<p>Nobody else signs the checkpoints of this log. Keep one yourself: with it you can
prove later that the log has only grown.</p>`,
    )
  }
  const items = witnesses.map(
    ({ name, vkey, tree_size: seen, signed_at: at }) => html`<li><h3>${name}</h3>
<p>${
      seen === null || at === null
        ? 'It has not signed yet.'
        : html`Signed ${plural(seen, 'entry', 'entries')}${lag(size - seen)} at
${time(at, 'second')}`
    }</p>
<p><code class="hash">${vkey}</code></p></li>`,
  )
  return card(
    'Witnesses',
    html`<p>Others who sign a checkpoint only if it continues the last one that they signed. It
counts as witnessed with ${quorum}.</p>
<ul class="witnesses">${items}</ul>`,
  )
}

function lag(entries: number): string {
  return entries === 0 ? '' : `, ${formatNumber(entries)} behind`
}

function rawPart({ prefix }: ShownLog): Html {
  const links = [
    [`${prefix}/log/checkpoint`, 'Newest checkpoint'],
    [`${prefix}/log/vkey`, 'Verifier key'],
    [`${prefix}/api/v1/log/checkpoints?order=newest`, 'Checkpoints as JSON'],
    [`${prefix}/api/v1/log/witnesses`, 'Witnesses as JSON'],
    ['/.well-known/svc-keys.json', 'All keys'],
    ['/how-it-works#monitors', 'Run a monitor'],
  ]
  const items = links.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)
  return html`<section aria-labelledby="raw"><h2 id="raw">For programs</h2>
<p>The whole log is open: entries and hashes as tiles (C2SP tlog-tiles) below
<code>${prefix}/log/</code>, and proofs as JSON.</p>
<ul class="tags">${items}</ul></section>`
}

const wide = 1_000
const growthHigh = 240
const commitsHigh = 80

const timesMax = 4
const rowsMax = 12

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

type Span = { readonly fromMs: number; readonly toMs: number }

/** How a log has grown, and how much came at once; nothing where there is nothing to draw. */
function growthFigure({ points, commits }: LogGrowth): Html {
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
  const size = {
    Time: ({ atMs }: GrowthPoint) => time(formatTimestamp(atMs), 'second'),
    Entries: ({ treeSize }: GrowthPoint) => formatNumber(treeSize),
  }
  const atOnce = { ...size, 'At once': ({ entries }: CommitPoint) => formatNumber(entries) }
  return html`<details class="fold"><summary>The same as tables</summary>
${table('Entries in the log', evenly(points), size)}
${table('Commits', evenly(commits), atOnce)}</details>`
}

/** So many of a list as fit, from its first to its last. */
function evenly<T>(all: readonly T[]): readonly T[] {
  const step = (all.length - 1) / (rowsMax - 1)
  if (step <= 1) return all
  return Array.from({ length: rowsMax }, (_, index) => all[Math.round(index * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  )
}
