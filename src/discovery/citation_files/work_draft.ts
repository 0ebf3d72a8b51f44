import { joinAuthors, wholeName } from '#actors/values/author_name.ts'
import { doiUrl, foldDoi, foldOrcid, type RelatedIdentifier } from '#actors/values/identifier.ts'
import { recognizeLanguage } from '#actors/values/language.ts'
import { foldLicense, recognizeLicense } from '#actors/values/license.ts'
import { foldWorkType, type WorkType } from '#actors/values/work_type.ts'
import type { AuthorDetail, Funding } from '#actors/works/metadata.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import {
  type FieldNotes,
  NoteList,
  quote,
  type ReadNote,
} from '#src/discovery/citation_files/citation_file.ts'
import type { CslName, CslRecord } from '#src/discovery/citation_files/citation_library.ts'
import type { SourceDate } from '#src/discovery/citation_files/dates.ts'

/** A name as files have it: a person's in parts, or anybody's whole. */
export type SourceAuthor = {
  readonly given?: string | undefined
  /** With its particles. */
  readonly family?: string | undefined
  /** `Jr.`, `III` */
  readonly suffix?: string | undefined
  readonly literal?: string | undefined
  readonly orcid?: string | undefined
  readonly affiliation?: string | undefined
  readonly ror?: string | undefined
}

/**
 * What a file says of a work, in texts without marks. Of addresses and dates, the first ones that
 * can be read count.
 */
export type SourceWork = {
  readonly work_type: WorkType
  readonly work_title?: string
  readonly subtitle?: string
  readonly authors?: readonly SourceAuthor[]
  /** Who is taken for its authors where it names none. */
  readonly editors?: readonly SourceAuthor[]
  readonly description?: string
  readonly urls?: readonly { readonly url: string; readonly at: FieldNotes }[]
  readonly existing_doi?: string
  readonly keywords?: readonly string[]
  readonly language?: string
  readonly license?: string
  readonly dates?: readonly (SourceDate & { readonly at: FieldNotes; readonly text: string })[]
  readonly publisher_name?: string
  readonly container_title?: string
  readonly volume?: string
  readonly issue?: string
  readonly pages?: string
  readonly first_page?: string
  readonly last_page?: string
  readonly article_number?: string
  readonly related_identifiers?: readonly RelatedIdentifier[]
  readonly funding?: readonly Funding[]
}

/** The body of a creation, unchecked, of what a file says of a work. */
export function draftBody(work: SourceWork, notes: NoteList): Readonly<Record<string, unknown>> {
  const { work_title, subtitle } = work
  return withoutAbsent({
    work_title: joinTitle(work_title, subtitle),
    work_type: work.work_type,
    ...authorFields(work, notes),
    description: work.description,
    ...addressFields(work),
    keywords: joinKeywords(work.keywords ?? []),
    language: work.language,
    license: work.license,
    published_date: chooseDate(work.dates ?? []),
    publisher_name: work.publisher_name,
    container_title: work.container_title,
    volume: work.volume,
    issue: work.issue,
    pages: pagesOf(work),
    related_identifiers: someOf(distinct(work.related_identifiers ?? [])),
    funding: someOf(work.funding),
  })
}

function someOf<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values
}

/** Relations that both sides tell stand in some files twice. */
function distinct(related: readonly RelatedIdentifier[]): readonly RelatedIdentifier[] {
  return [...new Map(related.map((each) => [JSON.stringify(each), each])).values()]
}

