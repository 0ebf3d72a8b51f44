import { receiptKeyId, type Statement } from '#actors/works/receipts/statement.ts'
import { encodeBase64, encodeHex } from '#log/tlog/encoding.ts'
import { formatEntriesPath, formatTilePath, tileWidth } from '#log/tlog/tile.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import {
  card,
  emptyState,
  type Fact,
  facts,
  pagination,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { checks, frame, landing, logPages, verify } from '#src/words/english.ts'
import { joined, number } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
import {
  checkPart,
  faultText,
  hashCode,
  logPage,
  rawText,
  shortHash,
  type ShownLog,
} from '#src/pages/public/log/log_site.ts'
import type {
  LoggedEntry,
  LoggedMapLeaf,
  LoggedStatement,
  LogFault,
  PathStep,
  ProvenEntry,
} from '#src/use_cases/public_log.ts'

/** What it is about: a version of a work, or a key. */
function statementSubject(statement: Statement): Html {
  if (statement.statement === 'key_rotated') {
    return html`${logPages.receiptKey({ id: ltrCode(statement.new_key_id) })}`
  }
  const { ark, version } = statement
  return html`<bdi dir="ltr"><a href="/${ark}/v${version}">${ark}</a> v${version}</bdi>`
}

function statementSentence(statement: Statement): Wording {
  if (statement.statement === 'key_rotated') return logPages.keyText
  const { ark, version } = statement
  const work = html`<a href="/${ark}" dir="ltr">${ark}</a>`
  switch (statement.statement) {
    case 'registered':
      return logPages.registeredText({ version, work })
    case 'content':
      return logPages.contentText({ version, work })
    case 'tombstoned':
      return logPages.withdrawnText({ work })
  }
}

/** The members of a statement; what a browser holds against the entry has its member's name. */
function statementFacts({ statement, signature }: LoggedStatement): Html {
  const key = html`${said('public_key', signature.public_key)} <span
class="hint">${logPages.keyId({ id: ltrCode(receiptKeyId(signature.public_key)) })}</span>`
  return facts([
    [logPages.statement, said('statement', statement.statement)],
    ...ownFacts(statement),
    [logPages.signedAt, said('timestamp', statement.timestamp)],
    [logPages.signedBy, key],
  ])
}

function mapFacts({ mapLeaf: { origin, covers, keys, rootHash } }: LoggedMapLeaf): Html {
  return facts([
    [frame.log, said('origin', origin)],
    [logPages.covered, html`<span data-member="covers">${covers}</span>`],
    [logPages.arks, html`<span data-member="keys">${keys}</span>`],
    [logPages.root, said('root', encodeBase64(rootHash))],
  ])
}

function ownFacts(statement: Statement): Fact[] {
  if (statement.statement === 'key_rotated') {
    const { old_key_id, new_key_id, new_public_key } = statement
    return [
      [logPages.oldKey, said('old_key_id', old_key_id)],
      [logPages.newKey, said('new_key_id', new_key_id)],
      [
        logPages.publicKey,
        new_public_key === undefined ? undefined : said('new_public_key', new_public_key),
      ],
    ]
  }
  return [
    [
      verify.work,
      html`<bdi dir="ltr"><a href="/${statement.ark}" data-member="ark">${statement.ark}</a></bdi>`,
    ],
    [logPages.version, html`<span data-member="version">${statement.version}</span>`],
    [
      logPages.reason,
      statement.statement === 'tombstoned' ? said('reason', statement.reason) : undefined,
    ],
    [
      logPages.withdrawnBy,
      'by' in statement && statement.by !== undefined ? said('by', statement.by) : undefined,
    ],
    [landing.receipt, said('receipt_id', statement.receipt_id)],
    [landing.metadataHash, said('metadata_hash', statement.metadata_hash)],
    [landing.contentHash, said('content_hash', statement.content_hash ?? 'none')],
    [
      logPages.madeAfter,
      statement.witnessed_checkpoint === undefined
        ? undefined
        : html`${said('witnessed_checkpoint', statement.witnessed_checkpoint)} <span
class="hint">${logPages.madeAfterHint}</span>`,
    ],
  ]
}

