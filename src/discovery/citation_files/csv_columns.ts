import { nearestName } from '#actors/values/nearest_name.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { metadataFields } from '#actors/works/metadata.ts'

/** The fields of a work that a cell can hold whole. */
const cellFields = [
  'work_title',
  'work_type',
  'authors',
  'description',
  'work_url',
  'existing_doi',
  'keywords',
  'language',
  'license',
  'published_date',
  'publisher_name',
  'container_title',
  'volume',
  'issue',
  'pages',
  'content_hash',
  'external_id',
  'work_title_markup',
  'description_markup',
] as const

/** Further ones, which the table that is to be filled in does not have. */
const furtherFields = [
  'container_short_title',
  'series_title',
  'series_number',
  'article_number',
  'edition',
  'publisher_place',
  'resource_type',
  'resource_version',
  'degree',
] as const

/** What a column holds: a field of a work, a part of one for each author, or the work's ARK. */
export type ColumnTarget =
  | (typeof cellFields)[number]
  | (typeof furtherFields)[number]
  | 'issn'
  | 'isbn'
  | 'ark'
  | 'editors'
  | 'translators'
  | 'orcids'
  | 'affiliations'
  | 'rors'
  | 'first_page'
  | 'last_page'
  | 'funder'
  | 'award'

// What the columns are called in tables of reference managers, indexes and libraries, beside what
// the fields themselves are called; the first that a table has counts.
const otherNames: Readonly<Record<ColumnTarget, readonly string[]>> = {
  ark: ['ark_identifier', 'ark_id'],
  work_title: ['article_title', 'document_title', 'item_title', 'name'],
  work_type: [
    'item_type',
    'document_type',
    'publication_type',
    'resource_type_general',
    'entry_type',
    'entrytype',
    'content_type',
  ],
  authors: ['author_names', 'author_s'],
  description: ['abstract_note', 'abstracts'],
  work_url: [
    'article_url',
    'fulltext_url',
    'full_text_url',
    'landing_page',
    'web_address',
    'address',
  ],
  existing_doi: ['item_doi', 'doi_number', 'digital_object_identifier'],
  keywords: ['keyword', 'author_keywords', 'manual_tags'],
  language: ['languages', 'language_of_original_document'],
  license: ['license_id', 'license_name', 'rights'],
  published_date: ['date_published', 'issued', 'publication_year', 'published', 'pub_year'],
  publisher_name: [],
  container_title: ['publication_title', 'source_title', 'journal_name', 'source'],
  volume: ['vol', 'journal_volume'],
  issue: ['journal_issue', 'issue_number', 'no'],
  pages: ['page', 'page_range', 'pagination'],
  content_hash: [],
  external_id: ['record_id', 'source_id'],
  work_title_markup: [],
  description_markup: [],
  container_short_title: ['abbreviated_source_title', 'journal_abbreviation', 'iso4'],
  series_title: ['book_series_title', 'book_series'],
  series_number: [],
  article_number: ['art_no', 'article_no'],
  edition: [],
  publisher_place: ['place', 'place_of_publication', 'publisher_city'],
  // Beside the type of the work, `type` is what kind of thesis or report it is.
  resource_type: ['thesis_type', 'report_type', 'type'],
  resource_version: ['version_number', 'software_version'],
  degree: [],
  issn: ['issns', 'eissn', 'e_issn', 'print_issn'],
  isbn: ['isbns'],
  editors: ['editor', 'book_editors'],
  translators: ['translator'],
  orcids: ['orcid', 'orcid_id', 'orcid_ids', 'author_orcids'],
  affiliations: ['affiliation', 'author_affiliations'],
  rors: ['ror', 'ror_id', 'author_rors'],
  first_page: ['page_start', 'start_page'],
  last_page: ['page_end', 'end_page'],
  funder: ['funder_name', 'funders', 'funding'],
  award: ['award_number', 'grant', 'grant_number'],
}

// What says more than a column that has the name of the field.
const betterNames: Partial<Record<ColumnTarget, readonly string[]>> = {
  authors: ['author_full_names', 'full_names'],
}

/** What columns can hold, by the names that `--column` and the page know them by. */
export const columnTargets = Object.keys(otherNames) as readonly ColumnTarget[]

/** The columns of the table that is to be filled in. */
export const templateColumns: readonly ColumnTarget[] = [
  'ark',
  ...cellFields.filter((name) => name !== 'content_hash' && !name.endsWith('_markup')),
  'orcids',
  'affiliations',
  'rors',
]

// In our own export, what follows from other columns or from the registry.
const derivedColumns = new Set([
  'url',
  'version',
  'doi_url',
  'license_url',
  'content_type',
  'content_hash',
  'registered',
  'receipt_url',
  'withdrawn',
  'withdrawal_reason',
])

/** A column of a table; without a target nothing of it is read. */
export type TableColumn = {
  /** As the table calls it. */
  readonly name: string
  readonly target?: ColumnTarget
  /** Whether all that it says is said by another column, or by the registry. */
  readonly isDerived: boolean
  /** The column that is read in its place, which holds the same. */
  readonly instead?: string
  /** What it was perhaps meant to be called, if nothing is read of it. */
  readonly nearest?: string
}

/** What a column holds that somebody has named by hand; null: nothing of it is to be read. */
export type ColumnChoices = Readonly<Record<string, ColumnTarget | null>>