function joinTitle(title: string | undefined, subtitle: string | undefined): string | undefined {
  // Some files have the subtitle in the title as well.
  if (title === undefined || subtitle === undefined || title.endsWith(subtitle)) return title
  return /[:?!.–—-]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`
}

function authorFields(work: SourceWork, notes: NoteList): Record<string, unknown> {
  const { authors = [], editors = [] } = work
  const isEdited = authors.length === 0
  const names = (isEdited ? editors : authors).map(describe).filter(({ name }) => name !== '')
  if (isEdited && names.length > 0) {
    notes.add('taken_as', '', 'Its editors are taken for its authors.')
  } else if (editors.length > 0) {
    const shown = editors.map(describe).map(({ name }) => name)
    notes.add('left_out', '', `Its editors are left out: ${quote(shown.join('; '))}.`)
  }
  if (names.length === 0) return {}
  return { authors: joinAuthors(names.map(({ name }) => name)), author_details: names }
}

function describe({ literal, suffix, ...name }: SourceAuthor): AuthorDetail & { name: string } {
  const { given, family } = name
  const parts = { given: given ?? '', family: family ?? '' }
  const whole = literal ?? [wholeName(parts), suffix].filter(Boolean).join(' ')
  // A semicolon would part a name in two.
  return withoutAbsent({ name: whole.replaceAll(';', ',').trim(), ...name }) as AuthorDetail & {
    name: string
  }
}

/** An address that is a DOI says what the work is called, and not where it is. */
function addressFields({ urls = [], existing_doi }: SourceWork): Record<string, unknown> {
  let doi = existing_doi
  let url: string | undefined
  for (const each of urls) {
    const named = isDoiAddress(each.url) ? readDoi(each.url) : undefined
    if (named === undefined) {
      if (url === undefined) url = each.url
      else if (url !== each.url) noteOther(each.at, each.url)
    } else if (doi === undefined) doi = named
    else if (doi.toLowerCase() !== named) noteOther(each.at, doiUrl(named))
  }
  return { work_url: url, existing_doi: doi }
}

function isDoiAddress(url: string): boolean {
  return /^https?:\/\/(?:www\.|dx\.)?doi\.org\//i.test(url)
}

function noteOther(at: FieldNotes, url: string): void {
  at.add('repeated', `${at.field}: ${quote(url)} is left out; the first address counts.`)
}

/** The first date that can be read; one that says more of the same year, month and day counts. */
function chooseDate(dates: NonNullable<SourceWork['dates']>): string | undefined {
  const first = dates.find(({ date }) => date !== undefined)
  const chosen = dates.reduce((best, each) => {
    return best?.date !== undefined && each.date?.startsWith(best.date) ? each : best
  }, first)
  for (const each of dates) noteDate(each, chosen)
  return chosen?.date
}

function noteDate(
  { date, remark, at, text }: NonNullable<SourceWork['dates']>[number],
  chosen: SourceDate | undefined,
): void {
  const shown = quote(text)
  if (date === undefined) {
    if (remark !== undefined && chosen?.date === undefined) at.notRead(text, remark)
    else if (remark !== undefined)
      at.add('not_read', `${at.field} "${shown}" is left out: ${remark}.`)
  } else if (!chosen?.date?.startsWith(date)) {
    at.add('repeated', `${at.field} "${shown}" is left out: ${chosen?.date} counts.`)
  } else if (remark !== undefined && chosen.date === date) {
    at.add('taken_as', `${at.field} "${shown}" is taken as ${date}: ${remark}.`, true)
  }
}

function pagesOf({ pages, first_page, last_page, article_number }: SourceWork): string | undefined {
  if (pages !== undefined) return pages
  if (first_page === undefined) return last_page ?? article_number
  // Some programs write both pages in the first one.
  const isRange = last_page === undefined || /[-–,]/.test(first_page)
  return isRange ? first_page : `${first_page}-${last_page}`
}

/** Keywords as one text: with semicolons between them where one of them has a comma. */
function joinKeywords(keywords: readonly string[]): string | undefined {
  const words = [...new Set(keywords.map((word) => word.replaceAll(';', ',').trim()))]
  const named = words.filter((word) => word !== '')
  if (named.length === 0) return undefined
  return named.join(named.some((word) => word.includes(',')) ? '; ' : ', ')
}

function withoutAbsent(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** The authors of a draft. */
type DraftAuthors = {
  readonly authors: string | undefined
  readonly author_details: readonly AuthorDetail[] | undefined
}

/** The names of CSL as `authors` and `author_details` have them. */
function draftAuthors(names: readonly CslName[], notes: NoteList): DraftAuthors {
  const named = names.filter((name) => !isOthers(name) && displayName(name) !== '')
  if (named.length < names.length && names.some(isOthers)) {
    notes.add('left_out', 'author', 'There are more authors than it names ("and others").')
  }
  if (named.length === 0) return { authors: undefined, author_details: undefined }
  const details = named.map((name) => describeCsl(name, notes))
  return { authors: joinAuthors(details.map(({ name }) => name)), author_details: details }
}

// What ends a list of authors that goes on elsewhere.
function isOthers({ family, literal, given }: CslName): boolean {
  return given === undefined && (family ?? literal)?.toLowerCase() === 'others'
}

function describeCsl(name: CslName, notes: NoteList): AuthorDetail & { readonly name: string } {
  const whole = displayName(name)
  const { given, family } = name
  const annotated = name['_orcid'] ?? name.ORCID
  const orcid = typeof annotated === 'string' ? foldOrcid(annotated.trim()) : undefined
  if (annotated !== undefined && orcid === undefined) {
    const message = `The ORCID iD of ${whole} is not a right one, and was left out.`
    notes.add('not_read', 'author', message)
  }
  return {
    name: whole,
    ...(given !== undefined && { given }),
    ...(given !== undefined && family !== undefined && { family: join(particle(name), family) }),
    ...(orcid !== undefined && { orcid }),
    ...(name.affiliation !== undefined && { affiliation: name.affiliation }),
  }
}

// A semicolon would part a name in two.
function displayName(name: CslName): string {
  const { literal, given, family, suffix } = name
  const parts = { given: given ?? '', family: join(particle(name), family) }
  const whole = literal ?? join(wholeName(parts), suffix)
  return whole.replaceAll(';', ',').trim()
}

function particle(name: CslName): string {
  return join(name['dropping-particle'], name['non-dropping-particle'])
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}

/** What a file says beside what CSL has room for; absent where CSL says it. */
export type FileFacts = {
  readonly work_type: string
  readonly doi?: string | undefined
  readonly url?: string | undefined
  readonly date?: string | undefined
  readonly keywords?: string | undefined
  readonly language?: string | undefined
  readonly license?: string | undefined
  readonly publisher?: string | undefined
  readonly pages?: string | undefined
}

/** The body of a creation, unchecked, and what was left out. */
type WorkDraft = {
  readonly body: Readonly<Record<string, unknown>>
  readonly notes: readonly ReadNote[]
}

/** Makes the body of a creation of a record of CSL and what else its file says. */
export function draftWork(csl: CslRecord, facts: FileFacts, line = 1): WorkDraft {
  const left = new NoteList(line)
  const { authors, author_details } = authorsOf(csl, left)
  const url = facts.url ?? textOf(csl['URL'])
  const doiGiven = facts.doi ?? textOf(csl['DOI'])
  // An address that is a DOI says where the work is, and what it is called as well.
  const doi = doiGiven ?? (url && /doi\.org\//i.test(url) ? foldDoi(url) : undefined)
  const language = facts.language ?? textOf(csl['language'])
  const body = withoutAbsent({
    work_title: plainText(csl['title']),
    work_type: facts.work_type,
    authors,
    author_details,
    description: plainText(csl['abstract']),
    work_url: doi !== undefined && doiGiven === undefined ? undefined : url,
    existing_doi: doi,
    keywords: keywordsText(facts.keywords ?? textOf(csl['keyword'])),
    language: known('language', language, recognizeLanguage, left),
    license: known('license', facts.license, licenseOf, left),
    published_date: facts.date ?? dateOf(csl['issued']),
    publisher_name: facts.publisher ?? plainText(csl['publisher']),
    container_title: plainText(
      csl['container-title'] ?? csl['collection-title'] ?? csl['event-title'],
    ),
    volume: textOf(csl['volume'] ?? csl['collection-number']),
    issue: textOf(csl['issue'] ?? csl['number']),
    pages: facts.pages ?? textOf(csl['page']),
  })
  return { body, notes: left.notes }
}

function authorsOf(csl: CslRecord, notes: NoteList): DraftAuthors {
  const drafted = draftAuthors(namesOf(csl['author']), notes)
  if (drafted.authors !== undefined) return drafted
  const editors = draftAuthors(namesOf(csl['editor']), notes)
  if (editors.authors === undefined) return drafted
  notes.add('taken_as', 'editor', 'Its editors are taken for its authors.')
  return editors
}

function namesOf(value: unknown): readonly CslName[] {
  return Array.isArray(value) ? (value as readonly CslName[]) : []
}

function licenseOf(text: string): string | undefined {
  return foldLicense(text) ?? recognizeLicense(text)
}

/** A value of one of our vocabularies; any other is left out, and a note says so. */
function known(
  field: string,
  text: string | undefined,
  fold: (text: string) => string | undefined,
  notes: NoteList,
): string | undefined {
  const folded = text && fold(text)
  if (text && folded === undefined) {
    const message = `The ${field} "${text.slice(0, 100)}" is not one we know, and was left out.`
    notes.add('not_read', field, message)
  }
  return folded
}

// The marks that the library makes of LaTeX's; other things in angle brackets are text.
const marks = /<\/?(?:i|b|sup|sub|span(?: [^<>]*)?)>/g

function plainText(value: unknown): string | undefined {
  return textOf(value)?.replace(marks, '').replace(/\s+/g, ' ').trim()
}

function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number') return String(first)
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined
}

function keywordsText(text: string | undefined): string | undefined {
  const words = text?.split(/[,;\n]/).map((word) => word.trim()) ?? []
  return words.filter((word) => word !== '').join(', ') || undefined
}

/** A date of CSL as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or as the text that it is. */
function dateOf(value: unknown): string | undefined {
  const date = (value ?? {}) as {
    readonly 'date-parts'?: readonly (readonly (number | string)[] | undefined)[]
    readonly literal?: unknown
    readonly raw?: unknown
  }
  const [year, ...rest] = date['date-parts']?.[0] ?? []
  if (year === undefined) return textOf(date.literal) ?? textOf(date.raw)
  const parts = [String(year).padStart(4, '0')]
  for (const part of rest) parts.push(String(part).padStart(2, '0'))
  return parts.join('-')
}

// The types of entries whose names are no names of ours.
const bibtexTypes: Readonly<Record<string, WorkType>> = {
  mvbook: 'book',
  booklet: 'book',
  collection: 'book',
  mvcollection: 'book',
  reference: 'book',
  mvreference: 'book',
  bookinbook: 'book_chapter',
  inbook: 'book_chapter',
  inreference: 'book_chapter',
  suppbook: 'book_chapter',
  suppcollection: 'book_chapter',
  conference: 'conference_paper',
  mvproceedings: 'proceedings',
  suppperiodical: 'article',
  manual: 'report',
  techreport: 'report',
  unpublished: 'preprint',
  review: 'review_article',
  artwork: 'image',
  movie: 'video',
  music: 'audio',
  misc: 'other',
  online: 'other',
  electronic: 'other',
  www: 'other',
}

/** Our name of a type of BibTeX and BibLaTeX entries; other types are `other`. */
export function bibtexWorkType(type: string): WorkType {
  return find(bibtexTypes, type.toLowerCase()) ?? foldWorkType(type) ?? 'other'
}

function find(types: Readonly<Record<string, WorkType>>, name: string): WorkType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}