function said(member: string, text: string): Html {
  return html`<code class="hash" dir="ltr" data-member="${member}">${text}</code>`
}

function ltrCode(text: string): Html {
  return html`<code dir="ltr">${text}</code>`
}

/** Entries of a log, a line each. */
export function entryTable(
  caption: Text,
  entries: readonly LoggedEntry[],
  { prefix }: ShownLog,
): Html {
  const rows = table(caption, entries, [
    [
      logPages.entry,
      ({ leafIndex }) =>
        html`<a href="${prefix}/log/entries/${leafIndex}">${number(leafIndex)}</a>`,
    ],
    [logPages.says, (one) => ('mapLeaf' in one ? logPages.map : logPages[one.statement.statement])],
    [
      logPages.about,
      (one) =>
        'mapLeaf' in one
          ? logPages.allArks({ count: one.mapLeaf.keys })
          : statementSubject(one.statement),
    ],
    [
      logPages.signed,
      (one) => ('mapLeaf' in one ? undefined : time(one.statement.timestamp, 'second')),
    ],
  ])
  return html`<div class="log-table">${rows}</div>`
}

type EntryPage = {
  readonly entries: readonly LoggedEntry[]
  /** The leaf index that the first of them stands before. */
  readonly before: number
}

/** The entries of a log, a page of them. */
export function entriesPage({ entries, before }: EntryPage, log: ShownLog): PublicPage {
  const { treeSize } = log.environment.log.head()
  const oldest = entries.at(-1)?.leafIndex ?? 0
  const title = logPages.entries
  const list = {
    path: `${log.prefix}/log/entries`,
    parameter: 'before',
    next: oldest > 0 ? oldest : null,
    isFirst: before >= treeSize,
  }
  const caption = logPages.fromTo({ from: oldest, to: before - 1 })
  const body =
    entries.length === 0
      ? emptyState(logPages.noEntries, logPages.noEntriesText)
      : html`${entryTable(caption, entries, log)}
${pagination(list)}`
  return logPage({ title, heading: title, body }, log)
}

/** The entries that a text names, where it names several. */
export function foundPage(
  found: {
    readonly asked: string
    readonly what: string
    readonly entries: readonly LoggedEntry[]
  },
  log: ShownLog,
): PublicPage {
  const { asked, what, entries } = found
  const body = html`<p class="lead">${logPages.found({ what: ltrCode(what) })}</p>
${entryTable(logPages.oldestFirst, entries, log)}`
  const title = logPages.foundTitle
  return logPage({ title, heading: title, body, asked }, log)
}

/** That nothing was found, and why. */
export function notFoundPage(
  missing: {
    readonly asked: string
    readonly type: 'missing' | 'unknown'
    readonly fault: LogFault
  },
  log: ShownLog,
): PublicPage {
  const { asked, type, fault } = missing
  const heading = logPages[type]
  const elsewhere = log.prefix === '' ? '/sandbox' : ''
  const where = log.prefix === '' ? logPages.searchSandbox : logPages.searchLive
  const query = new URLSearchParams({ q: asked })
  const body = html`<p class="lead">${faultText(fault)}</p>
<p><a href="${elsewhere}/log?${query.toString()}">${where}</a></p>`
  return logPage(
    { title: heading, heading, body, asked, status: type === 'missing' ? 404 : 400 },
    log,
  )
}

