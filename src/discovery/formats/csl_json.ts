import type { NameParts } from '#actors/values/author_name.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import { noticesOn } from '#actors/works/update_notices.ts'
import type { CitedAuthor } from '#src/discovery/formats/author_names.ts'
import {
  type CitedWork,
  citedWork,
  hasCitedDetails,
  titleOf,
} from '#src/discovery/formats/cited_work.ts'
import {
  type ContainerKind,
  type DescribedMetadata,
  type DescribedWork,
  nameIn,
  pageCountOf,
  pagesText,
} from '#src/discovery/formats/described_work.ts'
import { citedPieces, cslText } from '#src/discovery/formats/title_marks.ts'

/** A work as citation programs read it (CSL-JSON 1.0.2). Absent members are not known. */
export type CslItem = CslBase & CslDetails

type CslBase = {
  readonly id: string
  readonly type: string
  /** What the type does not tell: `Poster` of a speech. */
  readonly genre?: string
  readonly title: string
  readonly author?: readonly CslName[]
  /** Who is named of proceedings. */
  readonly editor?: readonly CslName[]
  readonly issued?: { readonly 'date-parts': readonly [readonly number[]] }
  readonly 'container-title'?: string
  readonly 'collection-title'?: string
  readonly 'collection-number'?: string
  readonly 'event-title'?: string
  readonly volume?: string
  readonly issue?: string
  readonly number?: string
  readonly page?: string
  readonly publisher?: string
  readonly DOI?: string
  readonly ISSN?: string
  readonly ISBN?: string
  readonly URL: string
  readonly abstract?: string
  readonly keyword?: string
  readonly language?: string
  readonly note?: string
  /** As its makers number it; else that of a work that is cited as one of its versions. */
  readonly version?: string
}

/** What only whole records tell. */
type CslDetails = {
  readonly translator?: readonly CslName[]
  readonly chair?: readonly CslName[]
  readonly edition?: string
  readonly 'chapter-number'?: string
  readonly 'event-place'?: string
  readonly 'event-date'?: { readonly 'date-parts': readonly (readonly number[])[] }
  readonly 'publisher-place'?: string
  readonly 'original-title'?: string
  readonly 'title-short'?: string
  readonly 'container-title-short'?: string
  readonly 'number-of-pages'?: string
  readonly PMID?: string
  readonly PMCID?: string
  /** `retracted` */
  readonly status?: string
}

/** An item before what is not known is left out. */
export type WholeCslItem = { readonly [K in keyof Required<CslBase>]: CslItem[K] | undefined } & {
  readonly type: string
  readonly title: string
} & CslDetails

type CslName = Partial<NameParts> | { readonly literal: string }

/** A work as CSL-JSON, one object. */
export function formatCslJson(work: DescribedWork): string {
  return `${JSON.stringify(cslItem(work))}\n`
}

/** A work in the terms of CSL. */
export function cslItem(work: DescribedWork): CslItem {
  return definedOf(wholeCslItem(work)) as CslItem
}

/** A work in the terms of CSL, with all that an item may have. */
export function wholeCslItem(work: DescribedWork): WholeCslItem {
  const { metadata } = work
  const cited = citedWork(work)
  const { container, date, id, names, note, role, type, version } = cited
  const cslNames = names.length === 0 ? undefined : names.map(cslName)
  const { csl } = workTypes[type]
  const { issue, series_number, volume } = metadata
  const isNumbered = numberedTypes.has(csl)
  const isNamedSeries = container.kind === 'series' && container.title !== undefined
  const item: WholeCslItem = {
    id,
    type: csl,
    genre: shared.has(type) || cited.degree !== undefined ? cited.kind : undefined,
    title: cslText(citedPieces(metadata)),
    author: role === 'author' ? cslNames : undefined,
    editor: role === 'editor' ? cslNames : undefined,
    issued: date === undefined ? undefined : { 'date-parts': [date] },
    'container-title': titlesOf.has(container.kind) ? undefined : container.title,
    // In CSL a series has other fields than what holds a work as a part.
    'collection-title': container.kind === 'series' ? container.title : undefined,
    'event-title': container.kind === 'event' ? container.title : undefined,
    'collection-number': isNamedSeries ? (series_number ?? volume) : undefined,
    volume: isNamedSeries && series_number === undefined ? undefined : volume,
    number: isNumbered ? issue : undefined,
    issue: isNumbered ? undefined : issue,
    page: pagesText(metadata, '-'),
    publisher: work.publisher,
    DOI: metadata.existing_doi,
    ISSN: container.issn,
    ISBN: container.isbn,
    URL: work.url,
    abstract: metadata.description,
    keyword: metadata.keywords,
    language: metadata.language,
    note,
    version,
  }
  return hasCitedDetails(metadata) ? { ...item, ...detailsOf(metadata, cited) } : item
}

/** What CSL calls the state of a publication that is not to be relied on. */
function statusOf(metadata: DescribedMetadata): string | undefined {
  const [gravest] = noticesOn(metadata)
  return gravest?.kind === 'retraction' ? 'retracted' : undefined
}

function detailsOf(metadata: DescribedMetadata, { container, others }: CitedWork) {
  const { article_number, chapter_number, edition, event, series_title } = metadata
  // Of a book, what it stands in is the series.
  const isOpen = container.kind !== 'series' || container.title === undefined
  const isInSeries = isOpen && series_title !== undefined
  const namesOf = (some: readonly CitedAuthor[] = []) => {
    return some.length === 0 ? undefined : some.map(cslName)
  }
  return definedOf({
    editor: namesOf(others?.editor),
    translator: namesOf(others?.translator),
    chair: namesOf(others?.chair),
    edition,
    // In CSL the number of an article, where it has one in the place of pages, is its own.
    number: container.kind === 'journal' ? article_number : undefined,
    'chapter-number': chapter_number,
    'collection-title': isInSeries ? series_title : undefined,
    'collection-number': isInSeries ? metadata.series_number : undefined,
    // What holds a talk is in the place of its event, unless both are known.
    'container-title':
      container.kind === 'event' && event !== undefined ? container.title : undefined,
    'event-title': event?.name,
    status: statusOf(metadata),
    'event-place': event?.place,
    'event-date': eventDate(event),
    'publisher-place': metadata.publisher_place,
    'original-title': titleOf(metadata, 'original'),
    'title-short': titleOf(metadata, 'short'),
    'container-title-short': metadata.container_short_title,
    'number-of-pages': pageCountOf(metadata),
    PMID: nameIn(metadata, 'PMID'),
    PMCID: nameIn(metadata, 'PMCID'),
  })
}

/** A day or a range; an end without a start has no form. */
function eventDate(event: DescribedMetadata['event']): CslDetails['event-date'] {
  const { end_date, start_date } = event ?? {}
  if (start_date === undefined) return undefined
  const ends = [start_date, end_date].filter((end) => end !== undefined)
  return { 'date-parts': ends.map((end) => end.split('-').map(Number)) }
}

/** Types of which the number is one of the work itself. */
const numberedTypes: ReadonlySet<string> = new Set(['report', 'patent', 'standard'])

/** What holds a work by another field than `container-title`. */
const titlesOf: ReadonlySet<ContainerKind> = new Set(['series', 'event'])

// Of these, the type of CSL tells less than is known.
const shared: ReadonlySet<WorkType> = new Set([
  'preprint',
  'poster',
  'lecture',
  'working_paper',
  'data_management_plan',
  'workflow',
])

function cslName({ name }: CitedAuthor): CslName {
  if ('literal' in name || name.given !== '') return name
  const { given: _, ...known } = name
  return known
}
