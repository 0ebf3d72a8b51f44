import { closedTable } from '#actors/values/lazy_table.ts'
import { readName, splitAuthors } from '#actors/values/author_name.ts'
import { doiUrl, encodePath } from '#actors/values/identifier.ts'
import { keywordsOf as listKeywords } from '#actors/values/text.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import { workAddress } from '#actors/works/content.ts'
import type { WorkFile } from '#actors/works/files.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AuthorDetail, Contributor } from '#actors/works/names.ts'
import { pageCountIn } from '#actors/works/publication.ts'
import {
  type NoticedMetadata,
  type NoticeKind,
  noticeNames,
  noticesOn,
  type UpdateNotice,
} from '#actors/works/update_notices.ts'
import { initialedNames } from '#src/discovery/formats/group_names.ts'

/** An author as a work names them, with what is known of them. */
export type DescribedAuthor = AuthorDetail & { readonly name: string }

/** The metadata of a work, as far as it is there. */
export type DescribedMetadata = Pick<Metadata, 'work_title' | 'work_type'> &
  Partial<Omit<Metadata, 'authors' | 'author_details'>>

/** What every format says of one version of a work, or of the tombstone in its place. */
export type DescribedWork = {
  /** `ark:/naan/name`. */
  readonly ark: string
  /** The address of the ARK at this registry, or of one version: what a citation leads to. */
  readonly url: string
  readonly version: number
  /** Whether it is cited as this version, whose number its address names then. */
  readonly isPinned: boolean
  readonly latestVersion: number
  /** The address of the ARK, whichever version this is. */
  readonly workUrl: string
  readonly metadata: DescribedMetadata
  readonly authors: readonly DescribedAuthor[]
  /** `publisher_name`, else the name of the organization that registered the work. */
  readonly publisher: string | undefined
  /** When the work was registered: `YYYY-MM-DDThh:mm:ss.sssZ`. */
  readonly createdAt: string
  /** When this version was registered or, later, the work withdrawn. */
  readonly updatedAt: string
  /** Absent once the work was withdrawn. `hash` is `sha256:` and hex, `size` in bytes. */
  readonly content?: {
    readonly url: string
    readonly mediaType: string | null
    readonly hash: string | null
    readonly size: number | null
    /** Whether the registry has read it, which it does without asking anybody for leave. */
    readonly isOpen: boolean
  }
  /** The address of the version's receipt. */
  readonly receiptUrl: string
  /** The host of the registry. */
  readonly registry: string
  /** Who runs the registry, and deposits its works elsewhere; absent where that is not told. */
  readonly operator?: { readonly name: string; readonly email: string }
  /** Why, when and by which organization it was withdrawn; absent while the work stands. */
  readonly withdrawal?: { readonly reason: string; readonly at: string; readonly by?: string }
}

/** The authors of a work, each with what `author_details` says of the one at their place. */
export function describeAuthors(
  metadata: Pick<Metadata, 'authors' | 'author_details'>,
): readonly DescribedAuthor[] {
  const names = splitAuthors(metadata.authors)
  const initialed = initialedNames(names)
  return names.map((name, index) => {
    const detail = metadata.author_details?.[index]
    const isPerson = initialed.includes(name)
    return readAuthor({ name, ...(isPerson && { name_type: 'person' as const }), ...detail })
  })
}

/**
 * An author with what their name alone tells: `Martin Luther King, Jr.` is a whole name with a
 * suffix, and no family name with a given one.
 */
export function readAuthor<A extends DescribedAuthor>(author: A): A {
  return author.family === undefined ? { ...author, ...readName(author.name) } : author
}

/** A contributor read as an author is: by the whole name, or by the part of it that is known. */
export function readContributor(contributor: Contributor): Contributor & DescribedAuthor {
  const { name, family, given } = contributor
  return readAuthor({ ...contributor, name: name ?? family ?? given ?? '' })
}

/** What a work stands in, and what kind of thing that is. */
export type Container = {
  readonly kind: ContainerKind
  readonly title: string | undefined
  /** `1234-5678` of the journal or series. */
  readonly issn: string | undefined
  /** Of the book. */
  readonly isbn: string | undefined
}

export type ContainerKind = 'journal' | 'book' | 'proceedings' | 'series' | 'event' | 'other'

