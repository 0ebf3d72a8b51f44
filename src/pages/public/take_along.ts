import { atomType, searchFeedPaths } from '#src/discovery/feeds/atom.ts'
import { jsonFeedType } from '#src/discovery/feeds/json_feed.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { feedAddress } from '#src/pages/kit/page.ts'
import { savedSearchesPath } from '#src/pages/kit/page_address.ts'
import type { SearchAsked } from '#src/pages/public/search_form.ts'
import { exportFormatNames, exportFormats, searchExportPath } from '#src/use_cases/work_export.ts'
import { savedSearches, search } from '#src/words/english.ts'

/** The parameters of a search of works. */
type SearchGiven = SearchAsked['given']

/** What leads readers of feeds to those of a search of works. */
export function feedLinks(asked: SearchGiven): Html {
  const links = feeds.map(
    ({ type, name, path }) => html`
<link rel="alternate" type="${type}" title="${search.feedTitle({ feed: name })}"
href="${feedAddress(foundAt(path, asked))}">`,
  )
  return html`${links}`
}

const feeds = [
  { type: atomType, name: 'Atom', path: searchFeedPaths.atom },
  { type: jsonFeedType, name: 'JSON Feed', path: searchFeedPaths.json },
] as const

/** Where what a search finds is had in another form: a file, or a feed, which has its own order. */
function foundAt(path: string, given: SearchGiven, format?: string): string {
  const query = new URLSearchParams([...given])
  if (format === undefined) query.delete('sort')
  else query.set('format', format)
  return query.size === 0 ? path : `${path}?${query}`
}

/** Where who is signed in saves a search; nothing for that of all works. */
function saveLink(given: SearchGiven, accounts: string): Html {
  const query = new URLSearchParams([...given])
  query.delete('sort')
  if (query.size === 0) return nothing
  const address = `${accounts}${savedSearchesPath}?${new URLSearchParams({ save: `${query}` })}`
  return html`<p><a href="${address}" rel="nofollow">${savedSearches.saveThis}</a></p>`
}

/**
 * All that a search of works finds as files, as feeds and in numbers; where the pages of accounts
 * are, to be saved as well.
 */
export function takeAlong(asked: SearchGiven, accounts?: string): Html {
  const files = exportFormatNames.map((name) => {
    const address = foundAt(searchExportPath, asked, name)
    const { label } = exportFormats[name]
    return html`<li><a href="${address}" rel="nofollow" download>${label}</a></li>`
  })
  const followed = feeds.map(
    ({ name, path }) =>
      html`<li><a href="${feedAddress(foundAt(path, asked))}" rel="nofollow">${name}</a></li>`,
  )
  return html`<section class="take-along" aria-label="${search.takeAlong}">
<ul class="sorts" aria-label="${search.saveLabel}"><li>${search.saveAll}</li>${files}</ul>
<ul class="sorts" aria-label="${search.followLabel}"><li>${search.follow}</li>${followed}</ul>
${accounts === undefined ? nothing : saveLink(asked, accounts)}
<p><a href="${foundAt('/statistics', asked)}" rel="nofollow">${search.statistics}</a></p>
</section>`
}
