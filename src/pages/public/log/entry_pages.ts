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
import { formatNumber, plural } from '#src/pages/kit/words.ts'
import {
  checkPart,
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
  PathStep,
  ProvenEntry,
} from '#src/use_cases/public_log.ts'

function statementName({ statement }: Statement): string {
  return {
    registered: 'Registered',
    content: 'Content confirmed',
    tombstoned: 'Withdrawn',
    key_rotated: 'Key replaced',
  }[statement]
}

/** What it is about: a version of a work, or a key. */
function statementSubject(statement: Statement): Html {
  if (statement.statement === 'key_rotated') {
    return html`receipt key <code>${statement.new_key_id}</code>`
  }
  const { ark, version } = statement
  return html`<a href="/${ark}/v${version}">${ark}</a> v${version}`
}

function statementSentence(statement: Statement): Html {
  switch (statement.statement) {
    case 'registered':
      return html`Version ${statement.version} of
<a href="/${statement.ark}">${statement.ark}</a> was registered with exactly this metadata.`
    case 'content':
      return html`The content of version ${statement.version} of
<a href="/${statement.ark}">${statement.ark}</a> was fetched, and it had exactly this hash.`
    case 'tombstoned':
      return html`The work <a href="/${statement.ark}">${statement.ark}</a> was withdrawn; by its
hashes, what it had been.`
    case 'key_rotated':
      return html`From here on, receipts are signed with another key. The old key signs this.`
  }
}

/** The members of a statement; what a browser holds against the entry has its member's name. */
function statementFacts({ statement, signature }: LoggedStatement): Html {
  const key = html`${said('public_key', signature.public_key)} <span class="hint">key
${receiptKeyId(signature.public_key)}</span>`
  return facts([
    ['Statement', said('statement', statement.statement)],
    ...ownFacts(statement),
    ['Signed at', said('timestamp', statement.timestamp)],
    ['Signed by', key],
  ])
}

function mapSubject({ mapLeaf: { keys } }: LoggedMapLeaf): Html {
  return html`all ${plural(keys, 'ARK')} until here`
}

const mapSentence = html`This is the map of the registry. Its root stands for what all earlier
entries say of every ARK, so that anybody can prove which version is the newest, that a work was
withdrawn, or that there is no such ARK.`

function mapFacts({ mapLeaf: { origin, covers, keys, rootHash } }: LoggedMapLeaf): Html {
  return facts([
    ['Log', said('origin', origin)],
    ['Covers', html`<span data-member="covers">${covers}</span> entries, all before this one`],
    ['ARKs', html`<span data-member="keys">${keys}</span>`],
    ['Root', said('root', encodeBase64(rootHash))],
  ])
}

function ownFacts(statement: Statement): Fact[] {
  if (statement.statement === 'key_rotated') {
    const { old_key_id, new_key_id, new_public_key } = statement
    return [
      ['Old key', said('old_key_id', old_key_id)],
      ['New key', said('new_key_id', new_key_id)],
      ['It is', new_public_key === undefined ? undefined : said('new_public_key', new_public_key)],
    ]
  }
  return [
    ['Work', html`<a href="/${statement.ark}" data-member="ark">${statement.ark}</a>`],
    ['Version', html`<span data-member="version">${statement.version}</span>`],
    ['Reason', statement.statement === 'tombstoned' ? said('reason', statement.reason) : undefined],
    [
      'By',
      'by' in statement && statement.by !== undefined
        ? html`the ${said('by', statement.by)} of this registry`
        : undefined,
    ],
    ['Receipt', said('receipt_id', statement.receipt_id)],
    ['Metadata hash', said('metadata_hash', statement.metadata_hash)],
    ['Content hash', said('content_hash', statement.content_hash ?? 'none')],
    [
      'Made after',
      statement.witnessed_checkpoint === undefined
        ? undefined
        : html`${said('witnessed_checkpoint', statement.witnessed_checkpoint)} <span class="hint"
>the newest checkpoint that the witnesses had signed, with their signatures</span>`,
    ],
  ]
}

