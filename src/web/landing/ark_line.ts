import { html } from 'ghtml'

import type { Html } from '#src/web/page.ts'

/** The ARK as a link to cite: a click selects all of it, and a button copies it. */
export function arkLine(url: string): Html {
  return html`<p class="ark-line"><span class="ark-label" id="ark-label">Cite as</span>
<a href="${url}"><code id="ark">${url}</code></a>
<button class="button button-quiet" type="button" data-copy="ark" hidden>Copy</button></p>`
}
