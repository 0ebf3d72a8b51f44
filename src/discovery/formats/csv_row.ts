import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import { type DescribedWork, locationsOf } from '#src/discovery/formats/described_work.ts'

/**
 * A work as a header and a row of CSV (RFC 4180). A row has every column, so that rows of several
 * works can be put below each other: in a table alone an empty field says "not known".
 */
export function formatCsv(work: DescribedWork): string {
  const { header, row } = csvRows(work)
  return header + row
}

/** The work as rows of a longer table have it: its header, and its row. */
export function csvRows(work: DescribedWork): { readonly header: string; readonly row: string } {
  const cells = cellsOf(work)
  return { header: csvRow(Object.keys(cells)), row: csvRow(Object.values(cells)) }
}

/** A word about a table as its last row, with as many cells as the header has. */
export function csvNote(text: string, header: string): string {
  const columns = header.split(',').length
  return csvRow([`# ${text}`, ...Array.from({ length: columns - 1 }, () => '')])
}

/** A row of CSV; a cell that is undefined is empty. */
export function csvRow(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell = '') => cellText(cell)).join(',')}\r\n`
}

function cellsOf(work: DescribedWork): Record<string, string | undefined> {
  const { metadata, content, withdrawal } = work
  const [own] = content === undefined ? [] : locationsOf(work)
  const { existing_doi: doi, license } = metadata
  return {
    ark: work.ark,
    url: work.url,
    version: String(work.version),
    title: metadata.work_title,
    type: metadata.work_type,
    authors: work.authors.map(({ name }) => name).join('; '),
    orcids: orcidsOf(work),
    published_date: metadata.published_date,
    publisher: work.publisher,
    container_title: metadata.container_title,
    volume: metadata.volume,
    issue: metadata.issue,
    pages: metadata.pages,
    doi,
    doi_url: doi === undefined ? undefined : doiUrl(doi),
    language: metadata.language,
    license,
    license_url: license === undefined ? undefined : licenseNames(license).address,
    keywords: metadata.keywords,
    description: metadata.description,
    title_markup: metadata.work_title_markup,
    description_markup: metadata.description_markup,
    external_id: metadata.external_id,
    content_url: own?.url,
    content_type: own?.found?.mediaType ?? undefined,
    content_hash: own?.found?.hash ?? metadata.content_hash,
    registered: work.createdAt,
    receipt_url: work.receiptUrl,
    withdrawn: withdrawal?.at,
    withdrawal_reason: withdrawal?.reason,
  }
}

/** One for each author, empty where it is not known, so that it is told whose each is. */
function orcidsOf({ authors }: DescribedWork): string {
  const orcids = authors.map(({ orcid }) => orcid ?? '')
  return orcids.every((orcid) => orcid === '') ? '' : orcids.join('; ')
}

const unseen = /^[\p{Z}\p{Default_Ignorable_Code_Point}]+/u

/**
 * A cell, quoted where it has to be. Programs for tables compute a cell that begins like a formula,
 * in full-width characters too: an apostrophe before it makes it text. One that stands there
 * already gets another, so that a reader can take one away.
 */
function cellText(value: string): string {
  const safe = isComputed(value) || isGuarded(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text of a cell that was written with its apostrophe. */
export function withoutGuard(cell: string): string {
  return isGuarded(cell) ? cell.slice(1) : cell
}

function isGuarded(text: string): boolean {
  return text.startsWith("'") && isComputed(text.replace(/^'+/, ''))
}

function isComputed(text: string): boolean {
  // The compatibility form of a full-width or small sign is the sign itself.
  return /^[=+@\t\r\n-]/.test(text.replace(unseen, '').charAt(0).normalize('NFKC'))
}
