import { foldDoi } from '#actors/values/identifier.ts'
import { recognizeLanguage } from '#actors/values/language.ts'
import { foldLicense, recognizeLicense } from '#actors/values/license.ts'
import type { CslName, CslRecord } from '#src/discovery/citation_files/citation_library.ts'
import { draftAuthors } from '#src/discovery/citation_files/citation_names.ts'

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

/** The body of a creation, unchecked, and sentences about what was left out. */
export type WorkDraft = {
  readonly body: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
}

/** Makes the body of a creation of a record of CSL and what else its file says. */
export function draftWork(csl: CslRecord, facts: FileFacts): WorkDraft {
  const { authors, author_details, notes } = authorsOf(csl)
  const url = facts.url ?? textOf(csl['URL'])
  const doiGiven = facts.doi ?? textOf(csl['DOI'])
  // An address that is a DOI says where the work is, and what it is called as well.
  const doi = doiGiven ?? (url && /doi\.org\//i.test(url) ? foldDoi(url) : undefined)
  const language = facts.language ?? textOf(csl['language'])
  const left = [...notes]
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
  return { body, notes: left }
}

function authorsOf(csl: CslRecord): ReturnType<typeof draftAuthors> {
  const drafted = draftAuthors(namesOf(csl['author']))
  if (drafted.authors !== undefined) return drafted
  const editors = draftAuthors(namesOf(csl['editor']))
  if (editors.authors === undefined) return drafted
  return { ...editors, notes: [...editors.notes, 'Its editors are taken for its authors.'] }
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
  notes: string[],
): string | undefined {
  const folded = text && fold(text)
  if (text && folded === undefined) {
    notes.push(`The ${field} "${text.slice(0, 100)}" is not one we know, and was left out.`)
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
