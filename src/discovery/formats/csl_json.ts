import type { NameParts } from '#actors/values/author_name.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import type { CitedAuthor } from '#src/discovery/formats/author_names.ts'
import { citedWork } from '#src/discovery/formats/cited_work.ts'
import {
  citedTitle,
  type ContainerKind,
  type DescribedWork,
  pagesText,
  withoutUndefined,
} from '#src/discovery/formats/described_work.ts'

/** A work as citation programs read it (CSL-JSON 1.0.2). Absent members are not known. */
export type CslItem = {
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
  /** Of a work that is cited as one of its versions. */
  readonly version?: string
}

/** An item before what is not known is left out. */
export type WholeCslItem = { readonly [K in keyof Required<CslItem>]: CslItem[K] | undefined } & {
  readonly type: string
  readonly title: string
}

type CslName = Partial<NameParts> | { readonly literal: string }

/** A work as CSL-JSON, one object. */
export function formatCslJson(work: DescribedWork): string {
  return `${JSON.stringify(cslItem(work))}\n`
}

/** A work in the terms of CSL. */
export function cslItem(work: DescribedWork): CslItem {
  return withoutUndefined(wholeCslItem(work)) as CslItem
}

/** A work in the terms of CSL, with all that an item may have. */
export function wholeCslItem(work: DescribedWork): WholeCslItem {
  const { metadata } = work
  const cited = citedWork(work)
  const { container, date, id, names, note, role, type, version } = cited
  const cslNames = names.length === 0 ? undefined : names.map(cslName)
  const { csl } = workTypes[type]
  const { issue, volume } = metadata
  const isReport = container.kind === 'series' && csl === 'report'
  const isNamedSeries = container.kind === 'series' && container.title !== undefined
  return {
    id,
    type: csl,
    genre: shared.has(type) ? cited.kind : undefined,
    title: citedTitle(metadata),
    author: role === 'author' ? cslNames : undefined,
    editor: role === 'editor' ? cslNames : undefined,
    issued: date === undefined ? undefined : { 'date-parts': [date] },
    'container-title': titlesOf.has(container.kind) ? undefined : container.title,
    // In CSL a series has other fields than what holds a work as a part.
    'collection-title': container.kind === 'series' ? container.title : undefined,
    'event-title': container.kind === 'event' ? container.title : undefined,
    'collection-number': isNamedSeries ? volume : undefined,
    volume: isNamedSeries ? undefined : volume,
    number: isReport ? issue : undefined,
    issue: isReport ? undefined : issue,
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
}

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
