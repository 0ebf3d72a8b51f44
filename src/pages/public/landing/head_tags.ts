import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import { html, type Html, joinHtml, trustedHtml } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { invertedName } from '#src/discovery/formats/author_names.ts'
import {
  type ContainerKind,
  containerOf,
  hasPages,
  institutionOf,
  keywordsOf,
  markedTitle,
  pageRange,
  readAuthor,
} from '#src/discovery/formats/described_work.ts'
import { type LandingContext, namedAuthorsMax } from '#src/pages/public/landing/work_parts.ts'
import type { AuthorReply, LandingRecord, WorkReply } from '#src/use_cases/landing_record.ts'
import { plainTitle } from '#src/discovery/formats/title_marks.ts'

type Tag = readonly [name: string, content: string | undefined]

// What a crawler reads of a page is limited; the abstract as a whole is in its body.
const descriptionCharactersMax = 300

/** What the head of a work's page says to crawlers and reference managers. */
export function headTags(
  { environment }: Pick<LandingRecord, 'environment'>,
  work: WorkReply,
  context: LandingContext,
): Html {
  const { url } = context
  const named = {
    ...work,
    authors: work.authors.map(readAuthor),
    metadata: {
      ...work.metadata,
      work_title: markedTitle(plainTitle(work.metadata), standingOf(work)),
    },
  }
  const tags = [...highwireTags(named, url), ...dublinCoreTags(named, url), zoteroTag(named)]
  const elements = tags.flatMap((tag) => metaTag('name', tag))
  const graph = openGraphTags(named, context).flatMap((tag) => metaTag('property', tag))
  const robots = environment === 'sandbox' ? [noIndex] : []
  const links = [addressLinks(url), context.linkElements, embedLink(url, context)]
  return joinHtml([...robots, ...elements, ...graph, ...links, ...data(context)], '\n')
}

/** Where other sites read what they show of a link to the page (oEmbed 1.0, section 4). */
function embedLink(url: string, { baseUrl }: LandingContext): Html {
  const href = `${baseUrl}/oembed?${new URLSearchParams({ url })}`
  return html`<link rel="alternate" type="application/json+oembed" href="${href}">`
}

function standingOf(work: WorkReply): Parameters<typeof markedTitle>[1] {
  const noticed = { update_notices: work.notices }
  if (work.status === 'registered') return noticed
  return { ...noticed, withdrawal: { reason: work.reason, at: work.withdrawn_at } }
}

/** Keeps crawlers from listing a page that is not to be cited. */
export const noIndex = html`<meta name="robots" content="noindex">`

function metaTag(attribute: 'name' | 'property', [name, content]: Tag): readonly Html[] {
  return content === undefined ? [] : [html`<meta ${attribute}="${name}" content="${content}">`]
}

const containerTags: Readonly<Record<ContainerKind, string | undefined>> = {
  journal: 'citation_journal_title',
  book: 'citation_inbook_title',
  proceedings: 'citation_conference_title',
  event: 'citation_conference_title',
  series: 'citation_series_title',
  other: undefined,
}

/** The tags by which Google Scholar and others read a work. */
function highwireTags(work: WorkReply, url: string): readonly Tag[] {
  const { metadata, authors, created_at, content } = work
  const { kind, title, issn, isbn } = containerOf(work)
  const { first, last } = hasPages(work) ? pageRange(metadata) : {}
  const containerTag = containerTags[kind]
  return [
    ['citation_title', metadata.work_title],
    ...authors.slice(0, namedAuthorsMax).flatMap(authorTags),
    ['citation_publication_date', metadata.published_date?.replaceAll('-', '/')],
    ['citation_online_date', created_at.slice(0, 10).replaceAll('-', '/')],
    ['citation_doi', metadata.existing_doi],
    ['citation_abstract_html_url', url],
    ['citation_pdf_url', isPdf(content.media_type) ? content.url : undefined],
    ['citation_language', metadata.language],
    ...keywordsOf(metadata).map((word): Tag => ['citation_keywords', word]),
    ['citation_publisher', metadata.publisher_name],
    ...institutionTags(work),
    ...(containerTag === undefined ? [] : [[containerTag, title] as const]),
    ['citation_issn', issn],
    ['citation_isbn', isbn],
    ['citation_volume', metadata.volume],
    ['citation_issue', metadata.issue],
    ['citation_firstpage', first],
    ['citation_lastpage', last],
  ]
}

