import { splitAuthors } from '#actors/authors.ts'
import type { AuthorDetail, Metadata } from '#actors/metadata.ts'
import { workTypes } from '#actors/work_types.ts'

/** The media type of CSL-JSON. */
export const citationType = 'application/vnd.citationstyles.csl+json; charset=utf-8'

/** A name in CSL-JSON: in its parts where they are known. */
type CitedName = { readonly family: string; readonly given: string } | { readonly literal: string }

/** A work as citation programs read it (CSL-JSON 1.0.2). Absent members are not known. */
export type Citation = {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly author: readonly CitedName[]
  readonly issued?: { readonly 'date-parts': readonly (readonly number[])[] }
  readonly URL: string
  readonly DOI?: string
} & Readonly<Record<string, unknown>>

/** Fields that mean the same in CSL-JSON, with their names there. */
const sameFields = {
  abstract: 'description',
  'container-title': 'container_title',
  DOI: 'existing_doi',
  issue: 'issue',
  keyword: 'keywords',
  language: 'language',
  page: 'pages',
  publisher: 'publisher_name',
  volume: 'volume',
} as const satisfies Record<string, keyof Metadata>

/** Cites a work; `ark` is `ark:/naan/name`, `url` the address at which it is resolved. */
export function citationOf(metadata: Metadata, ark: string, url: string): Citation {
  const { work_title, work_type, authors, author_details, published_date } = metadata
  const fields = Object.entries(sameFields).flatMap(([name, field]) => {
    const value = metadata[field]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    id: ark,
    type: workTypes[work_type].csl,
    title: work_title,
    author: splitAuthors(authors).map((name, index) => citedName(name, author_details?.[index])),
    ...(published_date !== undefined && {
      issued: { 'date-parts': [published_date.split('-').map(Number)] },
    }),
    URL: url,
    ...Object.fromEntries(fields),
  }
}

function citedName(name: string, detail: AuthorDetail | undefined): CitedName {
  const { family, given } = detail ?? {}
  if (family !== undefined && given !== undefined) return { family, given }
  // Where semicolons part the names, a comma parts a name.
  const [, before, after] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? []
  if (before !== undefined && after !== undefined) return { family: before, given: after }
  return { literal: name }
}
