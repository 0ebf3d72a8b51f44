import { element, formatDocument, textElement } from '#src/discovery/formats/xml.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'

/** The media type of a feed. */
export const atomType = 'application/atom+xml'

export type AtomLink = { readonly rel: string; readonly href: string; readonly type?: string }

/** One thing in a feed. Times are `YYYY-MM-DDThh:mm:ss.sssZ`, texts are plain. */
export type AtomEntry = {
  /** An address that is this entry's for ever. */
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly published?: string
  /** Names; without any, the entry is by the author of its feed. */
  readonly authors: readonly string[]
  readonly categories?: readonly string[]
  readonly links: readonly AtomLink[]
  readonly summary?: string
  readonly content?: string
}

/** A page of a feed (RFC 4287, RFC 5005 §3): newest entries first. */
export type AtomFeed = {
  /** The address of the feed; also that of its first page. */
  readonly url: string
  readonly title: string
  /** When the newest entry of the page was updated; of an empty feed, when it began. */
  readonly updated: string
  readonly author: string
  /** The query of this page and of the one with older entries, such as `?before=17`. */
  readonly query: string
  readonly next: string | undefined
  /** What the feed is about, as a page for readers and in other forms. */
  readonly links: readonly AtomLink[]
  readonly entries: readonly AtomEntry[]
}

/** A feed as a document in UTF-8. Whatever its texts hold is text. */
export function formatAtom(feed: AtomFeed): string {
  const { url, title, updated, author, query, next, links, entries } = feed
  const paging: AtomLink[] = [
    { rel: 'self', href: url + query, type: atomType },
    { rel: 'first', href: url, type: atomType },
    ...(next === undefined ? [] : [{ rel: 'next', href: url + next, type: atomType }]),
  ]
  return formatDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom' },
      textElement('id', url),
      textElement('title', title),
      textElement('updated', updated),
      nameElement(author),
      ...[...paging, ...links].map(linkElement),
      ...entries.map(entryElement),
    ),
  )
}

function entryElement(entry: AtomEntry): XmlElement {
  const { id, title, updated, published, authors, categories = [], links } = entry
  return element(
    'entry',
    {},
    textElement('id', id),
    textElement('title', title),
    textElement('updated', updated),
    textElement('published', published),
    ...authors.map(nameElement),
    ...categories.map((term) => element('category', { term })),
    ...links.map(linkElement),
    textElement('summary', entry.summary, { type: 'text' }),
    textElement('content', entry.content, { type: 'text' }),
  )
}

function nameElement(name: string): XmlElement {
  return element('author', {}, textElement('name', name))
}

function linkElement({ rel, href, type }: AtomLink): XmlElement {
  return element('link', { rel, type, href })
}
