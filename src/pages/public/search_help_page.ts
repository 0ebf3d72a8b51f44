import { html, type Html } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { type Columns, table } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { exportFormats, exportLimits } from '#src/use_cases/work_export.ts'
import { searchHelp as words } from '#src/words/english.ts'
import { list } from '#src/words/format.ts'
import type { Slot } from '#src/words/message.ts'
import type { Wording } from '#src/words/wording.ts'

type Example = readonly [typed: string, found: Wording]

const examples: readonly Example[] = [
  ['graph neural', words.allWords],
  ['"graph neural"', words.phrase],
  ['graph -protein', words.without],
  ['graph OR network', words.either],
  ['author:bengio', words.inAuthors({ code: (text) => html`<code>${text}</code>` })],
  ['title:"deep learning"', words.inTitle],
  ['Bengio, Y.', words.byName],
  ['0000-0002-1825-0097', words.byOrcid],
  ['10.1000/182', words.byDoi],
]

/** Results beyond which they are not ranked. */
const rankedMax = 10_000

/** `GET /search/help`: how to search, with examples to try. */
export function searchHelpPage(baseUrl: string): PublicPage {
  const columns: Columns<Example> = [
    [words.youType, ([typed]) => example(typed)],
    [words.youFind, ([, found]) => found],
  ]
  const formats = list(
    Object.values(exportFormats).map(({ label }) => label),
    'unit',
  )
  const { works, bytes, ms } = exportLimits
  const limits = { works, size: `${bytes / 1_048_576} MiB`, minutes: ms / 60_000 }
  return {
    title: words.title,
    current: '/search',
    isTranslated: true,
    styles: [publicStyle],
    head: html`<meta name="description" content="${words.description}">
${addressLinks(`${baseUrl}/search/help`)}`,
    body: html`<article class="explained"><h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<h2>${words.whatYouType}</h2>
${table(words.examples, examples, columns)}
<h2>${words.nothingFound}</h2>
<p>${words.nothingFoundText}</p>
<h2>${words.filters}</h2>
<p>${words.filtersText({ name: (text) => html`<i>${text}</i>` })}</p>
<h2>${words.withdrawn}</h2>
<p>${words.withdrawnText({
      retracted: linkTo('/search?notice=retraction'),
      active: linkTo('/search?status=active'),
    })}</p>
<h2>${words.order}</h2>
<p>${words.orderText({ count: rankedMax })}</p>
<h2>${words.save}</h2>
<p>${words.saveText({ formats, ...limits })}</p>
<p>${words.follow}</p>
<h2>${words.programs}</h2>
<p>${words.programsText({ link: linkTo('/docs') })}</p>
</article>`,
  }
}

function linkTo(href: string): Slot {
  return (text) => html`<a href="${href}">${text}</a>`
}

function example(typed: string): Html {
  const query = new URLSearchParams({ q: typed })
  return html`<a href="/search?${query.toString()}"><code>${typed}</code></a>`
}
