import { doiUrl } from '#actors/values/identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AtomEntry, AtomLink } from '#src/discovery/feeds/atom.ts'
import { describeAuthors, keywordsOf, licenseUrl } from '#src/discovery/formats/described_work.ts'

/** What a feed tells of a work: the members that `GET …/works/{ark}` has for it. */
export type FeedWork = Metadata & {
  /** `ark:/naan/name`. */
  readonly ark_identifier: string
  readonly created_at: string
  readonly updated_at: string
  readonly links: { readonly resolve: string }
}

/** Authors of a work that a feed names, and characters of an abstract that it shows. */
const authorsMax = 50
const summaryCharactersMax = 1_000

/** A work as an entry of a feed, under its ARK. `baseUrl` has no slash at its end. */
export function workEntry(work: FeedWork, baseUrl: string): AtomEntry {
  const { description } = work
  const url = `${baseUrl}/${work.ark_identifier}`
  const authors = describeAuthors(work).slice(0, authorsMax)
  return {
    id: url,
    title: work.work_title,
    updated: work.updated_at,
    published: work.created_at,
    authors: authors.map(({ name }) => name),
    categories: [work.work_type, ...keywordsOf(work)],
    links: [{ rel: 'alternate', href: url, type: 'text/html' }, ...relatedLinks(work)],
    ...(description !== undefined && { summary: shorten(description) }),
  }
}

function relatedLinks({ links, existing_doi: doi, license }: FeedWork): readonly AtomLink[] {
  return [
    { rel: 'describedby', href: links.resolve, type: 'application/json' },
    ...(doi === undefined ? [] : [{ rel: 'related', href: doiUrl(doi) }]),
    // RFC 4946.
    ...(license === undefined ? [] : [{ rel: 'license', href: licenseUrl(license) }]),
  ]
}

// Cut so that no character is cut in two.
function shorten(text: string): string {
  if (text.length <= summaryCharactersMax) return text
  const start = text.slice(0, summaryCharactersMax).replace(/[\uD800-\uDBFF]$/, '')
  return `${start.trimEnd()}…`
}
