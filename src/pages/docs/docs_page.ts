import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { docsScript, docsStyle, publicStyle } from '#src/pages/kit/assets.ts'
import { type GuideGroup, guidePath } from '#src/pages/docs/guides.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'

type DocsLink = { readonly path: string; readonly name: string }

type DocsSection = { readonly heading: string; readonly links: readonly DocsLink[] }

/** A page of the documentation by its content. */
export type DocsPage = {
  readonly title: string
  /** The path of the page, which its navigation marks. */
  readonly path: string
  readonly description: string
  readonly body: Html
  /** What the page has, where it is long. */
  readonly contents?: readonly DocsLink[]
  /** Pages near this one, before all others. */
  readonly near?: DocsSection
}

const startLinks: readonly DocsLink[] = [
  { path: '/docs', name: 'Documentation' },
  { path: '/docs/quick-start', name: 'Quick start' },
  { path: '/docs/oauth', name: 'Writing for people (OAuth)' },
  { path: '/docs/reference', name: 'Reference' },
  { path: '/docs/errors', name: 'Errors' },
  { path: '/docs/limits', name: 'Limits' },
]

/** The page in its frame: the content first, and beside it where else one can go. */
export function writeDocsPage(
  page: DocsPage,
  { baseUrl }: Pick<PublicSite, 'baseUrl'>,
  guides: readonly GuideGroup[],
): PublicPage {
  const { title, path, description, body, contents = [], near } = page
  const sections = [
    ...(near === undefined ? [] : [near]),
    { heading: 'Begin', links: startLinks },
    ...guides.map(sectionOf),
  ]
  const onThisPage =
    contents.length === 0
      ? ''
      : html`<nav aria-label="On this page"><ul class="contents">${contents.map(contentItem)}</ul>
</nav>`
  return {
    title,
    current: '/docs',
    wide: true,
    styles: [publicStyle, docsStyle],
    scripts: [docsScript],
    head: html`<meta name="description" content="${description}">
<link rel="canonical" href="${baseUrl}${path}">`,
    body: html`<div class="docs"><article class="docs-text"><h1>${title}</h1>
<p class="docs-jump"><a href="#docs-pages">All pages of the documentation</a></p>
${onThisPage}
${body}</article>
<nav class="docs-pages" id="docs-pages" aria-label="Documentation">
${sections.map((section) => navigation(section, path))}</nav></div>`,
  }
}

function sectionOf({ heading, guides }: GuideGroup): DocsSection {
  const links = guides.map(({ name, title }) => ({ path: guidePath(name), name: title }))
  return { heading: `Guides: ${heading.toLowerCase()}`, links }
}

function contentItem({ path, name }: DocsLink): Html {
  return html`<li><a href="${path}">${name}</a></li>`
}

function navigation({ heading, links }: DocsSection, current: string): Html {
  const items = links.map(({ path, name }) => {
    const mark = path === current ? html` aria-current="page"` : ''
    return html`<li><a href="${path}"${mark}>${name}</a></li>`
  })
  return html`<h2>${heading}</h2><ul>${items}</ul>`
}