function said(member: string, text: string): Html {
  return html`<code class="hash" data-member="${member}">${text}</code>`
}

/** Entries of a log, a line each. */
export function entryTable(
  caption: string,
  entries: readonly LoggedEntry[],
  { prefix }: ShownLog,
): Html {
  const rows = table(caption, entries, {
    Entry: ({ leafIndex }) =>
      html`<a href="${prefix}/log/entries/${leafIndex}">${formatNumber(leafIndex)}</a>`,
    'What it says': (one) => ('mapLeaf' in one ? 'Map' : statementName(one.statement)),
    Of: (one) => ('mapLeaf' in one ? mapSubject(one) : statementSubject(one.statement)),
    Signed: (one) => ('mapLeaf' in one ? undefined : time(one.statement.timestamp, 'second')),
  })
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
  const title = 'Entries'
  const list = {
    path: `${log.prefix}/log/entries`,
    parameter: 'before',
    next: oldest > 0 ? oldest : null,
    isFirst: before >= treeSize,
  }
  const caption = `${formatNumber(oldest)} to ${formatNumber(before - 1)}, newest first`
  const body =
    entries.length === 0
      ? emptyState('No entries yet', 'The first work that is registered makes the first entry.')
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
  const body = html`<p class="lead">What the log has of <code>${what}</code>, in its order.</p>
${entryTable('In the order of the log', entries, log)}`
  return logPage({ title: 'Entries found', heading: 'Entries found', body, asked }, log)
}

/** That nothing was found, and why. */
export function notFoundPage(
  missing: {
    readonly asked: string
    readonly type: 'missing' | 'unknown'
    readonly reason: string
  },
  log: ShownLog,
): PublicPage {
  const { asked, type, reason } = missing
  const heading = type === 'missing' ? 'There is no such entry' : 'That names no entry'
  const elsewhere = log.prefix === '' ? '/sandbox' : ''
  const where = log.prefix === '' ? 'the log of the sandbox' : 'the log of the registry'
  const query = new URLSearchParams({ q: asked })
  const body = html`<p class="lead">${reason}</p>
<p><a href="${elsewhere}/log?${query.toString()}">Look for it in ${where}</a></p>`
  return logPage(
    { title: heading, heading, body, asked, status: type === 'missing' ? 404 : 400 },
    log,
  )
}

/** The page of an entry: what it says, its bytes, and how they lead to what the log has signed. */
export function entryPage(logged: LoggedEntry, proven: ProvenEntry, log: ShownLog): PublicPage {
  const { leafIndex, entry } = logged
  const isMap = 'mapLeaf' in logged
  const title = `Entry ${formatNumber(leafIndex)}`
  const size = formatNumber(proven.treeSize)
  const bytes = formatNumber(entry.length)
  const text = Buffer.from(entry).toString('utf8')
  const sentence = isMap ? mapSentence : statementSentence(logged.statement)
  const body = html`<p class="lead">${sentence}</p>
${neighbours(leafIndex, log)}
<div class="log-columns"><div>
${card(
  'What it says',
  html`${isMap ? mapFacts(logged) : statementFacts(logged)}<p class="hint">Entries are counted from
zero: the first one is entry 0.</p>`,
)}
${checkPart(
  {
    check: 'entry',
    button: 'Check this entry',
    proven: `${title} says this, and is in the log of ${size} entries that its key has signed.`,
    leafIndex,
    text: html`<p>Your browser hashes the bytes below, climbs the path to the root, and holds that
against the signed checkpoint; it holds the words above against the bytes, too.</p>`,
  },
  log,
)}
<div class="later">${card(
    'Its bytes',
    html`<p>${bytes} bytes, which are hashed as they stand here. Their leaf hash,
SHA-256 of a zero byte and these: ${hashCode(proven.leafHash)}</p>
${rawText('entry', 'The bytes of the entry', text)}
${rawLinks(leafIndex, log)}`,
  )}</div>
</div><div>
${card('The path to the root', html`${pathFigure(proven)}${pathSteps(proven)}`)}
<div class="later">${card(
    'The checkpoint it leads to',
    html`${rawText('checkpoint', 'The signed checkpoint', proven.checkpoint)}
<p class="hint">The log’s name, how many entries it has, their root, and who signed these three
lines.</p>`,
  )}</div>
</div></div>`
  return logPage({ title, heading: title, body }, log)
}

