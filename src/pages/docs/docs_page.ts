import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { docsScript, docsStyle, publicStyle } from '#src/pages/kit/assets.ts'
import { type GuideGroup, guidePath } from '#src/pages/docs/guides.ts'
import { html, type Html, nothing, trustedHtml } from '#src/pages/kit/html.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { docs as words } from '#src/words/english.ts'
import { english } from '#src/words/language.ts'
import type { Text } from '#src/words/wording.ts'

/** Names of documents are English, as they are. */
type DocsLink = { readonly path: string; readonly name: Text }

type DocsSection = { readonly heading: Text; readonly links: readonly DocsLink[] }

/** A page of the documentation by its content. */
export type DocsPage = {
  readonly title: string
  /** The path of the page, which its navigation marks. */
  readonly path: string
  readonly description: string
  /** English. */
  readonly body: Html
  /** What the page has, where it is long. */
  readonly contents?: readonly DocsLink[]
  /** Pages near this one, before all others. */
  readonly near?: DocsSection
}

const startLinks: readonly DocsLink[] = [
  { path: '/docs', name: words.documentation },
  { path: '/docs/quick-start', name: words.quickStart },
  { path: '/docs/oauth', name: words.oauth },
  { path: '/docs/reference', name: words.reference },
  { path: '/docs/errors', name: words.errors },
  { path: '/docs/limits', name: words.limits },
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
    { heading: words.begin, links: startLinks },
    ...guides.map(sectionOf),
  ]
  const onThisPage =
    contents.length === 0
      ? ''
      : html`<nav aria-label="${words.onThisPage}">
<ul class="contents">${contents.map(contentItem)}</ul></nav>`
  return {
    title,
    current: '/docs',
    wide: true,
    styles: [publicStyle, docsStyle],
    scripts: [docsScript],
    head: html`<meta name="description" content="${description}">
<link rel="canonical" href="${baseUrl}${path}">`,
    body: html`<div class="docs"><article class="docs-text"><h1${inEnglish}>${title}</h1>
<p class="docs-jump"><a href="#docs-pages">${words.allPages}</a></p>
${onThisPage}
<div${inEnglish}>${trustedHtml(body.html(english))}</div></article>
<nav class="docs-pages" id="docs-pages" aria-label="${words.documentation}">
${sections.map((section) => navigation(section, path))}</nav></div>`,
  }
}

const inEnglish = html` lang="en" dir="ltr"`

function languageOf(name: Text): Html {
  return typeof name === 'string' ? inEnglish : nothing
}

function sectionOf({ heading, guides }: GuideGroup): DocsSection {
  const links = guides.map(({ name, title }) => ({ path: guidePath(name), name: title }))
  return { heading: words.guides({ group: heading }), links }
}

function contentItem({ path, name }: DocsLink): Html {
  return html`<li><a href="${path}"${languageOf(name)}>${name}</a></li>`
}

function navigation({ heading, links }: DocsSection, current: string): Html {
  const items = links.map(({ path, name }) => {
    const mark = path === current ? html` aria-current="page"` : ''
    return html`<li><a href="${path}"${mark}${languageOf(name)}>${name}</a></li>`
  })
  return html`<h2>${heading}</h2><ul>${items}</ul>`
}
