/** What a landing page shows of a work, or of the tombstone in its place. */
export type LandingFacts = {
  readonly ark: string
  readonly title: string
  readonly authors: readonly string[]
  /** Where the content is; null when the work was withdrawn. */
  readonly contentUrl: string | null
  /** Names and values, in the order in which they are shown. */
  readonly rows: readonly (readonly [name: string, value: string])[]
  readonly links: Readonly<Record<string, string>>
}

/** What a page may load and do: nothing. */
export const landingPagePolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** A minimal page about a work: no style, no script, every value escaped. */
export function renderLandingPage(facts: LandingFacts): string {
  const title = escapeHtml(facts.title)
  const rows = facts.rows.map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  )
  const links = Object.entries(facts.links).map(
    ([name, url]) => `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${escapeHtml(facts.authors.join('; '))}</p>
${contentLink(facts.contentUrl)}
<dl>${rows.join('\n')}</dl>
<p>For machines: ${links.join(', ')}.</p>
</body>
</html>
`
}

// Stored addresses are http or https already; a page checks again, because it makes links of them.
function contentLink(url: string | null): string {
  if (url === null || !/^https?:\/\//.test(url)) return ''
  const address = escapeHtml(url)
  return `<p><a href="${address}" rel="noreferrer">${address}</a></p>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
