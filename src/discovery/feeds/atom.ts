import { Stride } from '#actors/kernel/stride.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { noticesOn, type UpdateNotice } from '#actors/works/update_notices.ts'
import {
  describeAuthors,
  isChange,
  keywordsOf,
  markedTitle,
} from '#src/discovery/formats/described_work.ts'
import { plainTitle } from '#src/discovery/formats/title_marks.ts'
import {
  element,
  formatDocument,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'
import { feeds, landing, standing } from '#src/words/english.ts'
import { nameFields } from '#src/discovery/feeds/field_names.ts'
import { dateTime, joined } from '#src/words/format.ts'
import type { Language } from '#src/words/language.ts'
import { termOf } from '#src/words/message.ts'
import { type Text, textIn, type Wording } from '#src/words/wording.ts'

/** The media type of a feed. */
export const atomType = 'application/atom+xml'

type AtomLink = { readonly rel: string; readonly href: string; readonly type?: string }

/** One thing in a feed. Times are `YYYY-MM-DDThh:mm:ss.sssZ`, texts are plain. */
export type AtomEntry = {
  /** An address that is this entry's for ever. */
  readonly id: string
  /** The tag of the language that its texts are in, where it is not that of the feed. */
  readonly language?: string
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
  readonly title: Text
  /** The language that the registry’s own texts in it are in. */
  readonly language: Language
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
  const { url, title, language, updated, author, query, next, links, entries } = feed
  const paging: AtomLink[] = [
    { rel: 'self', href: url + query, type: atomType },
    { rel: 'first', href: url, type: atomType },
    ...(next === undefined ? [] : [{ rel: 'next', href: url + next, type: atomType }]),
  ]
  return formatDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language.tag },
      textElement('id', url),
      textElement('title', textIn(language, title)),
      textElement('updated', updated),
      nameElement(author),
      ...[...paging, ...links].map(linkElement),
      ...entries.map(entryElement),
    ),
  )
}

function entryElement(entry: AtomEntry): XmlElement {
  const { id, language, title, updated, published, authors, categories = [], links } = entry
  return element(
    'entry',
    { 'xml:lang': language },
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
export function changeEntry(
  change: FeedChange,
  { url, receiptUrl }: ChangedWork,
  language: Language,
): AtomEntry {
  const { seq, at, type, version, by } = change
  const isVersion = type === 'work.registered' || type === 'work.versioned'
  const page = isVersion ? `${url}/v${version}` : url
  return {
    id: isVersion ? page : `${url}#change-${seq}`,
    title: textIn(language, titleOf(change)),
    updated: at,
    authors: [by.name],
    categories: [type],
    links: [
      { rel: 'alternate', href: page, type: 'text/html' },
      { rel: 'related', href: receiptUrl(version), type: 'application/json' },
    ],
    content: textIn(language, describe(change)),
  }
}

function titleOf({ type, version: number, fixity_status: status }: FeedChange): Text {
  switch (type) {
    case 'work.registered':
      return landing.eventRegistered
    case 'work.versioned':
      return landing.version({ number })
    case 'work.withdrawn':
      return landing.eventWithdrawn
    case 'work.erased':
      return landing.eventErased
    case 'work.metadata_lost':
      return landing.eventLost
    case 'work.fixity_changed':
      if (status === 'verified') return landing.eventVerified
      return status === 'failed' ? landing.eventFailed : landing.eventUnreachable
  }
}

function describe(change: FeedChange): Text {
  const { type, version: number, at, changed_fields: names, message } = change
  const day = dateTime(at, 'day')
  switch (type) {
    case 'work.registered':
      return feeds.registered({ day })
    case 'work.versioned':
      return feeds.versioned({ number, day, fields: nameFields(names) })
    case 'work.withdrawn':
      return feeds.withdrawn({ day })
    case 'work.erased':
      return feeds.erased({ day })
    case 'work.metadata_lost':
      return feeds.lost({ day })
    case 'work.fixity_changed': {
      const checked = feeds.checked({ number, day })
      return message ? joined([checked, message], ' ') : checked
    }
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
export function workEntry(work: FeedWork, baseUrl: string, language: Language): AtomEntry {
  const { description = '' } = work
  const url = `${baseUrl}/${work.ark_identifier}`
  const authors = describeAuthors(work).slice(0, authorsMax)
  const [gravest] = noticesOn(work)
  const { withdrawn_at: at, withdrawal_reason: reason } = work
  const withdrawal = at === undefined || reason === undefined ? {} : { withdrawal: { at, reason } }
  const note = textIn(language, standingOf(work))
  const summary = [note, shorten(description)].join(' ').trim()
  return {
    id: url,
    ...(work.language !== undefined && { language: work.language }),
    title: markedTitle(plainTitle(work), { ...work, ...withdrawal }),
    updated: work.updated_at,
    published: work.created_at,
    authors: authors.map(({ name }) => name),
    categories: [work.work_type, ...(gravest ? [gravest.kind] : []), ...keywordsOf(work)],
    links: [{ rel: 'alternate', href: url, type: 'text/html' }, ...relatedLinks(work)],
    ...(summary !== '' && { summary }),
  }
}

/** Works as entries in their order, each from the JSON that `GET …/works/{ark}` has for it. */
export async function workEntries(
  works: AsyncIterable<Uint8Array>,
  baseUrl: string,
  language: Language,
): Promise<readonly AtomEntry[]> {
  const stride = new Stride()
  const entries: AtomEntry[] = []
  for await (const body of works) {
    const work = JSON.parse(Buffer.from(body).toString('utf8')) as FeedWork
    entries.push(workEntry(work, baseUrl, language))
    await stride.step(body.length)
  }
  return entries
}

/** What readers of a work must know of it: that it was withdrawn, and its notices. */
function standingOf(work: FeedWork): Text {
  const { withdrawn_at: at, withdrawal_reason: reason } = work
  const why = reason === undefined ? undefined : (termOf(standing, `because_${reason}`) ?? reason)
  const withdrawn =
    at === undefined || why === undefined
      ? []
      : [landing.withdrawnOn({ strong: wordsAlone, time: dateTime(at, 'day'), why })]
  const told = noticesOn(work).filter(({ kind }) => isChange(kind))
  return joined([...withdrawn, ...told.map(noticeSentence)], ' ')
}

function noticeSentence({ kind, date, by, doi, ark }: UpdateNotice): Text {
  const when = date === undefined ? '' : standing.whenNoticed({ date })
  const who = by === undefined ? '' : standing.whoNoticed({ name: by })
  const sentence = standing.noticeOf({ kind, strong: wordsAlone, when, who })
  const link = doi === undefined ? ark : doiUrl(doi)
  return link === undefined ? sentence : joined([sentence, standing.notice({ link })], ' ')
}

const wordsAlone = (words: Wording) => words

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
  { treeSize, checkpoint }: { readonly treeSize: number; readonly checkpoint: string },
  { signedAt, baseUrl }: { readonly signedAt: string; readonly baseUrl: string },
  language: Language,
): AtomEntry {
  const history = `${baseUrl}/api/v1/log/checkpoints`
  return {
    id: `${baseUrl}/log/checkpoint#size-${treeSize}`,
    title: feeds.checkpoint({ size: treeSize }).text(language),
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

/** The titles of feeds; that of a work’s own feed is its title. */
export const feedTitles = {
  works: feeds.works,
  retractions: feeds.retractions,
  found: feeds.found,
  foundFor: feeds.foundFor,
  organization: feeds.organization,
  checkpoints: feeds.checkpoints,
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
