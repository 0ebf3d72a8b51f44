import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { LandingRecord } from '#src/use_cases/landing_record.ts'
import type {
  CitationOffer,
  CitedStyle,
  NamedLink,
} from '#src/pages/public/landing/landing_context.ts'
import { card } from '#src/pages/kit/parts.ts'
import type { Owner } from '#actors/values/agent.ts'

// Titles that are longer are shown smaller, so that what follows is on the screen, too.
const largeCharactersMax = 160

/** The title of a work, whatever its length and its direction. */
export function heading(title: string): Html {
  const size = title.length > largeCharactersMax ? 'long-title' : 'title'
  return html`<h1 class="${size}" dir="auto">${title}</h1>`
}

/** The ARK as a link to cite, which a button copies; the address of just this version beside it. */
export function arkLine(url: string, versionPath: string | undefined): Html {
  const alone =
    versionPath === undefined
      ? ''
      : html`<span class="hint">leads to the newest version; <a href="${versionPath}">cite this
one</a></span>`
  return html`<p class="ark-line"><span class="ark-label">Cite as</span>
<a href="${url}"><code id="ark">${url}</code></a>
<button class="button button-quiet" type="button" data-copy="ark" hidden>Copy</button>${alone}</p>`
}

/** What readers must know before they cite: that it is a trial, or not the newest version. */
export function notices({ work, environment }: LandingRecord): Html {
  return html`${environment === 'sandbox' ? sandboxNotice : ''}${
    work.status === 'registered' && !work.is_latest ? olderNotice(work) : ''
  }`
}

const sandboxNotice = html`<div class="flash flash-warning" role="note"><p><strong>Sandbox, not for
citation.</strong> This record is a trial. Its ARK is nobody’s promise.</p></div>`

function olderNotice(work: { ark: string; version: number; latest_version: number }): Html {
  return html`<div class="flash flash-warning" role="note"><p><strong>A newer version
exists.</strong> This is version ${work.version}. <a href="/${work.ark}">Read version
${work.latest_version}, the newest</a>.</p></div>`
}

/** How to cite a work: in one style or another, and as files for reference managers. */
export function citationBox({ styles, downloads }: CitationOffer): Html {
  if (styles.length === 0) return nothing
  return card(
    'Cite this work',
    html`<div class="cite" role="group" aria-label="Style of the citation">
${styles.map(citedAs)}</div>
${linkLine('For reference managers', downloads)}`,
  )
}

// One is chosen without a script: each choice stands before what it shows.
function citedAs({ style, name, text, href }: CitedStyle, index: number): Html {
  return html`<input type="radio" name="style" id="cite-${style}"${index === 0 ? ' checked' : ''}>
<label for="cite-${style}">${name}</label>
<div class="cited">
<blockquote class="citation" id="citation-${style}" dir="auto">${text}</blockquote>
<p><button class="button button-quiet" type="button" data-copy="citation-${style}" hidden>Copy
the citation</button> <a href="${href}">As plain text</a></p></div>`
}

function linkLine(name: string, links: readonly NamedLink[]): Html {
  if (links.length === 0) return nothing
  const items = links.map((link) => html`<li><a href="${link.href}">${link.name}</a></li>`)
  return html`<h3>${name}</h3><ul class="tags">${items}</ul>`
}

/** Links to the same record for programs. */
export function machineLinks(links: readonly NamedLink[]): Html {
  const items = links.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)
  return card('For programs', html`<ul class="tags">${items}</ul>`)
}

/** Whose change it was: an organization by its name, a person by the link to their page. */
export function sourceLink({ type, id, name }: Owner): Html {
  switch (type) {
    case 'organization':
      return html`<a href="/publishers/${id}" dir="auto">${name}</a>`
    case 'person':
      return html`a researcher, <a href="/people/${id}">${id}</a>`
    case 'operator':
      return html`${id === 'fixity' ? 'this registry, by itself' : 'the operator of this registry'}`
  }
}

/** A hash, which a click selects as a whole. */
export function hashText(hash: string): Html {
  return html`<code class="hash">${hash}</code>`
}
