import { html } from 'ghtml'

import type { Html } from '#src/web/kit/page.ts'

/** The ARK as a link to cite, which a button copies; the address of just this version beside it. */
export function arkLine(url: string, versionPath: string | undefined): Html {
  const alone =
    versionPath === undefined
      ? ''
      : html`<span class="hint">leads to the newest version; <a href="${versionPath}">cite this
one</a></span>`
  return html`<p class="ark-line"><span class="ark-label">Cite as</span>
<a href="${url}"><code id="ark">${url}</code></a>
<button class="button button-quiet" type="button" data-copy="ark" hidden>Copy</button>!${alone}</p>`
}
