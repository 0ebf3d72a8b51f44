import type { MarkedPiece } from '#actors/values/markup.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import {
  type CitedAuthor,
  type CitedName,
  invertedParts,
} from '#src/discovery/formats/author_names.ts'
import {
  type CitedWork,
  citedWork,
  hasCitedDetails,
  titleOf,
} from '#src/discovery/formats/cited_work.ts'
import {
  type DescribedMetadata,
  type DescribedWork,
  keywordsOf,
  nameIn,
  pageCountOf,
  pagesText,
  pdfAddresses,
  repositoryOf,
  subtitleOf,
} from '#src/discovery/formats/described_work.ts'
import { latexName, latexText, latexTitle } from '#src/discovery/formats/latex_text.ts'
import { citedPieces, mainPieces, titlePieces } from '#src/discovery/formats/title_marks.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * A work as an entry of BibTeX, in UTF-8. Its key is made of the ARK, and of the version that is
 * cited, and so never changes.
 */
export function formatBibtex(work: DescribedWork): string {
  const cited = inEvent(citedWork(work), work)
  const type = bibtexType(cited)
  const [year, month, day] = work.metadata.published_date?.split('-') ?? []
  const container = bibtexContainer(type, cited)
  const { language } = work.metadata
  return writeEntry(type, cited, [
    who(cited),
    field('title', piecesText(citedPieces(work.metadata), language)),
    field(container, containerText(container, work, cited)),
    field('type', isNamed.has(type) ? text(cited.kind) : undefined),
    field('year', text(year)),
    field('month', months[Number(month) - 1]),
    field('day', day === undefined ? undefined : braced(String(Number(day)))),
    numbers(work, cited),
    field(bibtexPublisher[type] ?? 'publisher', text(work.publisher)),
    field('eprint', braced(cited.arxiv)),
    field('archiveprefix', cited.arxiv === undefined ? undefined : '{arXiv}'),
    identifiers(work, cited),
    field('langid', braced(babelNames[language ?? ''])),
    field('language', text(language)),
    field('note', noteOf(cited, bibtexPublisher[type] === undefined, false)),
    rest(work),
    details(work, cited, 'address'),
  ])
}

/** BibTeX has no field for an event: it holds what nothing else is said to hold. */
function inEvent(cited: CitedWork, { metadata }: DescribedWork): CitedWork {
  const { container } = cited
  const { kind, title = metadata.event?.name } = container
  const isHeld = kind === 'event' || kind === 'proceedings'
  return isHeld ? { ...cited, container: { ...container, title } } : cited
}

/** What BibTeX calls a work. It has two kinds of theses: one is of doctors, or of no degree. */
export function bibtexType({ degree, type }: Pick<CitedWork, 'degree' | 'type'>): string {
  const isOther = degree !== undefined && degree !== 'doctor'
  return isOther ? 'mastersthesis' : workTypes[type].bibtex
}

// Of these, `type` says what their own name does not.
const isNamed: ReadonlySet<string> = new Set([
  'mastersthesis',
  'misc',
  'online',
  'phdthesis',
  'techreport',
  'thesis',
  'report',
  'unpublished',
])

/** Where styles print the publisher of the types of which they print nothing that holds them. */
const bibtexPublisher: Readonly<Record<string, string>> = {
  techreport: 'institution',
  mastersthesis: 'school',
  phdthesis: 'school',
  misc: 'howpublished',
}

function bibtexContainer(type: string, { container: { kind } }: CitedWork): string {
  if (kind === 'journal') return 'journal'
  return kind === 'series' ? 'series' : 'booktitle'
}

