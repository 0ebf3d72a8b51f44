import type { AtomEntry, AtomFeed } from '#src/discovery/feeds/atom.ts'
import { textIn } from '#src/words/wording.ts'

export const jsonFeedType = 'application/feed+json'

/** A feed as a JSON Feed 1.1: the same entries as in Atom. */
export function formatJsonFeed(feed: AtomFeed): string {
  const { url, title, language, author, query, next, links, entries } = feed
  const home = links.find(({ rel }) => rel === 'alternate')
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: textIn(language, title),
    language: language.tag,
    ...(home && { home_page_url: home.href }),
    feed_url: url + query,
    ...(next !== undefined && { next_url: url + next }),
    authors: [{ name: author }],
    items: entries.map(itemOf),
  })
}

function itemOf({ id, title, updated, published, authors, categories, ...entry }: AtomEntry) {
  const page = entry.links.find(({ rel }) => rel === 'alternate')
  const doi = entry.links.find(({ rel, href }) => rel === 'related' && isDoi(href))
  return {
    id,
    ...(page && { url: page.href }),
    ...(doi && { external_url: doi.href }),
    title,
    // An item must have a content.
    content_text: entry.content ?? entry.summary ?? title,
    ...(published !== undefined && { date_published: published }),
    date_modified: updated,
    ...(authors.length > 0 && { authors: authors.map((name) => ({ name })) }),
    ...(categories && { tags: categories }),
  }
}

function isDoi(address: string): boolean {
  return address.startsWith('https://doi.org/')
}
