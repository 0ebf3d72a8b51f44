import { html } from 'ghtml'

import type { Html } from '#src/web/page.ts'

/** Commands or data as they are written; `label` says what they are, for who cannot see them. */
export function codeBlock(label: string, text: string): Html {
  return html`<pre class="code" role="group" aria-label="${label}" tabindex="0"><code>${text}</code></pre>`
}
