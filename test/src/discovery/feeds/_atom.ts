// Feeds as a reader of feeds sees them, parsed by the library's parser.

import { children, type ReadElement } from '#test/src/_xml.ts'

/** The addresses of the links with a relation. */
export function linksOf(feed: ReadElement, rel: string): string[] {
  return children(feed, 'link')
    .filter(({ attributes }) => attributes['rel'] === rel)
    .map(({ attributes }) => attributes['href'] ?? '')
}

/** The entries of a feed. */
export function entriesOf(feed: ReadElement): readonly ReadElement[] {
  return children(feed, 'entry')
}