/** The page of an entry: what it says, its bytes, and how they lead to what the log has signed. */
export function entryPage(logged: LoggedEntry, proven: ProvenEntry, log: ShownLog): PublicPage {
  const { leafIndex, entry } = logged
  const isMap = 'mapLeaf' in logged
  const title = logPages.entryNumber({ index: leafIndex })
  const text = Buffer.from(entry).toString('utf8')
  const sentence = isMap ? logPages.mapText : statementSentence(logged.statement)
  const body = html`<p class="lead">${sentence}</p>
${neighbours(leafIndex, log)}
<div class="log-columns"><div>
${card(
  logPages.says,
  html`${isMap ? mapFacts(logged) : statementFacts(logged)}<p
class="hint">${logPages.fromZero}</p>`,
)}
${checkPart(
  {
    check: 'entry',
    button: logPages.checkEntry,
    proven: logPages.provenEntry({ index: leafIndex, size: proven.treeSize }),
    leafIndex,
    text: logPages.entryText,
  },
  log,
)}
<div class="later">${card(
    logPages.bytes,
    html`<p>${logPages.bytesText({ count: entry.length, hash: hashCode(proven.leafHash) })}</p>
${rawText('entry', logPages.rawEntry, text)}
${rawLinks(leafIndex, log)}`,
  )}</div>
</div><div>
${card(checks.name_path, html`${pathFigure(proven)}${pathSteps(proven)}`)}
<div class="later">${card(
    checks.name_head,
    html`${rawText('checkpoint', logPages.rawCheckpoint, proven.checkpoint)}
<p class="hint">${logPages.checkpointHint}</p>`,
  )}</div>
</div></div>`
  return logPage({ title, heading: title, body }, log)
}

function neighbours(leafIndex: number, { prefix, environment }: ShownLog): Html {
  const last = environment.log.head().treeSize - 1
  const link = (index: number, rel: string) => {
    const name = logPages.entryNumber({ index })
    return html`<a href="${prefix}/log/entries/${index}" rel="${rel}">${name}</a>`
  }
  return html`<nav class="neighbours" aria-label="${logPages.entries}">
${leafIndex > 0 ? link(leafIndex - 1, 'prev') : nothing}
<a href="${prefix}/log/entries?before=${Math.min(leafIndex + 11, last + 1)}">${logPages.around}</a>
${leafIndex < last ? link(leafIndex + 1, 'next') : nothing}</nav>`
}

/** Where programs get the same. */
function rawLinks(leafIndex: number, { prefix, environment }: ShownLog): Html {
  const index = Math.floor(leafIndex / tileWidth)
  const { treeSize } = environment.log.head()
  const width = Math.min(tileWidth, treeSize - index * tileWidth)
  const base = `${prefix}/log`
  const bundle = formatEntriesPath({ index, width })
  const tile = formatTilePath({ level: 0, index, width })
  return html`<ul class="tags">
<li><a href="${base}/${bundle}" download>${logPages.bundle}</a></li>
<li><a href="${base}/${tile}" download>${logPages.tile}</a></li>
<li><a href="${prefix}/api/v1/log/inclusion?leaf_index=${leafIndex}">${logPages.proofJson}</a></li>
</ul>`
}

/** Distances in units of the drawing. */
const width = 460
const centre = width / 2
const reach = 88
const levelStep = 56
const margin = { top: 54, bottom: 58 }
const radius = 9

type Drawn = { readonly step: PathStep; readonly index: number; readonly at: number }

/**
 * A drawing of how an entry leads to the root: the hashes that are computed, one above the other,
 * and beside each the sibling that the proof brings. A browser marks what it has computed.
 */
