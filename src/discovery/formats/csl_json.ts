import type { NameParts } from '#actors/values/author_name.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import type { CitedAuthor } from '#src/discovery/formats/author_names.ts'
import { type CitedWork, citedWork } from '#src/discovery/formats/cited_work.ts'
import {
  type DescribedMetadata,
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

type CslName = Partial<NameParts> | { readonly literal: string }

/** A work as CSL-JSON, one object. */
export function formatCslJson(work: DescribedWork): string {
  return `${JSON.stringify(cslItem(work))}\n`
}

/** A work in the terms of CSL. */
export function cslItem(work: DescribedWork): CslItem {
  const { metadata } = work
  const cited = citedWork(work)
  const { container, date, id, names, note, role, type, version } = cited
  return withoutUndefined({
    id,
    type: workTypes[type].csl,
    genre: shared.has(type) ? cited.kind : undefined,
    title: metadata.work_title,
    [role]: names.length === 0 ? undefined : names.map(cslName),
    issued: date === undefined ? undefined : { 'date-parts': [date] as const },
    ...placeOf(cited, metadata),
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
  })
}

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

/** Where a work stands: in CSL a series has other fields than what holds a work as a part. */
function placeOf({ container, type }: CitedWork, { issue, volume }: DescribedMetadata) {
  const { kind, title } = container
  const number = workTypes[type].csl === 'report' ? { number: issue } : { issue }
  switch (kind) {
    case 'series':
      return title === undefined
        ? { volume, ...number }
        : { 'collection-title': title, 'collection-number': volume, ...number }
    case 'event':
      return { 'event-title': title, volume, issue }
    case 'journal':
    case 'book':
    case 'proceedings':
    case 'other':
      return { 'container-title': title, volume, issue }
  }
}
