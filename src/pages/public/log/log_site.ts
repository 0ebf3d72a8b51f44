import { html, type Html, type HtmlContent, joinHtml, nothing } from '#src/pages/kit/html.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import type { QuorumPart } from '#log/tlog/policy.ts'
import { landingStyle, logScript, logStyle, publicStyle } from '#src/pages/kit/assets.ts'
import { asLink } from '#src/pages/kit/parts.ts'
import { frame, landing, logPages } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import type { Text, Wording } from '#src/words/wording.ts'
import type { LogFault } from '#src/use_cases/public_log.ts'

/** A log as its pages show it; `prefix` stands before their paths. */
export type ShownLog = {
  readonly prefix: '' | '/sandbox'
  readonly environment: ServedEnvironment
}

/** A page of a log, in the frame that they share. */
export type LogPage = Pick<PublicPage, 'title' | 'status'> & {
  readonly heading: Text
  readonly body: Html
  /** What the search box has in it. */
  readonly asked?: string
}

/** The whole page: where one is, what one looks for, and what there is. */
export function logPage(
  { title, heading, body, asked, status }: LogPage,
  log: ShownLog,
): PublicPage {
  const isSandbox = log.prefix !== ''
  return {
    title: isSandbox ? frame.inSandbox({ title }) : title,
    wide: true,
    current: '/log',
    styles: [publicStyle, landingStyle, logStyle],
    scripts: [logScript],
    ...(status !== undefined && { status }),
    body: html`<div class="log-head"><div>
<p class="eyebrow"><a href="${log.prefix}/log">${logPages.title}</a> ·
<code dir="ltr">${log.environment.origin}</code></p>
<h1>${heading}</h1></div>
${searchForm(log, asked)}</div>
${isSandbox ? sandboxNote : nothing}
${body}`,
  }
}

const sandboxNote = html`<div class="flash flash-info"><p>${logPages.sandboxNote({
  link: asLink('/log'),
})}</p></div>
`

function searchForm({ prefix }: ShownLog, asked = ''): Html {
  return html`<form class="log-search" role="search" action="${prefix}/log">
<label for="log-q">${logPages.findEntry}</label>
<div class="search-box"><input type="search" id="log-q" name="q" value="${asked}" maxlength="300"
autocomplete="off" spellcheck="false" placeholder="${logPages.findExample}">
<button class="button" type="submit">${logPages.find}</button></div></form>`
}

/** A check that a browser makes of what the page shows. It is hidden until a script has started. */
export type LogCheck = {
  readonly check: 'head' | 'entry' | 'continuation'
  readonly button: Text
  /** What the reader knows once all of it is right. */
  readonly proven: Text
  readonly text: HtmlContent
  readonly leafIndex?: number
  /** Fields besides that of the key. */
  readonly fields?: Html
}

/** The part of a page with its check. */
export function checkPart(check: LogCheck, { prefix, environment }: ShownLog): Html {
  return html`<section class="card log-check" data-check="${check.check}"
data-leaf-index="${check.leafIndex}" data-keys="/.well-known/svc-keys.json"
data-environment="${environment.name}" data-consistency="${prefix}/api/v1/log/consistency" hidden>
<h2>${landing.checkHere}</h2>
<p>${check.text}</p>
${check.fields}
<details class="fold"><summary>${logPages.keptKey}</summary>
<p class="field"><label for="own-key">${logPages.vkey}</label>
<span class="hint">${logPages.keyHint}</span>
<input id="own-key" dir="ltr" autocomplete="off" spellcheck="false"
placeholder="${environment.origin}+…"></p></details>
<p><button class="button check" type="button">${check.button}</button></p>
<p class="verdict" role="status" data-proven="${check.proven}" hidden></p>
<ol class="check-steps" aria-live="polite"></ol>
</section>
<p class="aside without-check">${logPages.withoutScripts({
    link: asLink('/how-it-works#by-hand'),
  })}</p>`
}

/** A text as it is signed or logged, byte for byte; the check reads it from here. */
export function rawText(id: string, label: Text, text: string): Html {
  return html`<pre class="code raw" dir="ltr" role="group" aria-label="${label}" tabindex="0"><code
id="${id}">${text}</code></pre>`
}

/** A hash in hex, to be copied whole. */
export function hashCode(hash: Uint8Array): Html {
  return html`<code class="hash" dir="ltr">${encodeHex(hash)}</code>`
}

/** The beginning of a hash, where there is no room for all of it. */
export function shortHash(hash: Uint8Array): string {
  return `${encodeHex(hash).slice(0, 8)}…`
}

/** Who must sign for a checkpoint to count as witnessed: `one`, or `2 of (one, two)`. */
export function quorumText(part: QuorumPart): Wording {
  if (part.type === 'witness') return html`<bdi>${part.name}</bdi>`
  const members = joinHtml(part.members.map(quorumText), ', ')
  return logPages.quorumOf({ count: part.threshold, members })
}

/** Why nothing was found or compared, in a sentence. */
export function faultText(fault: LogFault): Text {
  switch (fault.code) {
    case 'tooLong':
      return logPages.tooLong({ forms: logPages.forms })
    case 'notName':
      return logPages.notName({ text: fault.text, forms: logPages.forms })
    case 'notNumber':
      return logPages.notNumber({ text: fault.text })
    case 'notReceipt':
      return logPages.notReceipt({ text: fault.text, example: 'rcpt_2026_01_31_k2m4p6q8s0t2' })
    case 'notArk':
      return logPages.notArk({ text: fault.text, reason: inEnglish(fault.reason) })
    case 'noHash':
      return logPages.noHash({ hash: fault.hash })
    case 'noEntry': {
      const { index, treeSize } = fault
      return treeSize === 0
        ? logPages.emptyLog({ index })
        : logPages.noEntry({ index, last: treeSize - 1 })
    }
    case 'noReceipt':
      return logPages.noReceipt({ id: fault.id })
    case 'noWork':
      return logPages.noWork({ ark: fault.ark })
    case 'noVersion':
      return logPages.noVersion(fault)
    case 'olderFirst':
      return logPages.olderFirst(fault)
    case 'emptyOlder':
      return logPages.emptyOlder
  }
}
