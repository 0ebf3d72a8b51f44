import { closedTable } from '#actors/values/lazy_table.ts'
import type { FieldNotes } from '#src/discovery/citation_files/citation_file.ts'
import type { SourceDate } from '#src/discovery/citation_files/dates.ts'
import {
  type FieldRow,
  readDoiField,
  readKeywordText,
  readLanguage,
  readLicense,
  readLine,
  readFileAddress,
  readPageCount,
  readPages,
  readParagraphs,
  readUrlFields,
  type SourceField,
} from '#src/discovery/citation_files/field_rows.ts'
import {
  codeRepository,
  holdingNumbers,
  numbersIn,
} from '#src/discovery/citation_files/related_things.ts'
import {
  contributorOf,
  type SourceAuthor,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'
import type { ContainerKind } from '#src/discovery/formats/described_work.ts'

function words(text: string): readonly string[] {
  return text.split(' ')
}

/** Types of works that are a part of a book. */
export const partTypes = words(
  'inbook incollection inproceedings conference bookinbook suppbook suppcollection inreference',
)

function takeNames(value: unknown): readonly SourceAuthor[] {
  return value as readonly SourceAuthor[]
}

function takeContributors(role: 'translator' | 'rights_holder' | 'supervisor') {
  return (value: unknown) => takeNames(value).map((name) => contributorOf(role, name))
}

/** What physicists call themselves together: `ATLAS`. */
function readCollaboration(value: unknown, at: FieldNotes): readonly unknown[] {
  const literal = readLine(value, at)
  return literal === undefined ? [] : [contributorOf('research_group', { literal })]
}

function takeDate(value: unknown, at: FieldNotes) {
  return [{ ...(value as SourceDate & { text: string }), at }]
}

function titleOfKind(kind: 'subtitle' | 'short' | 'original') {
  return (value: unknown, at: FieldNotes) => {
    const title = readLine(value, at)
    return title === undefined ? undefined : [{ title, kind }]
  }
}

const nameSchemes: Readonly<Record<string, string>> = closedTable({
  pubmedid: 'PMID',
  mrnumber: 'MR',
  zblnumber: 'Zbl',
  reportnumber: 'Report number',
  bibcode: 'bibcode',
  hal_id: 'HAL',
  handle: 'Handle',
  hdl: 'Handle',
})

/** A number that the work has in a catalogue. */
function readCatalogueNumber(value: unknown, at: FieldNotes): readonly unknown[] {
  const identifier = readLine(value, at)
  const type = nameSchemes[at.field] ?? at.field.toUpperCase()
  return identifier === undefined ? [] : [{ identifier, type }]
}

/** Where the code of a program is kept: the note is what schema.org calls it. */
function readRepository(value: unknown, at: FieldNotes): readonly unknown[] {
  return (readUrlFields(value, at) ?? []).map(({ url }) => codeRepository(url))
}

/** What an archive calls the work, if the entry names the archive. */
function readEprint(value: unknown, at: FieldNotes): readonly unknown[] {
  if (Array.isArray(value)) return value
  at.leftOut()
  return []
}

/** Where arXiv files the work: `math.AG`. */
function readArchiveClass(value: unknown, at: FieldNotes): readonly unknown[] {
  const subject = readLine(value, at)
  return subject === undefined ? [] : [{ subject, scheme: 'arXiv' }]
}

// What tells how, and not by whom.
const manners = [
  String.raw`(?:(?:published |available |accessed )?(?:online|on the (?:web|internet))|internet`,
  '(?:world wide )?web|(?:web|home) ?(?:site|page)|e-?mail|unpublished|in press|preprint|poster',
  'blog(?: post)?|talk|slides|(?:lecture )?notes|manuscript|(?:private|personal) communication',
  String.raw`git(?:hub|lab) (?:repository|project)|(?:last )?(?:accessed|visited|retrieved)\b.*)`,
]
const manner = new RegExp(String.raw`^\[?${manners.join('|')}[\].:]*$`, 'i')

/** Who published a work that no style prints a publisher of. */
function readHowPublished(value: unknown, at: FieldNotes): string | undefined {
  const text = readLine(value, at)
  if (text === undefined || !manner.test(text)) return text
  at.leftOut()
  return undefined
}

/** The series of a journal is numbered, or old or new, where it has no title. */
function readJournalSeries(value: unknown, at: FieldNotes): string | undefined {
  const text = readLine(value, at)
  if (text === undefined || !/^(?:\d+\w*|[ivx]+|newseries|oldseries)(?: series)?$/i.test(text)) {
    return text
  }
  at.leftOut()
  return undefined
}

const bibtexRows: readonly FieldRow[] = [
  { from: 'title', to: 'work_title' },
  { from: 'subtitle', to: 'titles', read: titleOfKind('subtitle') },
  { from: 'shorttitle', to: 'titles', read: titleOfKind('short') },
  { from: 'origtitle', to: 'titles', read: titleOfKind('original') },
  { from: 'author', to: 'authors', read: takeNames },
  { from: 'editor', to: 'editors', read: takeNames },
  { from: 'translator', to: 'contributors', read: takeContributors('translator') },
  { from: 'advisor supervisor', to: 'contributors', read: takeContributors('supervisor') },
  { from: 'holder', to: 'contributors', read: takeContributors('rights_holder') },
  { from: 'collaboration', to: 'contributors', read: readCollaboration },
  { from: 'abstract', to: 'description', read: readParagraphs },
  { from: 'doi', to: 'existing_doi', read: readDoiField },
  { from: 'url link ee arxiv', to: 'urls', read: readUrlFields },
  { from: 'pdf', to: 'urls', read: readFileAddress },
  { from: 'repository', to: 'related_identifiers', read: readRepository },
  { from: 'date', to: 'dates', read: takeDate },
  { from: 'type', to: 'resource_type' },
  { from: 'version', to: 'resource_version' },
  { from: 'booktitle maintitle', to: 'container_title', only: partTypes },
  { from: 'journaltitle journal booktitle maintitle', to: 'container_title' },
  { from: 'fjournal', to: 'container_title', isSpelling: true },
  { from: 'shortjournal journal-iso abbrev_source_title', to: 'container_short_title' },
  { from: 'issuetitle', to: 'issue_title' },
  { from: 'volume', to: 'volume' },
  { from: 'number issue', to: 'issue' },
  { from: 'edition', to: 'edition' },
  { from: 'chapter', to: 'chapter_number' },
  { from: 'pages', to: 'pages', read: readPages },
  { from: 'eid article-number elocation-id articleno art_number', to: 'article_number' },
  { from: 'pagetotal numpages', to: 'sizes', read: readPageCount },
  { from: 'publisher institution school organization', to: 'publisher_name' },
  { from: 'howpublished', to: 'publisher_name', read: readHowPublished },
  { from: 'address location place', to: 'publisher_place' },
  { from: 'author_keywords keywords keyword', to: 'keywords', read: readKeywordText },
  { from: 'language', to: 'language', read: readLanguage },
  { from: 'langid', to: 'language', read: readLanguage, isSpelling: true },
  { from: 'license copyright rights', to: 'license', read: readLicense },
  {
    from:
      'pmid pubmedid pmcid mrnumber zblnumber reportnumber swhid lccn oclc urn hdl handle hal_id ' +
      'bibcode',
    to: 'alternate_identifiers',
    read: readCatalogueNumber,
  },
  { from: 'eprint', to: 'alternate_identifiers', read: readEprint },
  { from: 'primaryclass eprintclass', to: 'subjects', read: readArchiveClass },
  { from: 'issn eissn isbn isbn-13 eventtitle venue eventdate', to: 'elsewhere' },
  {
    from:
      'timestamp owner date-added date-modified file citekey groups __markedentry creationdate ' +
      'modificationdate priority ranking readstatus sortkey options label shorthand added-at ' +
      'biburl bibsource interhash intrahash username bdsk-url-1 bdsk-url-2 bdsk-file-1 urldate ' +
      'mendeley-groups mendeley-tags internal-note presort execute entrysubtype bibdate issn-l ' +
      'acknowledgement shortauthor shorteditor sorttitle sortname sortyear indextitle langidopts ' +
      'gender author-dates subject-dates journal-url adsurl adsnote __color ctx_ver hal_version ' +
      'printed qualityassured relevance rating read unique-id times-cited da ' +
      'number-of-cited-references doc-delivery-number usage-count-last-180-days ' +
      'usage-count-since-2013',
    to: 'nothing',
  },
]

/** The names of fields that say something of a work. */
export const placedNames: ReadonlySet<string> = new Set([
  ...bibtexRows.flatMap(({ from, to }) => (to === 'nothing' ? [] : words(from))),
  'series',
])

// What is numbered is the series, where the work or its book is in one.
const rowsInSeries: readonly FieldRow[] = [
  { from: 'series', to: 'series_title' },
  { from: 'number', to: 'series_number' },
  ...bibtexRows,
]
const rowsOfSeries: readonly FieldRow[] = [{ from: 'series', to: 'container_title' }, ...bibtexRows]
const rowsInJournal: readonly FieldRow[] = [
  { from: 'series', to: 'series_title', read: readJournalSeries },
  ...bibtexRows,
]

// Where the whole title of the journal is given too, `journal` is the short one.
const rowsWithWhole: readonly FieldRow[] = [
  { from: 'fjournal', to: 'container_title' },
  { from: 'journal', to: 'container_short_title' },
  ...bibtexRows,
]

const containerNames = ['journaltitle', 'journal', 'booktitle', 'maintitle']

/**
 * The table of the fields of BibTeX and BibLaTeX, by what works of a type stand in: a book or a
 * report stands in its series, if it stands in nothing else; what is a part of a book has one
 * beside the book.
 */
export function rowsFor(kind: ContainerKind, fields: readonly SourceField[]): readonly FieldRow[] {
  const has = (wanted: string) => fields.some(({ name }) => name === wanted)
  if (!has('series')) return has('fjournal') ? rowsWithWhole : bibtexRows
  if (kind === 'journal') return rowsInJournal
  const isHeld = kind === 'series' && !fields.some(({ name }) => containerNames.includes(name))
  return isHeld ? rowsOfSeries : rowsInSeries
}

/** The ISSNs or ISBNs of a field; those with a wrong check digit as they are printed. */
export function readNumbers(
  scheme: 'ISSN' | 'ISBN',
  text: string,
  at: FieldNotes,
): Partial<SourceWork> {
  const numbers = numbersIn(scheme, text)
  if (!numbers.some(({ value }) => /[1-9]/.test(value))) at.leftOut()
  return holdingNumbers(scheme, numbers, scheme === 'ISSN' ? 'issn' : 'isbn')
}