/** A work as an entry of BibLaTeX, which has names for more of what is known. */
export function formatBiblatex(work: DescribedWork): string {
  const cited = citedWork(work)
  const type = biblatexTypes[cited.type]
  const container = biblatexContainer(work, cited)
  const { language, published_date } = work.metadata
  const langid = babelNames[language ?? '']
  return writeEntry(type, cited, [
    who(cited),
    field(`${cited.role}+an:orcid`, braced(orcidsOf(work))),
    field('title', piecesText(mainPieces(work.metadata), language)),
    field('subtitle', subtitleText(work.metadata)),
    field(container, containerText(container, work, cited)),
    field('type', isNamed.has(type) ? text(cited.kind) : undefined),
    field('date', text(published_date)),
    numbers(work, cited),
    field(biblatexPublisher[type] ?? 'publisher', text(work.publisher)),
    field('eprint', braced(cited.arxiv)),
    field('eprinttype', cited.arxiv === undefined ? undefined : '{arxiv}'),
    identifiers(work, cited),
    field('langid', braced(langid)),
    field('language', langid === undefined ? text(language) : undefined),
    field('note', noteOf(cited, isPlaced(type, container), !unversioned.has(type))),
    rest(work),
    details(work, cited, 'location'),
    biblatexDetails(work, cited, container),
  ])
}

const biblatexTypes: Readonly<Record<WorkType, string>> = {
  article: 'article',
  review_article: 'article',
  editorial: 'article',
  letter: 'article',
  data_paper: 'article',
  preprint: 'online',
  book: 'book',
  book_chapter: 'incollection',
  conference_paper: 'inproceedings',
  proceedings: 'proceedings',
  poster: 'unpublished',
  presentation: 'unpublished',
  lecture: 'unpublished',
  thesis: 'thesis',
  report: 'report',
  working_paper: 'report',
  data_management_plan: 'report',
  dataset: 'dataset',
  software: 'software',
  patent: 'patent',
  standard: 'standard',
  image: 'image',
  video: 'video',
  audio: 'audio',
  workflow: 'misc',
  peer_review: 'misc',
  award: 'misc',
  collection: 'misc',
  computational_notebook: 'software',
  event: 'misc',
  instrument: 'misc',
  interactive_resource: 'online',
  journal: 'misc',
  model: 'misc',
  physical_object: 'misc',
  project: 'misc',
  service: 'misc',
  study_registration: 'misc',
  text: 'misc',
  other: 'misc',
}

const biblatexContainers: Readonly<Record<CitedWork['container']['kind'], string>> = {
  journal: 'journaltitle',
  book: 'booktitle',
  proceedings: 'booktitle',
  series: 'series',
  event: 'eventtitle',
  other: 'booktitle',
}

/** What is held at an event stands in that alone, unless it was made for another one. */
function biblatexContainer({ metadata }: DescribedWork, { container }: CitedWork): string {
  const event = metadata.event?.name
  const isOther = container.kind === 'event' && event !== undefined && event !== container.title
  return isOther ? 'booktitle' : biblatexContainers[container.kind]
}

/** Where its standard styles print the publisher of a type. */
const biblatexPublisher: Readonly<Record<string, string>> = {
  thesis: 'institution',
  report: 'institution',
  online: 'organization',
  unpublished: 'howpublished',
  misc: 'howpublished',
  software: 'howpublished',
  standard: 'howpublished',
  image: 'howpublished',
  video: 'howpublished',
  audio: 'howpublished',
}

// Types of which its standard styles print what they stand in, and those without a version.
const placed: ReadonlySet<string> = new Set([
  'article',
  'book',
  'incollection',
  'inproceedings',
  'proceedings',
])
const unversioned: ReadonlySet<string> = new Set([...placed, 'unpublished', 'thesis', 'patent'])

function isPlaced(type: string, container: string): boolean {
  return placed.has(type) || (type === 'unpublished' && container === 'eventtitle')
}

