import { html } from 'ghtml'

import type { CitationOffer, NamedLink } from '#src/web/public/landing/landing_context.ts'
import type { Html } from '#src/web/kit/page.ts'
import { card } from '#src/web/kit/parts.ts'

/** How to cite a work: a text to copy, other styles, and files for reference managers. */
export function citationBox({ text, styles, downloads }: CitationOffer): Html {
  if (text === undefined) return ''
  return card(
    'Cite this work',
    html`<blockquote class="citation" id="citation" dir="auto">${text}</blockquote>
<p><button class="button button-quiet" type="button" data-copy="citation" hidden>Copy the
citation</button></p>
!${linkLine('As text, by style', styles)}
!${linkLine('For reference managers', downloads)}`,
  )
}

function linkLine(name: string, links: readonly NamedLink[]): Html {
  if (links.length === 0) return ''
  const items = links.map((link) => html`<li><a href="${link.href}">${link.name}</a></li>`)
  return html`<h3>${name}</h3><ul class="tags">!${items}</ul>`
}
