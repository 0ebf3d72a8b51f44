import { html } from 'ghtml'

import type { Html } from '#src/web/kit/page.ts'

/** Commands or data as they are written; `label` says what they are, for who cannot see them. */
export function codeBlock(label: string, text: string): Html {
  const code = html`<code>${text}</code>`
  return html`<pre class="code" role="group" aria-label="${label}" tabindex="0">!${code}</pre>`
}