/** Fields are texts, '' where there is nothing to say: lists of pairs would cost as much again. */
function writeEntry(type: string, { id }: CitedWork, fields: readonly string[]): string {
  // Colons and slashes are no trouble for BibTeX, but for packages that make them active.
  return `@${type}{${id.replace(/[:/]+/g, '-')}${fields.join('')}\n}\n`
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,\n  ${name} = ${value}`
}

function who({ names, role }: CitedWork): string {
  return field(role, peopleText(names))
}

/** The ORCID iDs of those who are named, by their places, as programs annotate names. */
function orcidsOf({ authors }: DescribedWork): string | undefined {
  let told = ''
  for (const [index, { orcid }] of authors.entries()) {
    if (orcid !== undefined) told += `${told === '' ? '' : '; '}${index + 1}="${orcid}"`
  }
  return told || undefined
}

function titleText(title: string, language: string | undefined): string | undefined {
  return piecesText(titlePieces(title), language)
}

function piecesText(pieces: readonly MarkedPiece[], language: string | undefined) {
  return braced(latexTitle(pieces, language))
}

function subtitleText(metadata: DescribedMetadata): string | undefined {
  const subtitle = subtitleOf(metadata)
  if (subtitle === undefined) return undefined
  const { markup } = metadata.titles?.find(({ kind }) => kind === 'subtitle') ?? {}
  return piecesText(titlePieces(subtitle, markup), metadata.language)
}

function peopleText(names: readonly CitedAuthor[] = []): string | undefined {
  let people = ''
  for (const { name } of names) people += people === '' ? nameText(name) : ` and ${nameText(name)}`
  return braced(people === '' ? undefined : people)
}

/** Journals are printed as they are, books and series as titles. */
function containerText(
  name: string,
  { metadata }: DescribedWork,
  { container: { title } }: CitedWork,
): string | undefined {
  if (title === undefined || name.startsWith('journal')) return text(title)
  return titleText(title, metadata.language)
}

function numbers({ metadata }: DescribedWork, cited: CitedWork): string {
  const pages = text(pagesText(metadata, '--'))?.replaceAll('-{}-', '--')
  const { issue, series_number } = metadata
  const { kind, title } = cited.container
  const isOfSeries = kind === 'series' && title !== undefined
  // To styles, the number of what is in a series is that of the series.
  const isInSeries = kind !== 'journal' && (isOfSeries || metadata.series_title !== undefined)
  const isPart = isInSeries && kind !== 'series'
  const number = isInSeries ? (series_number ?? (isPart ? undefined : issue)) : issue
  return (
    field('volume', text(metadata.volume)) +
    field('number', text(number)) +
    field('issue', isPart ? text(issue) : undefined) +
    field('pages', pages)
  )
}

/** The series that a work is in beside what holds it. */
function seriesOf({ series_title }: DescribedMetadata, { container }: CitedWork) {
  return container.kind === 'series' && container.title !== undefined ? undefined : series_title
}

function identifiers({ metadata, url }: DescribedWork, cited: CitedWork): string {
  return (
    field('issn', text(cited.container.issn)) +
    field('isbn', text(cited.container.isbn)) +
    field('version', text(cited.version)) +
    field('doi', braced(escapeAddress(metadata.existing_doi))) +
    field('url', braced(escapeAddress(url)))
  )
}

function rest({ metadata }: DescribedWork): string {
  return (
    field('keywords', text(listKeywords(keywordsOf(metadata)))) +
    field('copyright', text(metadata.license)) +
    // A line break alone is a space there: a blank line parts paragraphs.
    field('abstract', text(paragraphs(metadata.description)))
  )
}

/** What only whole records tell. */
function details(
  { metadata }: DescribedWork,
  cited: CitedWork,
  place: 'address' | 'location',
): string {
  if (!hasCitedDetails(metadata)) return ''
  const { others, type } = cited
  const series = seriesOf(metadata, cited)
  // Of other works, programs take `eid` for an issue.
  const isArticle = workTypes[type].bibtex === 'article'
  return (
    field('editor', peopleText(others?.editor)) +
    field('translator', peopleText(others?.translator)) +
    field('edition', text(metadata.edition)) +
    field(isArticle ? 'eid' : 'articleno', text(metadata.article_number)) +
    field('chapter', text(metadata.chapter_number)) +
    field('series', series === undefined ? undefined : titleText(series, metadata.language)) +
    field(place, text(metadata.publisher_place)) +
    field('shorttitle', text(titleOf(metadata, 'short'))) +
    field('pdf', braced(escapeAddress(pdfAddresses(metadata)[0])))
  )
}

/** What of that BibLaTeX alone has fields for. */
function biblatexDetails(
  { metadata }: DescribedWork,
  { container: { kind, title } }: CitedWork,
  container: string,
): string {
  if (!hasCitedDetails(metadata)) return ''
  const { event, container_short_title, issue_title } = metadata
  const isFree = container !== 'eventtitle' || title === undefined
  return (
    field('eventtitle', isFree ? text(event?.name) : undefined) +
    field('venue', text(event?.place)) +
    field('eventdate', braced(eventDates(event))) +
    field('origtitle', text(titleOf(metadata, 'original'))) +
    field('shortjournal', kind === 'journal' ? text(container_short_title) : undefined) +
    field('issuetitle', text(issue_title)) +
    field('pagetotal', braced(pageCountOf(metadata))) +
    // Of biblatex-software, which others pass over.
    field('swhid', braced(escapeAddress(nameIn(metadata, 'SWHID')))) +
    field('repository', braced(escapeAddress(repositoryOf(metadata))))
  )
}

/** `2020-01-02/2020-01-04`; of an end alone, the start is not known. */
function eventDates(event: DescribedMetadata['event']): string | undefined {
  const { start_date = '', end_date } = event ?? {}
  return end_date === undefined ? start_date || undefined : `${start_date}/${end_date}`
}

function paragraphs(description: string | undefined): string | undefined {
  return description?.includes('\n') === true ? description.replaceAll(/\n+/g, '\n\n') : description
}

/** What styles print by no other field of a type. */
function noteOf(
  { container, note, version }: CitedWork,
  isPlacePrinted: boolean,
  isVersionPrinted: boolean,
): string | undefined {
  const place = isPlacePrinted ? undefined : container.title
  if ((place ?? version ?? note) === undefined) return undefined
  const named = version === undefined || isVersionPrinted ? undefined : `Version ${version}`
  const parts = [place, named, note].filter((part) => part !== undefined)
  return text(parts.join('; ') || undefined)
}

function braced(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `{${value}}`
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : braced(latexText(value))
}

// Addresses are set as they are: only what would end the value, or the line, must not stand there.
function escapeAddress(address: string | undefined): string | undefined {
  return address?.replace(/[\\{}\s]/g, encodeURIComponent)
}

/**
 * `Family, Given`, `Family, Jr., Given`, or a whole name in braces, which is neither turned round
 * nor shortened.
 */
function nameText(name: CitedName): string {
  if ('literal' in name) return `{${latexName(name.literal)}}`
  const { family, given, suffix = '' } = name
  if (given === '') return `{${latexName(invertedParts(name))}}`
  return [family, suffix, given]
    .filter((part) => part !== '')
    .map(namePart)
    .join(', ')
}

// A comma or an `and` in a part of a name would end it.
function namePart(part: string): string {
  return /,|\band\b/i.test(part) ? `{${latexName(part)}}` : latexName(part)
}

// Readers part keywords at commas, or at semicolons where there is one.
function listKeywords(words: readonly string[]): string | undefined {
  return words.join(words.some((word) => word.includes(',')) ? '; ' : ', ') || undefined
}

/** What LaTeX's packages of languages call them, by the code of ISO 639-1. */
export const babelNames: Readonly<Record<string, string>> = {
  af: 'afrikaans',
  ar: 'arabic',
  be: 'belarusian',
  bg: 'bulgarian',
  bn: 'bengali',
  br: 'breton',
  ca: 'catalan',
  cs: 'czech',
  cy: 'welsh',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  eo: 'esperanto',
  es: 'spanish',
  et: 'estonian',
  eu: 'basque',
  fa: 'persian',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  gl: 'galician',
  he: 'hebrew',
  hi: 'hindi',
  hr: 'croatian',
  hu: 'hungarian',
  hy: 'armenian',
  ia: 'interlingua',
  id: 'indonesian',
  is: 'icelandic',
  it: 'italian',
  ja: 'japanese',
  ko: 'korean',
  la: 'latin',
  lt: 'lithuanian',
  lv: 'latvian',
  mk: 'macedonian',
  mn: 'mongolian',
  mr: 'marathi',
  nl: 'dutch',
  nn: 'nynorsk',
  no: 'norwegian',
  oc: 'occitan',
  pl: 'polish',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sk: 'slovak',
  sl: 'slovenian',
  sq: 'albanian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  te: 'telugu',
  th: 'thai',
  tr: 'turkish',
  uk: 'ukrainian',
  ur: 'urdu',
  vi: 'vietnamese',
  zh: 'chinese',
}
