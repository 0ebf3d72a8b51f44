import { workTypes } from '#actors/values/work_type.ts'
import { type CitedAuthor, invertedParts } from '#src/discovery/formats/author_names.ts'
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
  pageCountOf,
  pageRange,
  pdfAddresses,
  yearOf,
} from '#src/discovery/formats/described_work.ts'
import { unmarkedCitedTitle } from '#src/discovery/formats/title_marks.ts'

const journalTypes: ReadonlySet<string> = new Set(['JOUR', 'JFULL'])
const numberedTypes: ReadonlySet<string> = new Set([
  ...journalTypes,
  'BOOK',
  'CHAP',
  'CPAPER',
  'CONF',
])
// Of these, SN is the number of the work itself.
const ownNumberTypes: ReadonlySet<string> = new Set(['RPRT', 'PAT', 'STAND'])
// Of these, C3 is what the paper stands in, and T3 the series.
const isPaper: ReadonlySet<string> = new Set(['CPAPER', 'CONF'])
// Of these, SP alone is how many pages they have.
const wholeTypes: ReadonlySet<string> = new Set(['BOOK', 'THES', 'MANSCPT'])
// Of these, and of theses of a known degree, M3 is the kind of report, talk or manuscript; of
// others, programs take it for a DOI.
const kindTypes: ReadonlySet<string> = new Set(['RPRT', 'SLIDE', 'MANSCPT'])

/** A work as a record of RIS, in UTF-8. */
export function formatRis(work: DescribedWork): string {
  const { metadata } = work
  const cited = citedWork(work)
  const { container, degree, id, kind, names, note, type: work_type, version } = cited
  const { ris: type } = workTypes[work_type]
  // With pages, proceedings are a paper to those who read them.
  const pages = type === 'CONF' ? {} : pageRange(metadata)
  const { event, series_title } = metadata
  const isSeries = container.kind === 'series'
  const series = isSeries ? (container.title ?? series_title) : series_title
  // What a volume of proceedings stands in is its series.
  const held = type === 'CONF' ? undefined : (container.title ?? (isSeries ? series : undefined))
  return (
    line('TY', type) +
    line('TI', unmarkedCitedTitle(metadata)) +
    nameLines('AU', names) +
    line('PY', yearOf(metadata)) +
    line('DA', dateOf(metadata.published_date)) +
    line('T2', type === 'THES' ? departmentOf(work) : (held ?? event?.name)) +
    // Some programs have the whole name of a journal from here alone.
    line('JF', type === 'JOUR' ? container.title : undefined) +
    // Where a conference's papers stand, for programs that take T2 for the name of the conference.
    line('C3', isPaper.has(type) ? held : undefined) +
    // Of other types, and with a number beside it, some programs take the series for the journal.
    line('T3', type === 'THES' ? held : isPaper.has(type) || type === 'CHAP' ? series : undefined) +
    line('VL', metadata.volume) +
    line('IS', metadata.issue) +
    line('SP', pages.first) +
    line('EP', pages.last) +
    line('PB', work.publisher) +
    line('M3', kindTypes.has(type) || degree !== undefined ? kind : undefined) +
    // Of other types this is another number to those who read it.
    line('SN', numberOf(type, cited, metadata)) +
    line('ET', metadata.edition ?? (version === undefined ? undefined : `Version ${version}`)) +
    line('DO', metadata.existing_doi) +
    line('UR', work.url) +
    line('LA', metadata.language) +
    keywordLines(metadata) +
    line('N1', note) +
    line('AB', metadata.description) +
    line('ID', id) +
    (hasCitedDetails(metadata) ? detailLines(type, metadata, cited) : '') +
    'ER  - \r\n'
  )
}

/** A tag with its text on one line; nothing where there is none. */
function line(tag: string, value: string | undefined): string {
  if (value === undefined) return ''
  return `${tag}  - ${spacedForm.test(value) ? value.replace(/\s+/g, ' ') : value}\r\n`
}

const spacedForm = /\s\s|[^\S ]/

function nameLines(tag: string, names: readonly CitedAuthor[] = []): string {
  let lines = ''
  for (const one of names) lines += line(tag, nameText(one))
  return lines
}

function keywordLines(metadata: DescribedMetadata): string {
  let lines = ''
  for (const word of keywordsOf(metadata)) lines += line('KW', word)
  return lines
}

/** The part of a school that a thesis was made in. */
function departmentOf({ metadata, publisher }: DescribedWork): string | undefined {
  return metadata.institutions?.find(({ name }) => name === publisher)?.department
}

/** A report's own number; else that of what holds a work: a journal's ISSN, a book's ISBN. */
function numberOf(
  type: string,
  { container: { isbn, issn } }: CitedWork,
  { issue }: DescribedMetadata,
): string | undefined {
  if (ownNumberTypes.has(type)) return issue
  if (!numberedTypes.has(type)) return undefined
  return journalTypes.has(type) ? (issn ?? isbn) : (isbn ?? issn)
}

/** What only whole records tell, where the type has a tag for it. */
function detailLines(
  type: string,
  metadata: DescribedMetadata,
  { container, others }: CitedWork,
): string {
  const { event, publisher_place } = metadata
  // Of a paper, CY is where the conference was held, if a tag beside it says so.
  const isHeld = isPaper.has(type) && (container.title ?? publisher_place) !== undefined
  return (
    nameLines('ED', others?.editor) +
    nameLines('A4', others?.translator) +
    line('SV', type === 'CHAP' ? metadata.series_number : undefined) +
    line('M1', type === 'BOOK' ? metadata.series_number : undefined) +
    line('J2', metadata.container_short_title) +
    line('C7', type === 'JOUR' ? metadata.article_number : undefined) +
    line('SE', type === 'CHAP' ? metadata.chapter_number : undefined) +
    line('CY', isHeld ? event?.place : publisher_place) +
    line('C1', isPaper.has(type) ? publisher_place : undefined) +
    line('ST', titleOf(metadata, 'short')) +
    (wholeTypes.has(type) && metadata.pages === undefined
      ? line('SP', pageCountOf(metadata))
      : '') +
    pdfAddresses(metadata)
      .map((url) => line('L1', url))
      .join('')
  )
}

/**
 * A comma parts a name; one at the end says that all before it is one part, which most programs
 * neither part nor shorten. So a group has one there, and none within.
 */
function nameText({ isGroup, name }: CitedAuthor): string {
  if (!('literal' in name)) return invertedParts(name)
  return isGroup ? `${name.literal.replaceAll(/\s*,/g, '')},` : name.literal
}

/** `YYYY/MM/DD/`, of which parts at the end may be empty. */
function dateOf(date: string | undefined): string | undefined {
  if (date === undefined) return undefined
  const [year, month = '', day = ''] = date.split('-')
  return `${year}/${month}/${day}/`
}
