import { joinAuthors, wholeName } from '#actors/values/author_name.ts'
import { foldDoi, foldOrcid } from '#actors/values/identifier.ts'
import { recognizeLanguage } from '#actors/values/language.ts'
import { foldLicense, recognizeLicense } from '#actors/values/license.ts'
import { foldWorkType, type WorkType } from '#actors/values/work_type.ts'
import type { AuthorDetail } from '#actors/works/metadata.ts'
import { NoteList, type ReadNote } from '#src/discovery/citation_files/citation_file.ts'
import type { CslName, CslRecord } from '#src/discovery/citation_files/citation_library.ts'

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
  const details = named.map((name) => describe(name, notes))
  return { authors: joinAuthors(details.map(({ name }) => name)), author_details: details }
}

// What ends a list of authors that goes on elsewhere.
function isOthers({ family, literal, given }: CslName): boolean {
  return given === undefined && (family ?? literal)?.toLowerCase() === 'others'
}

function describe(name: CslName, notes: NoteList): AuthorDetail & { readonly name: string } {
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
    keywords: joinKeywords(facts.keywords ?? textOf(csl['keyword'])),
    language: known('language', language, recognizeLanguage, left),
    license: known('license', facts.license, licenseOf, left),
    published_date: facts.date ?? dateOf(csl['issued']),
    publisher_name: facts.publisher ?? plainText(csl['publisher']),
    container_title: plainText(csl['container-title']),
    volume: textOf(csl['volume']),
    issue: textOf(csl['issue']),
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

function joinKeywords(text: string | undefined): string | undefined {
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

function withoutAbsent(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
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

const risTypes: Readonly<Record<string, WorkType>> = {
  JOUR: 'article',
  JOURN: 'article',
  EJOUR: 'article',
  JFULL: 'article',
  INPR: 'article',
  MGZN: 'article',
  NEWS: 'article',
  ABST: 'article',
  BOOK: 'book',
  EBOOK: 'book',
  EDBOOK: 'book',
  CHAP: 'book_chapter',
  ECHAP: 'book_chapter',
  CPAPER: 'conference_paper',
  CONF: 'proceedings',
  THES: 'thesis',
  RPRT: 'report',
  GOVDOC: 'report',
  UNPB: 'preprint',
  MANSCPT: 'preprint',
  DATA: 'dataset',
  DBASE: 'dataset',
  AGGR: 'dataset',
  COMP: 'software',
  PAT: 'patent',
  STAND: 'standard',
  FIGURE: 'image',
  CHART: 'image',
  ART: 'image',
  MAP: 'image',
  VIDEO: 'video',
  MPCT: 'video',
  SOUND: 'audio',
  MUSIC: 'audio',
  SLIDE: 'presentation',
}

/** Our name of a type of BibTeX and BibLaTeX entries; other types are `other`. */
export function bibtexWorkType(type: string): WorkType {
  return find(bibtexTypes, type.toLowerCase()) ?? foldWorkType(type) ?? 'other'
}

/** Our name of a type of RIS records; other types are `other`. */
export function risWorkType(type: string): WorkType {
  return find(risTypes, type.toUpperCase()) ?? 'other'
}

/** Whether a type of RIS records is one that we know. */
export function isRisType(type: string): boolean {
  return Object.hasOwn(risTypes, type.toUpperCase())
}

function find(types: Readonly<Record<string, WorkType>>, name: string): WorkType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined
}