/** What the works of a type stand in, where they stand in anything. */
const containerKinds: Readonly<Record<WorkType, ContainerKind>> = {
  article: 'journal',
  review_article: 'journal',
  editorial: 'journal',
  letter: 'journal',
  data_paper: 'journal',
  peer_review: 'journal',
  book_chapter: 'book',
  conference_paper: 'proceedings',
  book: 'series',
  proceedings: 'series',
  thesis: 'series',
  report: 'series',
  working_paper: 'series',
  data_management_plan: 'series',
  standard: 'series',
  poster: 'event',
  presentation: 'event',
  lecture: 'event',
  preprint: 'other',
  dataset: 'other',
  software: 'other',
  workflow: 'other',
  patent: 'other',
  image: 'other',
  video: 'other',
  audio: 'other',
  award: 'other',
  collection: 'other',
  computational_notebook: 'other',
  event: 'other',
  instrument: 'other',
  interactive_resource: 'other',
  journal: 'other',
  model: 'other',
  physical_object: 'other',
  project: 'other',
  service: 'other',
  study_registration: 'other',
  text: 'other',
  other: 'other',
}

/** What the works of a type stand in, where nothing is known of one. */
export function containerKindOf(type: WorkType): ContainerKind {
  return containerKinds[type]
}

/** What a work stands in: every format has it from here. */
export function containerOf({ metadata }: Pick<DescribedWork, 'metadata'>): Container {
  return {
    kind: containerKindOf(metadata.work_type),
    title: metadata.container_title,
    issn: issnOf(metadata),
    isbn: metadata.isbn?.[0]?.value ?? numberOf(metadata, 'ISBN'),
  }
}

/** The ISSN of what holds a work; of a book or a thesis, that of its series. */
function issnOf(metadata: DescribedMetadata): string | undefined {
  const { issn, series_issn } = metadata
  const told = issn?.[0] ?? (metadata.series_title === undefined ? series_issn?.[0] : undefined)
  return told?.value ?? numberOf(metadata, 'ISSN') ?? numberOf(metadata, 'EISSN')
}

/** Relations by which a work names the number of what it stands in. */
const within: ReadonlySet<string> = new Set(['IsPartOf', 'IsPublishedIn'])

function numberOf(
  { related_identifiers = [] }: DescribedMetadata,
  scheme: 'ISSN' | 'EISSN' | 'ISBN',
): string | undefined {
  const found = related_identifiers.find((one) => one.scheme === scheme && within.has(one.relation))
  if (found === undefined || scheme === 'ISBN') return found?.identifier
  return found.identifier.replace(/^(\d{4})-?(\d{3}[\dXx])$/, (_all, first, last) => {
    return `${first}-${String(last).toUpperCase()}`
  })
}

// The types that schema.org has pages of: its articles, chapters, volumes and issues.
const pagedTypes: ReadonlySet<string> = new Set([
  'ScholarlyArticle',
  'Report',
  'Chapter',
  'PublicationIssue',
])

/** Whether a work has pages in what it stands in, as articles and chapters do. */
export function hasPages({ metadata }: Pick<DescribedWork, 'metadata'>): boolean {
  return pagedTypes.has(workTypes[metadata.work_type].schemaOrg)
}

/** The institution that a thesis or a report is of: who publishes it, not the series it is in. */
export function institutionOf(
  { work_type }: Pick<DescribedMetadata, 'work_type'>,
  publisher: string | undefined,
): string | undefined {
  return ['thesis', 'report', 'working_paper'].includes(work_type) ? publisher : undefined
}

/** Where identifiers of a scheme lead, as the scheme itself has it. */
const schemeAddresses: Readonly<Record<string, string>> = closedTable({
  ARK: 'https://n2t.net/',
  arXiv: 'https://arxiv.org/abs/',
  Handle: 'https://hdl.handle.net/',
  PMID: 'https://pubmed.ncbi.nlm.nih.gov/',
  ISBN: 'urn:isbn:',
  ISSN: 'https://portal.issn.org/resource/ISSN/',
  EISSN: 'https://portal.issn.org/resource/ISSN/',
  LISSN: 'https://portal.issn.org/resource/ISSN-L/',
  SWHID: 'https://archive.softwareheritage.org/',
  bibcode: 'https://ui.adsabs.harvard.edu/abs/',
})

/** The address of another thing, where its scheme has one. */
export function relatedUrl({ scheme, identifier }: RelatedIdentifier): string | undefined {
  if (scheme === 'DOI') return doiUrl(identifier)
  if (/^(?:https?|urn):\S+$/i.test(identifier)) return identifier
  const address = schemeAddresses[scheme]
  return address === undefined ? undefined : address + encodePath(identifier)
}

/** The term of COAR for what everybody can read at once. */
export const openAccess = 'http://purl.org/coar/access_right/c_abf2'

type FoundContent = NonNullable<DescribedWork['content']>

/** Where something of a work is read, with what was found there if it is the content. */
type Location = Pick<WorkFile, 'url' | 'name' | 'media_type'> & { readonly found?: FoundContent }

