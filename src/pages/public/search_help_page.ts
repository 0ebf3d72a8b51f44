import { html, type Html } from '#src/pages/kit/html.ts'
import { type Columns, table } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { exportFormats, exportLimitsText } from '#src/use_cases/work_export.ts'

type Example = readonly [typed: string, found: string]

const examples: readonly Example[] = [
  ['graph neural', 'Works with all of these words, in any field. The last word can be unfinished.'],
  ['"graph neural"', 'The words in this order, next to each other.'],
  ['graph -protein', 'Works with the first word and without the second one.'],
  ['graph OR network', 'Works with one of the words, or with both.'],
  ['author:bengio', 'The word among the authors. So does title: with the words of a title.'],
  ['title:"deep learning"', 'All of the words in the title.'],
  ['Bengio, Y.', 'Works of authors with this name and this initial.'],
  ['0000-0002-1825-0097', 'The works of the person with this ORCID iD.'],
  ['10.1000/182', 'The work with this DOI. An ARK leads to its work, too.'],
]

/** `GET /search/help`: how to search, with examples to try. */
export function searchHelpPage(): PublicPage {
  const columns: Columns<Example> = {
    'You type': ([typed]) => example(typed),
    'You find': ([, found]) => found,
  }
  const labels = Object.values(exportFormats).map(({ label }) => label)
  return {
    title: 'How to search',
    current: '/search',
    styles: [publicStyle],
    head: html`<meta name="description" content="What can be typed into the search of this registry,
and how to take the results along.">`,
    body: html`<article class="explained"><h1>How to search</h1>
<p class="lead">Type words of a title, an abstract or a keyword, a name, or an identifier. Case and
accents make no difference.</p>
<h2>What you can type</h2>
${table('Examples', examples, columns)}
<h2>When nothing is found</h2>
<p>If no work has all of your words, we look for their other forms and spellings, and then for words
that are spelled almost alike. The page says so. Use fewer words, or remove a filter.</p>
<h2>Narrow it down</h2>
<p>Beside the results you can choose a type, years, a language, a license and more. Several values
of one filter are alternatives; different filters must all be met. <i>More fields</i> below the box
searches titles, authors and keywords alone.</p>
<h2>Withdrawn and retracted works</h2>
<p>They are found with all others, and carry a mark. Filter by <i>Notice</i> or <i>Status</i>:
<a href="/search?notice=retraction">retracted works</a>,
<a href="/search?status=active">works that were not withdrawn</a>.</p>
<h2>Order</h2>
<p>Results come by relevance: a word in the title counts most. Above 10,000 results, ranking says
nothing, and the newest come first.</p>
<h2>Take the results along</h2>
<p>Below the results you can save all of them as ${labels.join(', ')}. A file stops at
${exportLimitsText}; its last line then links to the rest.</p>
<p>You can also follow a search: open its Atom feed or its JSON feed in a feed reader, and new works
arrive there.</p>
<h2>For programs</h2>
<p>The same search is part of <a href="/docs">the API</a>.</p>
</article>`,
  }
}

function example(typed: string): Html {
  const query = new URLSearchParams({ q: typed })
  return html`<a href="/search?${query.toString()}"><code>${typed}</code></a>`
}
