import { encodeHex } from '#log/tlog/encoding.ts'
import { checks, landing, logPages } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { asLink, card, emptyState, facts, pagination, table, time } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
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
  const title = logPages.checkpoints
  const list = { path: `${log.prefix}/log/checkpoints`, parameter: 'before', next, isFirst }
  const body =
    checkpoints.length === 0
      ? emptyState(logPages.noCheckpoints, logPages.noCheckpointsText)
      : html`<p class="lead">${logPages.checkpointsLead}</p>
${compareForm(log)}
${checkpointTable(checkpoints, log)}${pagination(list)}
<p class="aside"><a
href="${log.prefix}/api/v1/log/checkpoints?order=newest">${logPages.notesJson}</a></p>`
  return logPage({ title, heading: title, body }, log)
}

function checkpointTable(
  checkpoints: readonly ListedCheckpoint[],
  { prefix, environment }: ShownLog,
): Html {
  const { treeSize: newest } = environment.log.head()
  const unseen = (words: Wording) => html`<span class="unseen">${words}</span>`
  const link = (size: number) => {
    const words = logPages.compareNewest({ size, unseen })
    return html`<a href="${prefix}/log/compare?old=${size}&new=${newest}">${words}</a>`
  }
  const rows = table(logPages.checkpointsTable, checkpoints, [
    [logPages.entries, ({ treeSize }) => number(treeSize)],
    [logPages.added, ({ added }) => number(added)],
    [logPages.newestSigned, ({ signedAt }) => time(signedAt, 'second')],
    [logPages.root, ({ rootHash }) => html`<code dir="ltr">${shortHash(rootHash)}</code>`],
    [logPages.proof, ({ treeSize }) => (treeSize === newest ? logPages.newest : link(treeSize))],
  ])
  return html`<div class="log-table">${rows}</div>`
}

/** Asks which two checkpoints are to be compared. */
export function compareForm({ prefix }: ShownLog, older?: number, newer?: number): Html {
  return html`<form class="compare-form" action="${prefix}/log/compare">
${sizeField('old', logPages.olderSize, older)}
${sizeField('new', logPages.newerSize, newer)}
<button class="button" type="submit">${landing.compare}</button></form>`
}

function sizeField(name: string, label: Text, value: number | undefined): Html {
  return html`<p class="field"><label for="size-${name}">${label}</label>
<input id="size-${name}" name="${name}" inputmode="numeric" autocomplete="off" required
${value === undefined ? nothing : html`value="${value}"`}></p>`
}

type Sizes = { readonly from: number; readonly to: number }

type Compared = Extract<Comparison, { readonly type: 'compared' }>

/** Two checkpoints, and the proof that one continues the other; or why there is none. */
export function comparePage(comparison: Comparison, sizes: Sizes, log: ShownLog): PublicPage {
  const { from, to } = sizes
  const title = logPages.twoCheckpoints
  const form = compareForm(log, from, to)
  if (comparison.type === 'compared') {
    return logPage({ title, heading: title, body: html`${form}${compared(comparison, log)}` }, log)
  }
  if (comparison.type === 'refused') {
    const body = html`<p class="lead">${faultText(comparison.fault)}</p>${form}`
    return logPage({ title, heading: logPages.notComparable, body, status: 400 }, log)
  }
  const body = html`${unsigned(comparison, sizes, log)}${form}`
  return logPage({ title, heading: logPages.noCheckpoint, body, status: 404 }, log)
}

/** Asks what is to be compared. */
export function comparisonAskedPage(log: ShownLog): PublicPage {
  const { treeSize } = log.environment.log.head()
  const title = logPages.twoCheckpoints
  const link = asLink(`${log.prefix}/log/checkpoints`)
  const body = html`<p class="lead">${logPages.askSizes({ link })}</p>
${compareForm(log, undefined, treeSize)}`
  return logPage({ title, heading: title, body }, log)
}

function unsigned(
  { treeSize, nearby }: Extract<Comparison, { readonly type: 'unsigned' }>,
  { from, to }: Sizes,
  { prefix, environment }: ShownLog,
): Html {
  const { treeSize: newest } = environment.log.head()
  const why = treeSize > newest ? logPages.beyond({ newest }) : logPages.within({ size: treeSize })
  const items = nearby.map((size) => {
    const sizes = treeSize === from ? [size, Math.max(size, to)] : [Math.min(size, from), size]
    const query = `old=${sizes[0]}&new=${sizes[1]}`
    const name = logPages.entryCount({ count: size })
    return html`<li><a href="${prefix}/log/compare?${query}">${name}</a></li>`
  })
  return html`<p class="lead">${why} ${logPages.nearby}</p><ul class="tags">${items}</ul>`
}

function compared({ older, newer, proof }: Compared, log: ShownLog): Html {
  const hashes = proof.map(
    (hash) => html`<li><code class="hash" dir="ltr" data-hash>${encodeHex(hash)}</code></li>`,
  )
  const added = newer.treeSize - older.treeSize
  const sizes = `from=${older.treeSize}&to=${newer.treeSize}`
  const proofPath = `${log.prefix}/api/v1/log/consistency?${sizes}`
  return html`${prefixFigure(older, newer)}
${checkPart(
  {
    check: 'continuation',
    button: logPages.checkContinuation,
    proven: logPages.provenContinuation({ older: older.treeSize, newer: newer.treeSize }),
    text: logPages.continuationText,
    fields: ownCheckpoint,
  },
  log,
)}
<div class="compared">
${checkpointCard(checks.name_older, 'older', older)}
${checkpointCard(logPages.newer, 'newer', newer)}
</div>
${card(
  logPages.theProof,
  html`<p>${added === 0 ? logPages.sameSize : logPages.proofText}</p>
<ol class="proof-hashes">${hashes}</ol>
<p><a href="${proofPath}">${landing.sameJson}</a></p>`,
)}`
}

const ownCheckpoint = html`<details class="fold"><summary>${logPages.keptCheckpoint}</summary>
<p class="field"><label for="own-checkpoint">${logPages.ownCheckpoint}</label>
<span class="hint">${logPages.ownHint}</span>
<textarea id="own-checkpoint" dir="ltr" rows="5" spellcheck="false"></textarea></p></details>`

function checkpointCard(title: Text, id: string, shown: PastCheckpoint): Html {
  return card(
    title,
    html`${facts([
      [logPages.entries, number(shown.treeSize)],
      [logPages.newestSigned, time(shown.signedAt, 'second')],
      [logPages.rootHash, hashCode(shown.rootHash)],
    ])}
${rawText(id, title, shown.checkpoint)}`,
  )
}

const wide = 1_000

/** Two bars: what the older log has, and that the newer one begins with it. */
function prefixFigure(older: PastCheckpoint, newer: PastCheckpoint): Html {
  const share = Math.max(6, Math.round((wide * older.treeSize) / newer.treeSize))
  const added = newer.treeSize - older.treeSize
  return html`<figure class="prefix">
<svg viewBox="0 0 ${wide} 70" preserveAspectRatio="none" role="img" aria-labelledby="prefix-title">
<title id="prefix-title">${logPages.beginning}</title>
<rect class="prefix-same" x="0" y="0" width="${share}" height="28"/>
<rect class="prefix-same" x="0" y="40" width="${share}" height="28"/>
<rect class="prefix-added" x="${share}" y="40" width="${wide - share}" height="28"/>
</svg>
<figcaption>${logPages.inBoth({ same: older.treeSize, added })}</figcaption></figure>`
}
