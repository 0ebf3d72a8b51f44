import { workTypes } from '#actors/values/work_type.ts'
import { type CitedAuthor, invertedParts } from '#src/discovery/formats/author_names.ts'
import {
  type CitedWork,
  citedWork,
  hasCitedDetails,
  titleOf,
} from '#src/discovery/formats/cited_work.ts'
import {
  citedTitle,
  type DescribedMetadata,
  type DescribedWork,
  keywordsOf,
  pageRange,
  yearOf,
} from '#src/discovery/formats/described_work.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

type Line = readonly [tag: string, value: string | undefined]

const numberedTypes: ReadonlySet<string> = new Set(['JOUR', 'BOOK', 'CHAP', 'CPAPER', 'CONF'])
// Of these, C3 is what the paper stands in.
const isPaper: ReadonlySet<string> = new Set(['CPAPER', 'CONF'])
const inBooks: ReadonlySet<string> = new Set(['CHAP', 'CPAPER'])
// Of these, M3 is the kind of report, talk or manuscript; of others, programs take it for a DOI.
const kindTypes: ReadonlySet<string> = new Set(['RPRT', 'SLIDE', 'MANSCPT'])

/** A work as a record of RIS, in UTF-8. */
export function formatRis(work: DescribedWork): string {
  const { metadata } = work
  const cited = citedWork(work)
  const { container, id, kind, names, note, type: work_type, version } = cited
  const { ris: type } = workTypes[work_type]
  const pages = pageRange(metadata)
  const lines: readonly Line[] = [
    ['TY', type],
    ['TI', unmarkedTitle(citedTitle(metadata))],
    ...names.map((one): Line => ['AU', nameText(one)]),
    ['PY', yearOf(metadata)],
    ['DA', dateOf(metadata.published_date)],
    ['T2', container.title ?? metadata.event?.name],
    // Some programs have the whole name of a journal from here alone.
    ['JF', type === 'JOUR' ? container.title : undefined],
    // Where a conference's papers stand, for programs that take T2 for the name of the conference.
    ['C3', isPaper.has(type) ? container.title : undefined],
    ['VL', metadata.volume],
    ['IS', metadata.issue],
    ['SP', pages.first],
    ['EP', pages.last],
    ['PB', work.publisher],
    ['M3', kindTypes.has(type) ? kind : undefined],
    // Of other types this is another number to those who read it.
    ['SN', numberedTypes.has(type) ? numberOf(type, container) : undefined],
    ['ET', metadata.edition ?? (version === undefined ? undefined : `Version ${version}`)],
    ['DO', metadata.existing_doi],
    ['UR', work.url],
    ['LA', metadata.language],
    ...keywordsOf(metadata).map((word): Line => ['KW', word]),
    ['N1', note],
    ['AB', metadata.description],
    ['ID', id],
    ...(hasCitedDetails(metadata) ? detailLines(type, metadata, cited) : []),
  ]
  const shown = lines.flatMap(([tag, value]) =>
    value === undefined ? [] : [`${tag}  - ${value.replace(/\s+/g, ' ')}\r\n`],
  )
  return `${shown.join('')}ER  - \r\n`
}

/** The one number of what holds a work: of a journal its ISSN, of a book its ISBN. */
function numberOf(type: string, { isbn, issn }: CitedWork['container']): string | undefined {
  return type === 'JOUR' ? (issn ?? isbn) : (isbn ?? issn)
}

/** What only whole records tell, where the type has a tag for it. */
function detailLines(
  type: string,
  metadata: DescribedMetadata,
  { container, others }: CitedWork,
): readonly Line[] {
  const { event, publisher_place } = metadata
  // Of a paper, CY is where the conference was held, if a tag beside it says so.
  const isHeld = isPaper.has(type) && (container.title ?? publisher_place) !== undefined
  return [
    ...(others?.editor ?? []).map((one): Line => ['ED', nameText(one)]),
    ...(others?.translator ?? []).map((one): Line => ['A4', nameText(one)]),
    // Of other types, and with a number beside it, some programs take the series for the journal.
    ['T3', inBooks.has(type) ? metadata.series_title : undefined],
    ['J2', metadata.container_short_title],
    ['C7', type === 'JOUR' ? metadata.article_number : undefined],
    ['SE', type === 'CHAP' ? metadata.chapter_number : undefined],
    ['CY', isHeld ? event?.place : publisher_place],
    ['C1', isPaper.has(type) ? publisher_place : undefined],
    ['ST', titleOf(metadata, 'short')],
  ]
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
