import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { landingStyle, logScript, logStyle, publicStyle } from '#src/pages/kit/assets.ts'
import { frame } from '#src/words/english.ts'

/** A log as its pages show it; `prefix` stands before their paths. */
export type ShownLog = {
  readonly prefix: '' | '/sandbox'
  readonly environment: ServedEnvironment
}

/** A page of a log, in the frame that they share. */
export type LogPage = Pick<PublicPage, 'title' | 'status'> & {
  readonly heading: string
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
<p class="eyebrow"><a href="${log.prefix}/log">The log</a> ·
<code>${log.environment.origin}</code></p>
<h1>${heading}</h1></div>
${searchForm(log, asked)}</div>
${isSandbox ? sandboxNote : nothing}
${body}`,
  }
}

const sandboxNote = html`<div class="flash flash-info"><p>This is the log of the
sandbox: what is in it was registered to try things out.
<a href="/log">The log of the registry</a></p></div>
`

function searchForm({ prefix }: ShownLog, asked = ''): Html {
  return html`<form class="log-search" role="search" action="${prefix}/log">
<label for="log-q">Find an entry</label>
<div class="search-box"><input type="search" id="log-q" name="q" value="${asked}" maxlength="300"
autocomplete="off" spellcheck="false" placeholder="Index, hash, receipt or ARK">
<button class="button" type="submit">Find</button></div></form>`
}

/** A check that a browser makes of what the page shows. It is hidden until a script has started. */
export type LogCheck = {
  readonly check: 'head' | 'entry' | 'continuation'
  readonly button: string
  /** What the reader knows once all of it is right. */
  readonly proven: string
  readonly text: Html
  readonly leafIndex?: number
  /** Fields besides that of the key. */
  readonly fields?: Html
}

/** The part of a page with its check. */
export function checkPart(check: LogCheck, { prefix, environment }: ShownLog): Html {
  return html`<section class="card log-check" data-check="${check.check}"
data-leaf-index="${check.leafIndex}" data-keys="/.well-known/svc-keys.json"
data-environment="${environment.name}" data-consistency="${prefix}/api/v1/log/consistency" hidden>
<h2>Check it in this browser</h2>
${check.text}
${check.fields}
<details class="fold"><summary>With a key that you have kept</summary>
<p class="field"><label for="own-key">Verifier key of the log</label>
<span class="hint">Without one, the key is that which this site publishes now: that proves only that
everything here fits together.</span>
<input id="own-key" autocomplete="off" spellcheck="false"
placeholder="${environment.origin}+…"></p></details>
<p><button class="button check" type="button">${check.button}</button></p>
<p class="verdict" role="status" data-proven="${check.proven}" hidden></p>
<ol class="check-steps" aria-live="polite"></ol>
</section>
<p class="aside without-check">Where scripts run, this page has a button that checks all of it in
the browser. Without them, <a href="/how-it-works#by-hand">the same by hand</a>.</p>`
}

/** A text as it is signed or logged, byte for byte; the check reads it from here. */
export function rawText(id: string, label: string, text: string): Html {
  return html`<pre class="code raw" role="group" aria-label="${label}" tabindex="0"><code
id="${id}">${text}</code></pre>`
}

/** A hash in hex, to be copied whole. */
export function hashCode(hash: Uint8Array): Html {
  return html`<code class="hash">${encodeHex(hash)}</code>`
}

/** The beginning of a hash, where there is no room for all of it. */
export function shortHash(hash: Uint8Array): string {
  return `${encodeHex(hash).slice(0, 8)}…`
}
