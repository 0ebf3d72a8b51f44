import { encodeHex } from '#log/tlog/encoding.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { card, emptyState, facts, pagination, table, time } from '#src/pages/kit/parts.ts'
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
  CheckpointList,
  Comparison,
  ListedCheckpoint,
  PastCheckpoint,
} from '#src/use_cases/public_log.ts'

/** The history of checkpoints, a page of it, newest first. */
export function checkpointsPage(
  { checkpoints, next, isFirst }: CheckpointList & { readonly isFirst: boolean },
  log: ShownLog,
): PublicPage {
  const title = 'Checkpoints'
  const list = { path: `${log.prefix}/log/checkpoints`, parameter: 'before', next, isFirst }
  const body =
    checkpoints.length === 0
      ? emptyState('No checkpoints yet', 'The first entry makes the first checkpoint.')
      : html`<p class="lead">Each commit of the log was signed as one checkpoint. Each continues the
one before it, which can be proven of any two of them.</p>
${compareForm(log)}
${checkpointTable(checkpoints, log)}${pagination(list)}
<p class="aside"><a href="${log.prefix}/api/v1/log/checkpoints?order=newest">The signed notes, as
JSON</a></p>`
  return logPage({ title, heading: title, body }, log)
}

function checkpointTable(
  checkpoints: readonly ListedCheckpoint[],
  { prefix, environment }: ShownLog,
): Html {
  const { treeSize: newest } = environment.log.head()
  const rows = table('Newest first; each has the time of its newest entry', checkpoints, {
    Entries: ({ treeSize }) => formatNumber(treeSize),
    Added: ({ added }) => formatNumber(added),
    'Newest entry signed': ({ signedAt }) => time(signedAt, 'second'),
    Root: ({ rootHash }) => html`<code>${shortHash(rootHash)}</code>`,
    Proof: ({ treeSize }) =>
      treeSize === newest
        ? 'newest'
        : html`<a href="${prefix}/log/compare?old=${treeSize}&new=${newest}">Compare with the
newest<span class="unseen">: ${formatNumber(treeSize)} entries</span></a>`,
  })
  return html`<div class="log-table">${rows}</div>`
}

/** Asks which two checkpoints are to be compared. */
export function compareForm({ prefix }: ShownLog, older?: number, newer?: number): Html {
  return html`<form class="compare-form" action="${prefix}/log/compare">
${sizeField('old', 'Older, in entries', older)}
${sizeField('new', 'Newer, in entries', newer)}
<button class="button" type="submit">Compare</button></form>`
}

function sizeField(name: string, label: string, value: number | undefined): Html {
  return html`<p class="field"><label for="size-${name}">${label}</label>
<input id="size-${name}" name="${name}" inputmode="numeric" autocomplete="off" required
${value === undefined ? nothing : html`value="${value}"`}></p>`
}

type Sizes = { readonly from: number; readonly to: number }

type Compared = Extract<Comparison, { readonly type: 'compared' }>

/** Two checkpoints, and the proof that one continues the other; or why there is none. */
export function comparePage(comparison: Comparison, sizes: Sizes, log: ShownLog): PublicPage {
  const { from, to } = sizes
  const title = 'Two checkpoints'
  const form = compareForm(log, from, to)
  if (comparison.type === 'compared') {
    return logPage({ title, heading: title, body: html`${form}${compared(comparison, log)}` }, log)
  }
  if (comparison.type === 'refused') {
    const body = html`<p class="lead">${comparison.reason}</p>${form}`
    return logPage({ title, heading: 'These cannot be compared', body, status: 400 }, log)
  }
  const body = html`${unsigned(comparison, sizes, log)}${form}`
  return logPage({ title, heading: 'There is no such checkpoint', body, status: 404 }, log)
}

/** Asks what is to be compared. */
export function comparisonAskedPage(log: ShownLog): PublicPage {
  const { treeSize } = log.environment.log.head()
  const title = 'Two checkpoints'
  const body = html`<p class="lead">Say of how many entries they are. A list of what was signed is
under <a href="${log.prefix}/log/checkpoints">Checkpoints</a>.</p>
${compareForm(log, undefined, treeSize)}`
  return logPage({ title, heading: title, body }, log)
}

