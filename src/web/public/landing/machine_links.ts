import { html } from 'ghtml'

import type { NamedLink } from '#src/web/public/landing/landing_context.ts'
import type { Html } from '#src/web/kit/page.ts'
import { card } from '#src/web/kit/parts.ts'

/** Where programs find the same. */
export function machineLinks(links: readonly NamedLink[]): Html {
  const items = links.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)
  return card('For programs', html`<ul class="tags">!${items}</ul>`)
}