/** Where a work is read: at its own address first, unless it was withdrawn, and at its files'. */
export function locationsOf({
  content,
  metadata,
}: Pick<DescribedWork, 'content' | 'metadata'>): readonly Location[] {
  const { files = [] } = metadata
  if (content === undefined) return files
  return [{ url: workAddress(metadata) }, ...files].map((location) => {
    if (location.url !== content.url) return location
    const { mediaType: media_type } = content
    return { ...(media_type !== null && { media_type }), ...location, found: content }
  })
}

/** Whether everybody can read the content: only what the registry has seen is said. */
export function isOpen({ content }: Pick<DescribedWork, 'content'>): boolean {
  return content?.isOpen === true
}

/** The title as it is cited: of a work that was retracted it begins with that. */
export function citedTitle(metadata: DescribedMetadata): string {
  return markedTitle(wholeTitle(metadata), metadata)
}

/** The title with the subtitle, where a record has that for itself. */
export function wholeTitle(metadata: DescribedMetadata): string {
  const { work_title } = metadata
  const subtitle = subtitleOf(metadata)
  if (subtitle === undefined) return work_title
  return /[:?!.–—-]$/.test(work_title) ? `${work_title} ${subtitle}` : `${work_title}: ${subtitle}`
}

/** The subtitle, unless the title ends with it. */
export function subtitleOf({ work_title, titles }: DescribedMetadata): string | undefined {
  const subtitle = titles?.find(({ kind }) => kind === 'subtitle')?.title
  return subtitle === undefined || work_title.endsWith(subtitle) ? undefined : subtitle
}

/** The keywords of a work, each on its own. */
export function keywordsOf({ keywords = '' }: DescribedMetadata): readonly string[] {
  return listKeywords(keywords)
}

/** The year of publication; undefined if it is not known. */
export function yearOf({ published_date }: DescribedMetadata): string | undefined {
  return published_date?.slice(0, 4)
}

/** What is said of a withdrawn work beside all else, in a sentence. */
function withdrawalNote({ withdrawal }: Standing): string | undefined {
  if (withdrawal === undefined) return undefined
  const { at, by, reason } = withdrawal
  const who = by === undefined ? '' : ` by ${by}`
  return `Withdrawn on ${at.slice(0, 10)}${who} (${reason.replaceAll('_', ' ')}).`
}

type Standing = { readonly metadata: NoticedMetadata } & Pick<DescribedWork, 'withdrawal'>

/**
 * What readers of a work must know of it, in sentences: that it was withdrawn from the registry,
 * and each notice that `isTold`. Undefined where there is nothing.
 */
export function standingNote(
  work: Standing,
  isTold: (kind: NoticeKind) => boolean = isChange,
): string | undefined {
  if (work.withdrawal === undefined && work.metadata.update_notices === undefined) return undefined
  const told = noticesOn(work.metadata).filter(({ kind }) => isTold(kind))
  const sentences = [withdrawalNote(work), ...told.map(noticeSentence)]
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? undefined : said.join(' ')
}

/** Whether a notice changes what a work is worth: that there is a newer edition does not. */
export function isChange(kind: NoticeKind): boolean {
  return kind !== 'new_edition' && kind !== 'new_version'
}

/** A notice in a sentence: `Retracted on 2026-03-01 by Journal of X. Notice: https://doi.org/…`. */
function noticeSentence({ kind, date, by, doi, ark }: UpdateNotice): string {
  const when = date === undefined ? '' : ` on ${date}`
  const who = by === undefined ? '' : ` by ${by}`
  const where = doi === undefined ? ark : doiUrl(doi)
  return `${noticeNames[kind]}${when}${who}.${where === undefined ? '' : ` Notice: ${where}`}`
}

// What publishers put before the titles of works that are not to be relied on any more.
const marking = 'retracted|retraction|withdrawn|withdrawal|removed'
const marked = 'article|chapter|notice|paper|of|to'
const markWords = new RegExp(`^\\W*(?:${marking})(?:\\s+(?:${marked}))*`, 'i')
const markEnd = /^\s*(?:[:\])]|\s[–—-]\s)/

const marks: { readonly [K in NoticeKind]?: string } = {
  retraction: 'RETRACTED',
  withdrawal: 'WITHDRAWN',
  removal: 'REMOVED',
}

/** What the mark of a title is made of. */
type MarkedBy = NoticedMetadata & Pick<DescribedWork, 'withdrawal'>

/** The title of a work as it is cited: of one that was retracted or withdrawn, it begins so. */
export function markedTitle(title: string, by: MarkedBy): string {
  const { withdrawal } = by
  const [gravest] = noticesOn(by)
  const told = gravest && marks[gravest.kind]
  const ended = withdrawal?.reason === 'retraction' ? 'RETRACTED' : withdrawal && 'WITHDRAWN'
  const mark = told ?? ended
  return mark === undefined || isMarked(title) ? title : `${mark}: ${title}`
}

