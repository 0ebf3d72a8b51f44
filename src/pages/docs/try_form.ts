import type { ExampleRequest } from '#src/pages/docs/example_request.ts'
import type { DescribedOperation } from '#src/pages/docs/interface.ts'
import { html, type Html } from '#src/pages/kit/html.ts'

/**
 * What an operation does when a live key would try it: reads are sent as they are; `dry run` is
 * sent so that nothing is registered; `sandbox only` is not sent.
 */
type LiveTrial = 'as it is' | 'dry run' | 'sandbox only'

/** Operations that check without keeping, though their method is one of a write. */
const harmless: ReadonlySet<string> = new Set([
  'validateWork',
  'verifyReceipt',
  'verifyVersion',
  'harvestByForm',
])

const optional = html` <span class="optional">(optional)</span>`

/** What may be tried of an operation with a key that is not one of the sandbox. */
function liveTrialOf({ id, method }: Pick<DescribedOperation, 'id' | 'method'>): LiveTrial {
  if (method === 'GET' || harmless.has(id)) return 'as it is'
  return id === 'createWork' ? 'dry run' : 'sandbox only'
}

const liveWords: Readonly<Record<LiveTrial, string>> = {
  'as it is': 'This only reads or checks: a live key may try it as well.',
  'dry run': 'With a live key it is a dry run: everything is checked, nothing is registered.',
  'sandbox only': 'It writes: it is tried with a key of the sandbox only.',
}

/**
 * The form that sends a request from the page. It is shown where scripts run; the command above it
 * does the same everywhere.
 */
export function tryForm(operation: DescribedOperation, request: ExampleRequest): Html | string {
  const { id, isPublic, group } = operation
  // These are pages and forms of a browser of their own.
  if (group === 'oauth') return ''
  const trial = liveTrialOf(operation)
  const body =
    request.body === undefined
      ? ''
      : html`<div class="field"><label for="try-body">Body</label>
<textarea id="try-body" name="body" rows="8" spellcheck="false">${'\n'}${request.body}</textarea>
</div>`
  return html`<form class="try card" data-try="${id}" data-method="${request.method}"
data-live="${trial}" data-type="${request.mediaType}" hidden novalidate>
<h3 id="try">Try it</h3>
<p class="hint">${liveWords[trial]}</p>
<div class="field"><label for="try-key">Key${isPublic ? optional : ''}</label>
<p class="hint">Of the sandbox: yours, or <code>svc_test_…</code>. It stays on this page.
<a href="/docs/quick-start#key">Get one</a></p>
<input id="try-key" name="key" type="text" autocomplete="off" spellcheck="false"></div>
<div class="field"><label for="try-path">Address</label>
<input id="try-path" name="path" type="text" value="${request.path}" spellcheck="false"></div>
${body}
<div class="buttons"><button class="button" type="submit">Send it</button></div>
<div class="try-reply" role="status" aria-live="polite"></div>
</form>`
}
