import { formatTimestamp } from '#actors/values/clock.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { rounded } from '#src/pages/kit/drawing.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { card, type Fact, facts, table, time } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { entryTable } from '#src/pages/public/log/entry_pages.ts'
import {
  checkPart,
  hashCode,
  logPage,
  quorumText,
  rawText,
  type ShownLog,
} from '#src/pages/public/log/log_site.ts'
import { compareForm } from '#src/pages/public/log/tree_pages.ts'
import { home, landing, logPages } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
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
  const { treeSize: size } = log.environment.log.head()
  const body = html`<p class="lead">${logPages.lead}</p>
${figures(overview, log)}
${growthFigure(growth)}
<div class="log-columns"><div>
${headPart(log)}
${comparePart(log)}
</div><div>
${checkPart(
  {
    check: 'head',
    button: logPages.checkHead,
    proven: logPages.provenHead({ size }),
    text: logPages.headText,
    fields: html`<p class="kept" hidden><button class="button button-quiet"
type="button">${logPages.forget}</button></p>`,
  },
  log,
)}
${witnessPart(witnesses)}
</div></div>
${newestPart(newest, log)}
${rawPart(log)}`
  return logPage({ title: logPages.title, heading: logPages.title, body }, log)
}

function figures({ newest, witnesses }: LogOverview, { environment }: ShownLog): Html {
  const { witnessed } = witnesses
  const statement = newest.find((one) => 'statement' in one)
  const rows: Fact[] = [
    [logPages.figureEntries, number(environment.log.head().treeSize)],
    [logPages.figureNewest, statement && time(statement.statement.timestamp, 'second')],
    [logPages.figureSeen, witnessed && number(witnessed.tree_size)],
  ]
  return facts(rows, 'figures')
}

function headPart({ prefix, environment }: ShownLog): Html {
  const { log, origin, vkey } = environment
  const { treeSize, rootHash } = log.head()
  const { checkpoint } = log.newestCheckpoint()
  return card(
    logPages.head,
    html`${facts([
      [logPages.origin, html`<code dir="ltr">${origin}</code>`],
      [logPages.entries, number(treeSize)],
      [logPages.rootHash, hashCode(rootHash)],
      [logPages.vkeyName, html`<code class="hash" dir="ltr">${vkey}</code>`],
    ])}
<h3>${logPages.asSigned}</h3>
${rawText('checkpoint', logPages.rawCheckpoint, checkpoint)}
<p><a href="${prefix}/log/checkpoint">${logPages.samePlain}</a></p>`,
  )
}

function comparePart(log: ShownLog): Html {
  const { treeSize } = log.environment.log.head()
  return card(
    logPages.before,
    html`<p>${logPages.beforeText}</p>
${compareForm(log, undefined, treeSize)}
<p><a href="${log.prefix}/log/checkpoints">${logPages.allCheckpoints}</a></p>`,
  )
}

function newestPart(newest: readonly LoggedEntry[], log: ShownLog): Html {
  if (newest.length === 0) {
    return html`<section class="empty"><h2>${logPages.noEntries}</h2>
<p>${logPages.noEntriesText}</p></section>`
  }
  return html`<section aria-labelledby="newest"><h2 id="newest">${logPages.newestEntries}</h2>
${entryTable(logPages.newestFirst, newest, log)}
<p><a href="${log.prefix}/log/entries">${logPages.allEntries}</a></p></section>`
}

function witnessPart({ policy, witnesses, tree_size: size }: LogWitnesses): Html {
  const quorum = policy === null ? undefined : parsePolicy(policy).quorum
  if (witnesses.length === 0) {
    return card(logPages.witnesses, html`<p>${logPages.noWitnesses}</p>`)
  }
  const asked =
    quorum === undefined
      ? nothing
      : html`<p>${logPages.witnessesText({ quorum: quorumText(quorum) })}</p>`
  const items = witnesses.map(
    ({ name, vkey, tree_size: seen, signed_at: at }) => html`<li><h3><bdi>${name}</bdi></h3>
<p>${seen === null || at === null ? logPages.notSigned : signedText(seen, at, size - seen)}</p>
<p><code class="hash" dir="ltr">${vkey}</code></p></li>`,
  )
  return card(
    logPages.witnesses,
    html`${asked}
<ul class="witnesses">${items}</ul>`,
  )
}