function unsigned(
  { treeSize, nearby }: Extract<Comparison, { readonly type: 'unsigned' }>,
  { from, to }: Sizes,
  { prefix, environment }: ShownLog,
): Html {
  const { treeSize: newest } = environment.log.head()
  const why =
    treeSize > newest
      ? `The log has ${plural(newest, 'entry', 'entries')} and signed nothing beyond.`
      : `The log never signed a tree of just ${formatNumber(treeSize)}: that fell within a commit.`
  const items = nearby.map((size) => {
    const sizes = treeSize === from ? [size, Math.max(size, to)] : [Math.min(size, from), size]
    const query = `old=${sizes[0]}&new=${sizes[1]}`
    return html`<li><a href="${prefix}/log/compare?${query}">${formatNumber(size)} entries</a></li>`
  })
  return html`<p class="lead">${why} Signed nearby:</p><ul class="tags">${items}</ul>`
}

function compared({ older, newer, proof }: Compared, log: ShownLog): Html {
  const hashes = proof.map(
    (hash) => html`<li><code class="hash" data-hash>${encodeHex(hash)}</code></li>`,
  )
  const added = newer.treeSize - older.treeSize
  const same = formatNumber(older.treeSize)
  return html`${prefixFigure(older, newer)}
${checkPart(
  {
    check: 'continuation',
    button: 'Check that one continues the other',
    proven: `The log of ${formatNumber(newer.treeSize)} entries begins with the same ${same}.`,
    text: html`<p>Your browser holds both signatures against the key of the log, and rebuilds both
roots from the ${plural(proof.length, 'hash', 'hashes')} of the proof. That can only succeed if the
older entries are all in the newer log, in their places and unchanged.</p>`,
    fields: ownCheckpoint,
  },
  log,
)}
<div class="compared">
${checkpointCard('The older', 'older', older)}
${checkpointCard('The newer', 'newer', newer)}
</div>
${card(
  'The proof',
  html`<p>${
    added === 0
      ? 'Both are of one size, so nothing needs to be proven but that their roots are the same.'
      : 'Hashes of parts of the newer tree (RFC 9162 §2.1.4), in their order.'
  }</p>
<ol class="proof-hashes">${hashes}</ol>
<p><a href="${log.prefix}/api/v1/log/consistency?from=${older.treeSize}&to=${newer.treeSize}">The
same as JSON</a></p>`,
)}`
}

const ownCheckpoint = html`<details class="fold"><summary>With a checkpoint that you have
kept</summary>
<p class="field"><label for="own-checkpoint">A signed checkpoint, in place of the older one</label>
<span class="hint">Your browser asks this site for the proof that leads from it to the newer one. If
the log has shown you another history, there is none.</span>
<textarea id="own-checkpoint" rows="5" spellcheck="false"></textarea></p></details>`

function checkpointCard(title: string, id: string, shown: PastCheckpoint): Html {
  return card(
    title,
    html`${facts([
      ['Entries', formatNumber(shown.treeSize)],
      ['Newest of them', time(shown.signedAt, 'second')],
      ['Root hash', hashCode(shown.rootHash)],
    ])}
${rawText(id, `${title} signed checkpoint`, shown.checkpoint)}`,
  )
}

const wide = 1_000

/** Two bars: what the older log has, and that the newer one begins with it. */
function prefixFigure(older: PastCheckpoint, newer: PastCheckpoint): Html {
  const share = Math.max(6, Math.round((wide * older.treeSize) / newer.treeSize))
  const added = newer.treeSize - older.treeSize
  const after = added === 0 ? 'none came after them' : `${formatNumber(added)} came after them`
  return html`<figure class="prefix">
<svg viewBox="0 0 ${wide} 70" preserveAspectRatio="none" role="img" aria-labelledby="prefix-title">
<title id="prefix-title">The older log is the beginning of the newer one.</title>
<rect class="prefix-same" x="0" y="0" width="${share}" height="28"/>
<rect class="prefix-same" x="0" y="40" width="${share}" height="28"/>
<rect class="prefix-added" x="${share}" y="40" width="${wide - share}" height="28"/>
</svg>
<figcaption>${formatNumber(older.treeSize)} entries are in both; ${after}.</figcaption></figure>`
}