/** Whether a title begins with such a mark already. */
export function isMarked(title: string): boolean {
  const [words] = markWords.exec(title) ?? []
  return words !== undefined && markEnd.test(title.slice(words.length))
}

// Hyphens, dashes, the sign of minus and wave dashes: all of them stand between pages.
const rangeSigns = String.raw`\u2010-\u2015\u2212\ufe58\ufe63\uff0d~\u301c\uff5e-`
const page = String.raw`([^\s,;${rangeSigns}]+)`
const oneRange = new RegExp(String.raw`^${page}(?:\s*[${rangeSigns}]+\s*|\s+(?:to|bis)\s+)${page}$`)
// A hyphen is within a page of `103-1–103-9`.
const dashedRange = /^([^\s,;–]+)\s*–\s*([^\s,;–]+)$/
const betweenPages = new RegExp(String.raw`(?<=\S)\s*[${rangeSigns}]+\s*(?=\S)`, 'g')
const pageWord = new RegExp(
  String.raw`^(?:(?:pp?|p[aá]?gs?|pages?|p[aá]ginas?|seiten?)(?:\.\s*|\s+)|` +
    String.raw`(?:s|str|с|стр)\.\s*|[第頁页])(?=\S*\d|[ivxlc]+(?![a-z]))`,
  'i',
)
const pageWordAtEnd = /(?:\s+(?:pp?\.?|pages|p[aá]gs?\.|[sс]\.)|[页頁])$/i

/** The first page of a work and, where there is one, the last: of `108–248` both. */
export function pageRange(metadata: Pick<DescribedMetadata, 'pages'>): PageRange {
  const { first, last } = writtenRange(metadata)
  if (first === undefined || last === undefined) return { ...(first !== undefined && { first }) }
  return { first, last: wholePage(first, last) }
}

type PageRange = { readonly first?: string; readonly last?: string }

/** The last page of `123–5`, `1123–25` and `S12–9`, which say only what differs from the first. */
function wholePage(first: string, last: string): string {
  const [, sign = '', number] = /^(\p{L}{0,3})(\d+)$/u.exec(first) ?? []
  if (number === undefined || !/^\d+$/.test(last)) return last
  const whole = number.slice(0, Math.max(number.length - last.length, 0)) + last
  const isShort = sign !== '' || last.length < number.length
  return isShort && Number(whole) > Number(number) ? sign + whole : last
}

/** The first and the last page as they are written. */
function writtenRange({ pages }: Pick<DescribedMetadata, 'pages'>): PageRange {
  if (pages === undefined || pageCountIn(pages) !== undefined) return {}
  const plain = pages.replace(pageWord, '')
  const range = plain.replace(pageWordAtEnd, '')
  const [, first, last] = oneRange.exec(range) ?? dashedRange.exec(range) ?? []
  if (first === undefined || last === undefined) return { first: plain }
  return { first, last: last.replace(pageWord, '') }
}

/** Pages as a format has them, with its sign between the first and the last. */
export function pagesText(
  metadata: Pick<DescribedMetadata, 'pages'>,
  sign: string,
): string | undefined {
  const { first, last } = writtenRange(metadata)
  if (last !== undefined) return `${first}${sign}${last}`
  return first?.replace(betweenPages, sign)
}

/** What schema.org calls the place where a program's code is kept, in the note of the relation. */
export const codeRepositoryNote = 'codeRepository'

/** Where the code of a program is kept. */
export function repositoryOf({ related_identifiers }: DescribedMetadata): string | undefined {
  return related_identifiers?.find(({ note }) => note === codeRepositoryNote)?.identifier
}

/** How many pages a whole has, as one of its sizes says: `312 pages`. */
export function pageCountOf({ pages = '', sizes }: DescribedMetadata): string | undefined {
  for (const size of sizes ?? []) {
    const count = /^(\d+) pages?$/.exec(size)?.[1]
    if (count !== undefined) return count
  }
  return pageCountIn(pages)
}

/** What a catalogue or an archive calls the work: `SWHID`, `arXiv`. */
export function nameIn(
  { alternate_identifiers }: DescribedMetadata,
  catalogue: string,
): string | undefined {
  const named = alternate_identifiers?.find(({ type }) => {
    return type.toLowerCase() === catalogue.toLowerCase()
  })
  return named?.identifier
}

/** The addresses of the files that are told to be PDF. */
export function pdfAddresses({ files }: DescribedMetadata): readonly string[] {
  const all = files?.filter(({ media_type }) => media_type === 'application/pdf') ?? []
  return all.map(({ url }) => url)
}
