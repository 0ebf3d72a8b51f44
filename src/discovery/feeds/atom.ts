import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { noticesOn } from '#actors/works/update_notices.ts'
import type { SignedHead } from '#log/store/log_reader.ts'
import {
  describeAuthors,
  keywordsOf,
  markedTitle,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import { plainTitle } from '#src/discovery/formats/title_marks.ts'
import {
  element,
  formatDocument,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The media type of a feed. */
export const atomType = 'application/atom+xml'

type AtomLink = { readonly rel: string; readonly href: string; readonly type?: string }

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

/** Something that happened to a work: the members that its history has for it. */
export type FeedChange = {
  readonly seq: number
  readonly at: string
  readonly type:
    | 'work.registered'
    | 'work.versioned'
    | 'work.withdrawn'
    | 'work.erased'
    | 'work.metadata_lost'
    | 'work.fixity_changed'
  readonly version: number
  readonly by: { readonly name: string }
  readonly changed_fields: readonly string[]
  readonly fixity_status?: string
  readonly message?: string | null
  readonly reason?: string | null
}

/** The addresses of a work: of its ARK, and of a version's receipt. */
export type ChangedWork = { readonly url: string; readonly receiptUrl: (version: number) => string }

/** A change as an entry of the feed of its work; a new version's is under the version's ARK. */
export function changeEntry(change: FeedChange, { url, receiptUrl }: ChangedWork): AtomEntry {
  const { seq, at, type, version, by } = change
  const isVersion = type === 'work.registered' || type === 'work.versioned'
  const page = isVersion ? `${url}/v${version}` : url
  return {
    id: isVersion ? page : `${url}#change-${seq}`,
    title: titleOf(change),
    updated: at,
    authors: [by.name],
    categories: [type],
    links: [
      { rel: 'alternate', href: page, type: 'text/html' },
      { rel: 'related', href: receiptUrl(version), type: 'application/json' },
    ],
    content: describe(change),
  }
}

function titleOf({ type, version, fixity_status = '' }: FeedChange): string {
  switch (type) {
    case 'work.registered':
      return 'Registered'
    case 'work.versioned':
      return `Version ${version}`
    case 'work.withdrawn':
      return 'Withdrawn'
    case 'work.erased':
      return 'Metadata erased'
    case 'work.metadata_lost':
      return 'Metadata lost'
    case 'work.fixity_changed':
      return `Content ${fixity_status}`
  }
}

function describe(change: FeedChange): string {
  const { type, version, at, changed_fields: fields, message } = change
  const day = at.slice(0, 10)
  switch (type) {
    case 'work.registered':
      return `Registered on ${day}.`
    case 'work.versioned':
      return `Version ${version} was made on ${day}; it changes ${fields.join(', ')}.`
    case 'work.withdrawn':
      return `Withdrawn on ${day}; the ARK leads to a record that says so.`
    case 'work.erased':
      return `The metadata was erased on ${day}; hashes and receipts stay.`
    case 'work.metadata_lost':
      return `The metadata was found to be lost on ${day}; hashes and receipts stay.`
    case 'work.fixity_changed':
      return [`A check of version ${version} on ${day} changed its fixity status.`, message ?? '']
        .join(' ')
        .trim()
  }
}

/** What a feed tells of a work: the members that `GET …/works/{ark}` has for it. */
export type FeedWork = Metadata & {
  /** `ark:/naan/name`. */
  readonly ark_identifier: string
  readonly created_at: string
  readonly updated_at: string
  readonly links: { readonly resolve: string }
  readonly status: 'registered' | 'withdrawn'
  /** Of a withdrawn one. */
  readonly withdrawn_at?: string
  readonly withdrawal_reason?: string
}

/** Authors of a work that a feed names, and characters of an abstract that it shows. */
const authorsMax = 50
const summaryCharactersMax = 1_000

/** A work as an entry of a feed, under its ARK. `baseUrl` has no slash at its end. */
export function workEntry(work: FeedWork, baseUrl: string): AtomEntry {
  const { description = '' } = work
  const url = `${baseUrl}/${work.ark_identifier}`
  const authors = describeAuthors(work).slice(0, authorsMax)
  const [gravest] = noticesOn(work)
  const { withdrawn_at: at, withdrawal_reason: reason } = work
  const withdrawal = at === undefined || reason === undefined ? {} : { withdrawal: { at, reason } }
  const note = standingNote({ metadata: work, ...withdrawal }) ?? ''
  const summary = [note, shorten(description)].join(' ').trim()
  return {
    id: url,
    title: markedTitle(plainTitle(work), { ...work, ...withdrawal }),
    updated: work.updated_at,
    published: work.created_at,
    authors: authors.map(({ name }) => name),
    categories: [work.work_type, ...(gravest ? [gravest.kind] : []), ...keywordsOf(work)],
    links: [{ rel: 'alternate', href: url, type: 'text/html' }, ...relatedLinks(work)],
    ...(summary !== '' && { summary }),
  }
}

function relatedLinks({ links, existing_doi: doi, license }: FeedWork): readonly AtomLink[] {
  return [
    { rel: 'describedby', href: links.resolve, type: 'application/json' },
    ...(doi === undefined ? [] : [{ rel: 'related', href: doiUrl(doi) }]),
    // RFC 4946.
    ...(license === undefined ? [] : [{ rel: 'license', href: licenseNames(license).address }]),
  ]
}

// Cut so that no character is cut in two.
function shorten(text: string): string {
  if (text.length <= summaryCharactersMax) return text
  const start = text.slice(0, summaryCharactersMax).replace(/[\uD800-\uDBFF]$/, '')
  return `${start.trimEnd()}…`
}

/**
 * A checkpoint of the log as an entry of a feed. `signedAt` is the time of the newest statement
 * that it covers, `baseUrl` has no slash at its end.
 */
export function checkpointEntry(
  { treeSize, checkpoint }: SignedHead,
  { signedAt, baseUrl }: { readonly signedAt: string; readonly baseUrl: string },
): AtomEntry {
  const history = `${baseUrl}/api/v1/log/checkpoints`
  return {
    id: `${baseUrl}/log/checkpoint#size-${treeSize}`,
    title: `Checkpoint of size ${treeSize}`,
    updated: signedAt,
    authors: [],
    links: [
      {
        rel: 'alternate',
        href: `${history}?after=${treeSize - 1}&limit=1`,
        type: 'application/json',
      },
    ],
    content: checkpoint,
  }
}

/** The feed of the works that were registered or changed last. */
export const worksFeedPath = '/feeds/works.atom'

/** The feed of retracted works, and the file of all of them. */
export const retractionsFeedPath = '/feeds/retractions.atom'
export const retractionsFilePath = '/data/retractions.csv'

/** The feeds of a search, with its query. */
export const searchFeedPaths = { atom: '/feeds/search.atom', json: '/feeds/search.json' } as const

/** The feed of the log's checkpoints. */
export const logFeedPath = '/feeds/log.atom'

/** The feed of the works that an organization has registered. */
export function organizationFeedPath(slug: string): string {
  return `/feeds/organizations/${slug}.atom`
}

/** The feed of what happens to a work; `ark` is `ark:/naan/name`. */
export function workFeedPath(ark: string): string {
  return `/feeds/works/${ark}.atom`
}