function neighbours(leafIndex: number, { prefix, environment }: ShownLog): Html {
  const last = environment.log.head().treeSize - 1
  const link = (index: number, rel: string, text: string) =>
    html`<a href="${prefix}/log/entries/${index}" rel="${rel}">${text} ${formatNumber(index)}</a>`
  return html`<nav class="neighbours" aria-label="Entries">
${leafIndex > 0 ? link(leafIndex - 1, 'prev', 'Entry') : nothing}
<a href="${prefix}/log/entries?before=${Math.min(leafIndex + 11, last + 1)}">Entries around it</a>
${leafIndex < last ? link(leafIndex + 1, 'next', 'Entry') : nothing}</nav>`
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
<li><a href="${base}/${bundle}" download>Bundle with it</a></li>
<li><a href="${base}/${tile}" download>Tile with its hash</a></li>
<li><a href="${prefix}/api/v1/log/inclusion?leaf_index=${leafIndex}">Proof as JSON</a></li>
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
  const name = `entry ${formatNumber(leafIndex)}`
  const root = `root of ${formatNumber(treeSize)} entries`
  return html`<figure class="path">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="path-title path-desc">
<title id="path-title">The path of ${name} to the ${root}</title>
<desc id="path-desc">From the hash of the entry at the bottom, ${steps.length} steps lead to the
root at the top; each joins a hash of the proof, on the left or on the right. The same in words is
below.</desc>
${drawn.map(lines)}
${drawn.map(siblingNode)}
<circle class="path-leaf" cx="${centre}" cy="${bottom}" r="${radius}"/>
<text x="${centre}" y="${bottom + 30}" text-anchor="middle">${name}</text>
<text class="path-hash" x="${centre}" y="${bottom + 50}"
text-anchor="middle">${shortHash(leafHash)}</text>
${drawn.map(parentNode)}
<text class="path-root" x="${centre}" y="22" text-anchor="middle">${root}</text>
</svg>
<figcaption><span class="key key-path">computed from the entry</span>
<span class="key key-proof">the proof</span></figcaption>
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

function sizeText({ from, to }: PathStep): string {
  return to - from === 1 ? `entry ${formatNumber(from)}` : `${formatNumber(to - from)} entries`
}

function rangeText({ from, to }: PathStep): string {
  const first = formatNumber(from)
  return to - from === 1 ? first : `${first}–${formatNumber(to - 1)}`
}

/** The same path in words, with whole hashes: what a browser checks. */
function pathSteps({ leafIndex, leafHash, steps, treeSize, rootHash }: ProvenEntry): Html {
  const items = steps.map(
    (step, index) => html`<li data-step="${index}" data-parent="${encodeHex(step.parent)}">
<p>With the hash of ${step.to - step.from === 1 ? 'entry' : 'entries'} ${rangeText(step)} on its
${step.side},</p>
<p><code class="hash" data-hash>${encodeHex(step.sibling)}</code></p>
<p>it makes ${hashCode(step.parent)}</p></li>`,
  )
  return html`<details class="fold"><summary>The path in words, with whole hashes</summary>
<p>The hash of entry ${formatNumber(leafIndex)} is ${hashCode(leafHash)}</p>
<ol class="path-steps">${items}</ol>
<p>which is the root of the ${formatNumber(treeSize)} entries in the checkpoint:
${hashCode(rootHash)}</p></details>`
}
