import type { DocsPage } from '#src/pages/docs/docs_page.ts'
import { type Guide, guidePath } from '#src/pages/docs/guides.ts'
import { html } from '#src/pages/kit/html.ts'
import { snippet } from '#src/pages/kit/snippet.ts'

/** The page of a guide; `authUrl` is the address of the pages of accounts. */
export function guidePage(
  { name, title, body, headings }: Guide,
  { baseUrl, authUrl }: { readonly baseUrl: string; readonly authUrl: string },
): DocsPage {
  const here = `BASE_URL=${baseUrl}\nAUTH_URL=${authUrl}`
  const isAddressed = /\b(?:BASE|AUTH)_URL\b/.test(body.text)
  return {
    title,
    path: guidePath(name),
    description: `${title}: a guide.`,
    contents: headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }) => ({ path: `#${id}`, name: text })),
    body: html`${isAddressed ? snippet('The addresses of this registry', here) : ''}${body}`,
  }
}
