import { workTypes } from '#actors/values/work_type.ts'
import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import {
  type DescribedWork,
  withdrawalNote,
  withoutUndefined,
} from '#src/discovery/formats/described_work.ts'

/** A work as citation programs read it (CSL-JSON 1.0.2). Absent members are not known. */
export type CslItem = {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly author?: readonly CitedName[]
  readonly issued?: { readonly 'date-parts': readonly [readonly number[]] }
  readonly 'container-title'?: string
  readonly volume?: string
  readonly issue?: string
  readonly page?: string
  readonly publisher?: string
  readonly DOI?: string
  readonly URL: string
  readonly abstract?: string
  readonly keyword?: string
  readonly language?: string
  readonly note?: string
}

/** A work as CSL-JSON, one object. */
export function formatCslJson(work: DescribedWork): string {
  return `${JSON.stringify(cslItem(work))}\n`
}

/** A work in the terms of CSL. */
export function cslItem(work: DescribedWork): CslItem {
  const { metadata, authors } = work
  const { published_date } = metadata
  return withoutUndefined({
    id: work.ark,
    type: workTypes[metadata.work_type].csl,
    title: metadata.work_title,
    author: authors.length === 0 ? undefined : citedNames(authors),
    issued:
      published_date === undefined
        ? undefined
        : { 'date-parts': [published_date.split('-').map(Number)] as const },
    'container-title': metadata.container_title,
    volume: metadata.volume,
    issue: metadata.issue,
    page: metadata.pages,
    publisher: work.publisher,
    DOI: metadata.existing_doi,
    URL: work.url,
    abstract: metadata.description,
    keyword: metadata.keywords,
    language: metadata.language,
    note: withdrawalNote(work),
  })
}