function signedText(size: number, at: string, behind: number): Wording {
  const signed = { size, time: time(at, 'second') }
  return behind === 0
    ? logPages.witnessSigned(signed)
    : logPages.witnessBehind({ ...signed, behind })
}

function rawPart({ prefix }: ShownLog): Html {
  const links = [
    [`${prefix}/log/checkpoint`, landing.newestCheckpoint],
    [`${prefix}/log/vkey`, logPages.vkeyName],
    [`${prefix}/api/v1/log/checkpoints?order=newest`, logPages.checkpointsJson],
    [`${prefix}/api/v1/log/witnesses`, logPages.witnessesJson],
    ['/.well-known/svc-keys.json', logPages.allKeys],
    ['/how-it-works#monitors', home.monitor],
  ] as const
  const items = links.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)
  return html`<section aria-labelledby="raw"><h2 id="raw">${landing.forPrograms}</h2>
<p>${logPages.rawText({ path: html`<code dir="ltr">${prefix}/log/</code>` })}</p>
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
  return html`<section class="growth" aria-labelledby="growth">
<h2 id="growth">${logPages.growth}</h2>
<div class="card">
${plot({
  id: 'entries',
  name: logPages.plotEntries,
  words: logPages.entriesDesc({ from: first.treeSize, to: last.treeSize }),
  max: niceMax(last.treeSize),
  high: growthHigh,
  drawing: (max) => growthLine(points, span, max),
})}
${plot({
  id: 'commits',
  name: logPages.plotCommits,
  words: logPages.commitsDesc({ count: commits.length }),
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
  readonly name: Text
  readonly words: Text
  readonly max: number
  readonly high: number
  readonly drawing: (max: number) => Html
}

/** One drawing, with the axis at its left. Words stand beside it, so that they keep their size. */
function plot({ id, name, words, max, high, drawing }: Plot): Html {
  const half = max / 2
  return html`<figure class="plot plot-${id}"><figcaption>${name}</figcaption>
<div class="plot-marks" aria-hidden="true"><span>${number(max)}</span>
${Number.isInteger(half) ? html`<span>${number(half)}</span>` : nothing}<span>0</span></div>
<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" role="img"
aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${logPages.overTime({ name })}</title>
<desc id="${id}-desc">${words}</desc>
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
  return html`<div class="plot-times" dir="ltr" aria-hidden="true">${marks}</div>`
}

/** A time as exactly as the whole span asks for, in UTC. */
function markText(atMs: number, spanMs: number): string {
  const text = formatTimestamp(Math.round(atMs))
  if (spanMs >= 4 * dayMs) return text.slice(0, 10)
  if (spanMs >= 10 * minuteMs) return `${text.slice(5, 10)} ${text.slice(11, 16)}`
  return text.slice(11, 19)
}

function tables(points: readonly GrowthPoint[], commits: readonly CommitPoint[]): Html {
  const at = ({ atMs }: GrowthPoint) => time(formatTimestamp(atMs), 'second')
  const size = ({ treeSize }: GrowthPoint) => number(treeSize)
  const entries = table(logPages.plotEntries, evenly(points), [
    [logPages.time, at],
    [logPages.entries, size],
  ])
  const atOnce = table(logPages.commits, evenly(commits), [
    [logPages.time, at],
    [logPages.entries, size],
    [logPages.inCommit, (commit) => number(commit.entries)],
  ])
  return html`<details class="fold"><summary>${logPages.asTables}</summary>
${entries}
${atOnce}</details>`
}

/** So many of a list as fit, from its first to its last. */
function evenly<T>(all: readonly T[]): readonly T[] {
  const step = (all.length - 1) / (rowsMax - 1)
  if (step <= 1) return all
  return Array.from({ length: rowsMax }, (_, index) => all[Math.round(index * step)]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  )
}