function pathFigure({ leafIndex, leafHash, steps, treeSize }: ProvenEntry): Html {
  const height = margin.top + margin.bottom + steps.length * levelStep
  const bottom = height - margin.bottom
  const drawn = steps.map((step, index) => ({ step, index, at: bottom - index * levelStep }))
  const [entry, size] = [number(leafIndex), number(treeSize)]
  const count = number(steps.length)
  return html`<figure class="path">
<svg viewBox="0 0 ${width} ${height}" direction="ltr" role="img"
aria-labelledby="path-title path-desc">
<title id="path-title">${checks.drawing({ entry, size, count })}</title>
<desc id="path-desc">${logPages.pathDesc({ count: steps.length })}</desc>
${drawn.map(lines)}
${drawn.map(siblingNode)}
<circle class="path-leaf" cx="${centre}" cy="${bottom}" r="${radius}"/>
<text x="${centre}" y="${bottom + 30}" text-anchor="middle">${checks.drawnEntry({ entry })}</text>
<text class="path-hash" x="${centre}" y="${bottom + 50}"
text-anchor="middle">${shortHash(leafHash)}</text>
${drawn.map(parentNode)}
<text class="path-root" x="${centre}" y="22"
text-anchor="middle">${checks.drawnRoot({ size })}</text>
</svg>
<figcaption><span class="key key-path">${logPages.computed}</span>
<span class="key key-proof">${logPages.proofKey}</span></figcaption>
</figure>`
}

/** Where a sibling is drawn, and which way from there its words go. */
function placeOf({ side }: PathStep) {
  return side === 'left'
    ? { x: centre - reach, textX: centre - reach - 15, anchor: 'end' }
    : { x: centre + reach, textX: centre + reach + 15, anchor: 'start' }
}

function lines({ step, index, at }: Drawn): Html {
  const to = at - levelStep
  const { x } = placeOf(step)
  return html`<line class="path-proof" x1="${x}" y1="${at}" x2="${centre}" y2="${to}"/>
<line class="path-line" data-step="${index}" data-parent="${encodeHex(step.parent)}"
x1="${centre}" y1="${at}" x2="${centre}" y2="${to}"/>`
}

function siblingNode({ step, at }: Drawn): Html {
  const { x, textX, anchor } = placeOf(step)
  const hash = shortHash(step.sibling)
  return html`<circle class="path-sibling" cx="${x}" cy="${at}" r="${radius - 2}"/>
<text class="path-hash" x="${textX}" y="${at - 1}" text-anchor="${anchor}">${hash}</text>
<text class="path-range" x="${textX}" y="${at + 17}"
text-anchor="${anchor}">${sizeText(step)}</text>`
}

function parentNode({ step, index, at }: Drawn): Html {
  const y = at - levelStep
  return html`<g class="path-node" data-step="${index}" data-parent="${encodeHex(step.parent)}">
<circle cx="${centre}" cy="${y}" r="${radius}"/>
<path d="M${centre - 4.5} ${y} l3.2 3.6 l6 -7"/></g>`
}

function sizeText({ from, to }: PathStep): Text {
  const count = to - from
  return count === 1 ? checks.drawnEntry({ entry: number(from) }) : logPages.entryCount({ count })
}

function rangeText({ from, to }: PathStep): Text {
  return to - from === 1 ? number(from) : joined([number(from), number(to - 1)], '–')
}

/** The same path in words, with whole hashes: what a browser checks. */
function pathSteps({ leafIndex, leafHash, steps, rootHash }: ProvenEntry): Html {
  const items = steps.map((step, index) => {
    const beside = { count: step.to - step.from, range: rangeText(step) }
    const told = step.side === 'left' ? logPages.stepLeft(beside) : logPages.stepRight(beside)
    return html`<li data-step="${index}" data-parent="${encodeHex(step.parent)}">
<p>${told}</p>
<p><code class="hash" dir="ltr" data-hash>${encodeHex(step.sibling)}</code></p>
<p>${logPages.together({ hash: hashCode(step.parent) })}</p></li>`
  })
  const first = { index: leafIndex, hash: hashCode(leafHash) }
  return html`<details class="fold"><summary>${logPages.pathWords}</summary>
<p>${logPages.pathFirst(first)}</p>
<ol class="path-steps">${items}</ol>
<p>${logPages.pathLast({ hash: hashCode(rootHash) })}</p></details>`
}