function isPdf(mediaType: string | null): boolean {
  return /^application\/pdf\s*(?:;|$)/i.test(mediaType ?? '')
}

/** The institution of a thesis or a report: its publisher. */
function institutionTags(work: WorkReply): readonly Tag[] {
  const { work_type, publisher_name } = work.metadata
  const institution = institutionOf(work.metadata, publisher_name)
  const kind = work_type === 'thesis' ? 'dissertation' : 'technical_report'
  return [[`citation_${kind}_institution`, institution]]
}

function authorTags(author: AuthorReply): readonly Tag[] {
  const orcid = author.orcid ?? author.claims.find((claim) => claim.orcid !== undefined)?.orcid
  return [
    ['citation_author', invertedName(author)],
    ['citation_author_institution', author.affiliation],
    ['citation_author_orcid', orcid && `https://orcid.org/${orcid}`],
  ]
}

function dublinCoreTags(work: WorkReply, url: string): readonly Tag[] {
  const { metadata, authors } = work
  return [
    ['DC.identifier', url],
    ['DC.title', metadata.work_title],
    ...authors.slice(0, namedAuthorsMax).map((author): Tag => ['DC.creator', invertedName(author)]),
    ['DC.date', metadata.published_date],
    ['DC.type', metadata.work_type],
    ['DC.publisher', metadata.publisher_name],
    ['DC.language', metadata.language],
    ['DC.rights', metadata.license && licenseNames(metadata.license).address],
    ['DC.relation', metadata.existing_doi && doiUrl(metadata.existing_doi)],
    ['description', metadata.description && excerpt(metadata.description)],
  ]
}

/** What Zotero calls a work of a kind of CSL, where no other tag says it. */
const zoteroTypes: Readonly<Record<string, string>> = {
  article: 'preprint',
  dataset: 'dataset',
  document: 'document',
  graphic: 'artwork',
  patent: 'patent',
  software: 'computerProgram',
  song: 'audioRecording',
  speech: 'presentation',
  standard: 'standard',
}

function zoteroTag({ metadata }: WorkReply): Tag {
  return ['z.itemType', zoteroTypes[workTypes[metadata.work_type].csl]]
}

/** What Open Graph calls a work; it knows articles, books and films, and the rest are pages. */
const graphTypes: Readonly<Partial<Record<WorkType, string>>> = {
  book: 'book',
  proceedings: 'book',
  thesis: 'article',
  video: 'video.other',
}

function openGraphTags(
  { ark, metadata }: WorkReply,
  { url, baseUrl, registry }: LandingContext,
): readonly Tag[] {
  return [
    ['og:type', graphTypes[metadata.work_type] ?? (hasPages({ metadata }) ? 'article' : 'website')],
    ['og:site_name', registry],
    ['og:title', metadata.work_title],
    ['og:url', url],
    ['og:description', metadata.description && excerpt(metadata.description)],
    ['og:image', `${baseUrl}/card?ark=${ark}`],
    ['og:image:type', 'image/png'],
    ['og:image:width', '800'],
    ['og:image:height', '420'],
    ['twitter:card', 'summary_large_image'],
  ]
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (line.length <= descriptionCharactersMax) return line
  return `${line.slice(0, descriptionCharactersMax).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** What the head of a tombstone says to programs: that the work is withdrawn, in its JSON-LD. */
export function tombstoneTags(context: LandingContext): Html {
  const { url, linkElements } = context
  return joinHtml([noIndex, addressLinks(url), linkElements, ...data(context)], '\n')
}

function data({ jsonLd }: LandingContext): readonly Html[] {
  return jsonLd === undefined ? [] : [jsonLdBlock(jsonLd)]
}

/** JSON-LD as a page has it: in its block only `<` could end it, which JSON can spell otherwise. */
export function jsonLdBlock(jsonLd: string): Html {
  const json = trustedHtml(jsonLd.replaceAll('<', '\\u003c'))
  return html`<script type="application/ld+json">${json}</script>`
}
