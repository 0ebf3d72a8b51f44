import { hashText } from '#src/pages/public/landing/work_parts.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import type { LandingContext } from '#src/pages/public/landing/landing_context.ts'
import type { LandingRecord, ReceiptReply } from '#src/use_cases/landing_record.ts'
import { card, facts, time } from '#src/pages/kit/parts.ts'
import { plural, formatNumber } from '#src/pages/kit/words.ts'

/** What the newest statement about a version says, each time under its own name. */
function statementWords(work: LandingRecord['work'], receipt: ReceiptReply): Html {
  const at = time(receipt.timestamp)
  switch (receipt.statement) {
    case 'registered':
      return html`It says that this version was registered on ${at} with exactly this metadata.`
    case 'content': {
      const isThere = work.status === 'registered'
      const registered = isThere ? html` on ${time(work.registered_at)}` : nothing
      return html`It says that this version was registered${registered} with exactly this metadata,
and that its content was confirmed on ${at}.`
    }
    case 'tombstoned':
      return html`It says that this work was withdrawn on ${at}, and by its hashes what it had
been.`
  }
}

/** What was signed about a version and where the log has it, and how anybody can check that. */
export function receiptPart(record: LandingRecord, context: LandingContext): Html {
  const { receipt } = record
  const { leaf_index, tree_size, merkle_root } = receipt.chain_proof
  return card(
    'The receipt',
    html`<p>${statementWords(record.work, receipt)} Signed as
<a href="${logPath(record)}/entries/${leaf_index}">entry
${formatNumber(leaf_index)}</a> in the <a href="${logPath(record)}">public log</a> of
${plural(tree_size, 'entry', 'entries')}.</p>
${checkSection(record)}
<details class="fold"><summary>What was signed</summary>
${facts([
  ['Receipt', html`<code>${receipt.receipt_id}</code>`],
  ['Metadata hash', hashText(receipt.metadata_hash)],
  ['Content hash', receipt.content_hash === null ? 'none yet' : hashText(receipt.content_hash)],
  ['Root of the log', hashText(merkle_root)],
  ['Signing key', hashText(receipt.signature.public_key)],
])}</details>
${offlineSection(record, context)}`,
  )
}

/** Where the log of a record has its pages. */
function logPath({ environment }: LandingRecord): string {
  return environment === 'sandbox' ? '/sandbox/log' : '/log'
}

/** The way of an address at the host that was asked: a page may ask no other. */
function pathOf(url: string | undefined): string {
  if (url === undefined) return ''
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The check that a browser makes. It is hidden until a script has started. */
function checkSection({ work, environment }: LandingRecord): Html {
  const metadata =
    work.status === 'registered' ? `${pathOf(work.links['resolve'])}/v${work.version}` : ''
  return html`<section class="receipt-check" data-receipt="${pathOf(work.links['receipt'])}"
data-metadata="${metadata}" data-keys="/.well-known/svc-keys.json"
data-environment="${environment}" hidden>
<h3>Check it in this browser</h3>
<p>Your browser fetches receipt, metadata and keys from this site, and does the arithmetic
itself.</p>
${work.status === 'withdrawn' ? '' : contentField}
<p><button class="button" type="button">Check the receipt</button></p>
<p class="verdict" role="status" hidden></p>
<ol class="check-steps"></ol>
<div class="path"></div>
<p class="hint">Keys that come from the same site prove only that everything here fits together. To
depend on nothing that this site says today, check offline, against keys that you saved before.</p>
</section>`
}

const contentField = html`<p class="field"><label for="content-copy">Your copy of the content
<span class="optional">(optional; it stays on your device)</span></label>
<input type="file" id="content-copy"></p>`

function offlineSection(
  { work, receipt, environment }: LandingRecord,
  context: LandingContext,
): Html {
  const { baseUrl } = context
  const { leaf_index, tree_size } = receipt.chain_proof
  const isSandbox = environment === 'sandbox'
  const log = isSandbox ? '/sandbox' : ''
  const isThere = work.status === 'registered'
  const { receipt: receiptUrl, proofs } = work.links
  const lines = [
    `curl -o keys.json ${baseUrl}/.well-known/svc-keys.json`,
    `curl -o receipt.json ${receiptUrl}`,
    ...(isThere ? [`curl -o work.json ${work.links['resolve']}/v${work.version}`] : []),
    `arklog verify receipt.json --keys keys.json${isSandbox ? ' --sandbox' : ''}` +
      (isThere ? ' --metadata work.json' : ''),
  ]
  const inclusion = `${log}/api/v1/log/inclusion?leaf_index=${leaf_index}&tree_size=${tree_size}`
  return html`<details class="fold"><summary>Check it offline</summary>
<p>The receipt is a file of its own that proves itself, even when this registry is gone.</p>
<pre class="command" tabindex="0"><code>${lines.join('\n')}</code></pre></details>
<ul class="tags">
<li><a href="${pathOf(receiptUrl)}" download="${receipt.receipt_id}.json">Receipt file</a></li>
<li><a href="${pathOf(proofs)}">All proofs</a></li>
<li><a href="${inclusion}">Inclusion proof</a></li>
<li><a href="${log}/log?q=${work.ark}">All entries of the work</a></li>
<li><a href="${log}/log/checkpoint">Newest checkpoint</a></li>
<li><a href="/.well-known/svc-keys.json">Published keys</a></li>
</ul>`
}
