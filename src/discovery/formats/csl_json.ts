import type { NameParts } from '#actors/values/author_name.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedWork,
  pagesText,
  withdrawalNote,
  withoutUndefined,
} from '#src/discovery/formats/described_work.ts'

/** A work as citation programs read it (CSL-JSON 1.0.2). Absent members are not known. */
export type CslItem = {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly author?: readonly CslName[]
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
  const { metadata, authors } = work
  const { published_date } = metadata
  return withoutUndefined({
    id: work.isPinned ? `${work.ark}/v${work.version}` : work.ark,
    type: workTypes[metadata.work_type].csl,
    title: metadata.work_title,
    author: authors.length === 0 ? undefined : citedNames(authors).map(cslName),
    issued:
      published_date === undefined
        ? undefined
        : { 'date-parts': [published_date.split('-').map(Number)] as const },
    ...placeOf(work),
    page: pagesText(metadata, '-'),
    publisher: work.publisher,
    DOI: metadata.existing_doi,
    ISSN: containerOf(work).issn,
    ISBN: containerOf(work).isbn,
    URL: work.url,
    abstract: metadata.description,
    keyword: metadata.keywords,
    language: metadata.language,
    note: withdrawalNote(work),
    version: work.isPinned ? String(work.version) : undefined,
  })
}

function cslName(name: CitedName): CslName {
  if ('literal' in name || name.given !== '') return name
  const { given: _, ...known } = name
  return known
}

/** Where a work stands: in CSL a series has other fields than what holds a work as a part. */
function placeOf(work: DescribedWork) {
  const { volume, issue, work_type } = work.metadata
  const { kind, title } = containerOf(work)
  const isReport = workTypes[work_type].csl === 'report'
  switch (kind) {
    case 'series':
      return {
        'collection-title': title,
        'collection-number': volume,
        ...(isReport ? { number: issue } : { issue }),
      }
    case 'event':
      return { 'event-title': title, volume, issue }
    case 'journal':
    case 'book':
    case 'proceedings':
    case 'other':
      return { 'container-title': title, volume, issue }
  }
}
