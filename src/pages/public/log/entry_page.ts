import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { LoggedStatement, ProvenEntry } from '#src/use_cases/public_log.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import {
  checkPart,
  hashCode,
  logPage,
  rawText,
  type ShownLog,
} from '#src/pages/public/log/log_site.ts'
import { pathFigure, pathSteps } from '#src/pages/public/log/path_figure.ts'
import { statementFacts, statementSentence } from '#src/pages/public/log/statement_words.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { card } from '#src/pages/kit/parts.ts'
import { formatEntriesPath, formatTilePath, tileWidth } from '#log/tlog/tile.ts'

/** The page of an entry: what it says, its bytes, and how they lead to what the log has signed. */
export function entryPage(
  statement: LoggedStatement,
  proven: ProvenEntry,
  log: ShownLog,
): PublicPage {
  const { leafIndex, entry } = statement
  const title = `Entry ${formatNumber(leafIndex)}`
  const size = formatNumber(proven.treeSize)
  const bytes = formatNumber(entry.length)
  const text = Buffer.from(entry).toString('utf8')
  const body = html`<p class="lead">${statementSentence(statement.statement)}</p>
${neighbours(leafIndex, log)}
<div class="log-columns"><div>
${card(
  'What it says',
  html`${statementFacts(statement)}<p class="hint">Entries are counted from
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
