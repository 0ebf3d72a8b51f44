import { type Html, html, joinHtml } from '#src/pages/kit/html.ts'
import { atomType } from '#src/discovery/feeds/atom.ts'
import type { TypedLink } from '#src/discovery/formats/signposting.ts'

/** The links as elements of the head of a page. */
export function linkElements(links: readonly TypedLink[]): Html {
  const elements = links.map(({ rel, href, type }) =>
    type === undefined
      ? html`<link rel="${rel}" href="${href}">`
      : html`<link rel="${rel}" type="${type}" href="${href}">`,
  )
  return joinHtml(elements, '\n')
}

/** The element of a page's head by which readers of feeds find one; `path` begins with a slash. */
export function feedLinkElement(title: string, path: string): Html {
  return html`<link rel="alternate" type="${atomType}" title="${title}" href="${path}">`
}