/** The columns of a table by its first row: those chosen by hand, then those known by name. */
export function tableColumns(
  header: readonly string[],
  choices: ColumnChoices,
): readonly TableColumn[] {
  const folded = header.map(foldName)
  const isExport = isOwnExport(folded)
  const isChosen = header.map((name) => Object.hasOwn(choices, name.trim()))
  const targets = header.map((name, index) => {
    return (isChosen[index] === true ? choices[name.trim()] : undefined) ?? undefined
  })
  const passedOver = isExport ? derivedColumns : isOfIndex(folded) ? columnsOfIndexes : undefined
  const free = (index: number) => {
    return isChosen[index] === false && passedOver?.has(folded[index] ?? '') !== true
  }
  for (const target of columnTargets) {
    if (targets.includes(target)) continue
    const index = namesOf(target)
      .toSorted(wholeTypeFirst)
      .map((name) => folded.findIndex((each, at) => each === name && free(at)))
      .find((at) => at >= 0)
    if (index !== undefined && targets[index] === undefined) targets[index] = target
  }
  return header.map((name, index) => {
    const target = targets[index]
    const isDerived = isExport && derivedColumns.has(folded[index] ?? '')
    if (target !== undefined) return { name: name.trim(), target, isDerived: false }
    if (isDerived || isChosen[index]) return { name: name.trim(), isDerived }
    if (passedOver?.has(folded[index] ?? '')) return { name: name.trim(), isDerived }
    const instead = sameTarget(folded[index] ?? '', header, targets)
    const nearest = instead === undefined ? nearestTarget(folded[index] ?? '') : undefined
    return { name: name.trim(), isDerived, ...definedOf({ instead, nearest }) }
  })
}

/** Whether a table is one that this registry writes. */
export function isOwnExport(header: readonly string[]): boolean {
  const names = header.map(foldName)
  return names.includes('ark') && names.includes('receipt_url')
}

// Scopus and Web of Science have all affiliations of a work in one column, and not whose they are;
// the source of Scopus is Scopus.
const columnsOfIndexes = new Set(['affiliations', 'source'])
const namesOfIndexes = ['authors_with_affiliations', 'eid', 'ut_unique_wos_id']

/** Whether a table is one that an index of citations writes. */
function isOfIndex(folded: readonly string[]): boolean {
  return namesOfIndexes.some((name) => folded.includes(name))
}

/** Every name of a target, the better first. */
function namesOf(target: ColumnTarget): readonly string[] {
  const field = Object.hasOwn(metadataFields, target)
    ? metadataFields[target as keyof typeof metadataFields]
    : undefined
  return [
    ...(betterNames[target] ?? []),
    target,
    ...(field?.alsoCalled ?? []),
    ...otherNames[target],
  ]
}

// Beside these, Zotero and JabRef have what kind of thesis or report it is in `Type`.
const wholeTypes: ReadonlySet<string> = new Set(['item_type', 'entrytype'])

function wholeTypeFirst(one: string, other: string): number {
  return Number(wholeTypes.has(other)) - Number(wholeTypes.has(one))
}

/** The column from which is read what a column of another name holds as well. */
function sameTarget(
  name: string,
  header: readonly string[],
  targets: readonly (ColumnTarget | undefined)[],
): string | undefined {
  const at = targets.findIndex((each) => each !== undefined && namesOf(each).includes(name))
  return header[at]?.trim()
}

/** The target whose name is nearest to that of a column; undefined if none is near. */
function nearestTarget(name: string): ColumnTarget | undefined {
  const byName = new Map(
    columnTargets.flatMap((target) => namesOf(target).map((each) => [each, target] as const)),
  )
  const nearest = nearestName(name, byName.keys())
  return nearest === undefined ? undefined : byName.get(nearest)
}

/** A name of a column as names are compared: in small letters, its words joined by `_`. */
function foldName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{L})/gu, '_')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
  return words.replaceAll(/^_+|_+$/g, '')
}

/** Columns of a table that are read, at most. */
export const columnsMax = 500
const separators = [',', ';', '\t'] as const

/**
 * Whether a text begins as a table does, with names of columns and a row below them; `known`: one
 * of them is that of the title.
 */
export function tableKind(text: string): 'known' | 'unknown' | undefined {
  const header = firstRow(text) ?? text
  const separator = separatorOf(header)
  const [, row = ''] = text
    .replace(preamble, '')
    .trimStart()
    .slice(header.length)
    .split(/[\r\n]+/, 2)
  const names = header.split(separator).map((name) => name.replaceAll('"', '').trim())
  const areNames = names.every((name) => name.length < 100 && !/[{}<>@]/.test(name))
  if (names.length < 2 || names.length > columnsMax || !areNames) return undefined
  if (tableColumns(names, {}).some(({ target }) => target === 'work_title')) return 'known'
  return row.includes(separator) ? 'unknown' : undefined
}

/** The separator that the first row of a table has most of, outside of quotation marks. */
export function separatorOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '')
  const counts = separators.map((each) => bare.split(each).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

// `sep=;`, or one cell in quotation marks.
const preamble = /^[\s\ufeff]*(?:sep=[^\r\n]|"[^"\r\n]*"[,;\t]*)[\r\n]+/i

/**
 * The header of a text, up to a line break that stands in no quotation marks; of a table that has
 * a row before it, which says what it is, the second row.
 */
export function firstRow(text: string): string | undefined {
  const table = text.replace(preamble, '').replace(/^[\s\ufeff]+/, '')
  return /^(?:"[^"]*"|[^"\r\n])*(?=[\r\n])/.exec(table)?.[0]
}
