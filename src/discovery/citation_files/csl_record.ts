import { closedTable } from '#actors/values/lazy_table.ts'
import type { FieldNotes, NoteList } from '#src/discovery/citation_files/citation_file.ts'
import { quote } from '#src/discovery/citation_files/citation_file.ts'
import { definedOf } from '#actors/values/serialization.ts'
import {
  foldWorkType,
  thesisKindOf,
  type WorkType,
  workTypeIn,
  workTypes,
} from '#actors/values/work_type.ts'
import { crossrefParts, partMembers } from '#src/discovery/citation_files/crossref_parts.ts'
import { peopleParts, readNames, roleMembers } from '#src/discovery/citation_files/csl_names.ts'
import {
  type FieldRow,
  isEmpty,
  listOf,
  objectOf,
  readByRows,
  readDoiField,
  readKeywords,
  readKeywordText,
  readLanguage,
  readLine,
  readPageCount,
  readPages,
  readParagraphs,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { crossrefInner, noteInner } from '#src/discovery/citation_files/inner_members.ts'
import { markedText, plainText } from '#src/discovery/citation_files/markup.ts'
import { mergeReadings, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

/** What a record of CSL-JSON, or of Crossref's API, says of a work. */
export function readCslRecord(whole: Json, notes: NoteList): SourceWork {
  const record = withNoted(whole)
  const type = textOf(record['type']) ?? textOf(record['resource-type-id']) ?? ''
  const given = withNumbering(record['project'] === undefined ? record : withProject(record, notes))
  const genre = genreOf(given, type)
  const fields = Object.entries(given).flatMap(([name, value]) => {
    const isType = name === 'genre' && genre !== undefined
    // A thesis of a degree is more than a thesis.
    return isType && thesisKindOf(textOf(value) ?? '') === undefined ? [] : [{ name, value }]
  })
  const read = readByRows(fields, cslRows, type, notes, noteInner(record, crossrefInner, notes))
  const work_type = genre ?? workTypeOf(record, type, notes)
  const parts = crossrefParts(given, type, work_type, notes)
  const people = peopleParts(given, type, notes)
  return { ...mergeReadings([parts, read, people]), work_type }
}

const notedLine = /^(DOI|ISBN|ISSN|PMCID|PMID|URL): *(\S.*)$/i

/** Zotero writes what it has no field for into lines of the note: `PMID: 31345061`. */
function withNoted(record: Json): Json {
  const noted: Record<string, string> = {}
  const rest = (textOf(record['note']) ?? '').split('\n').filter((line) => {
    const [, name = '', value = ''] = notedLine.exec(line.trim()) ?? []
    const member = name.toUpperCase()
    const known = textOf(record[member]) ?? noted[member]
    if (name !== '' && known === undefined) noted[member] = value
    return name === '' || (known !== undefined && known !== value)
  })
  if (Object.keys(noted).length === 0) return record
  const note = rest.join('\n').trim()
  return { ...record, note: note === '' ? undefined : note, ...noted }
}

/** Our name of a type that CSL calls so: a speech may be a poster. */
function genreOf({ genre }: Json, type: string): WorkType | undefined {
  const named = foldWorkType(textOf(genre) ?? '')
  return named !== undefined && workTypes[named].csl === type ? named : undefined
}

/** A supplement is told apart from the issue that it belongs to by a number of its own. */
function withNumbering({ special_numbering: special, ...record }: Json): Json {
  const own = textOf(special)
  if (own === undefined) return record
  const issue = textOf(record['issue']) ?? textOf(objectOf(record['journal-issue'])['issue'])
  const whole = issue === undefined ? own : `${issue} ${own}`
  const more = objectOf(record['journal-issue'])
  return { ...record, issue: whole, 'journal-issue': { ...more, issue: whole } }
}

/** A grant of Crossref's, which has its title and its people in its first project. */
function withProject({ project, ...record }: Json, notes: NoteList): Json {
  const [first, ...others] = listOf(project)
  const {
    'project-title': titles,
    'project-description': texts,
    'lead-investigator': leads,
    'co-lead-investigator': coLeads,
    investigator: people,
    funding,
    'award-amount': amount,
    ...rest
  } = objectOf(first)
  const given = Object.entries(record).filter(([, value]) => !isEmpty(value))
  const [description, ...more] = listOf(texts).map(objectOf)
  const grants = listOf(funding).map(objectOf)
  for (const [name, value] of given) {
    if (isEmpty(rest[name]) || JSON.stringify(rest[name]) === JSON.stringify(value)) continue
    const message = `project.${name} is left out: ${name} counts.`
    notes.add('repeated', `project.${name}`, message)
  }
  return {
    title: listOf(titles),
    abstract: description?.['description'],
    ...(description?.['language'] !== record['language'] && {
      'abstract-language': description?.['language'],
    }),
    'further-abstract': more.map(({ description: text, language }) => {
      return { text, language, kind: 'abstract' }
    }),
    author: [leads, coLeads, people].flatMap(listOf),
    funder: grants.map(({ funder }) => funder),
    assertion: [
      ...amountIn('award-amount', amount),
      ...grants.flatMap(({ scheme, type, 'award-amount': share }) => [
        ...saidOf('funding-scheme', scheme),
        ...saidOf('funding-type', type),
        ...amountIn('funding-amount', share),
      ]),
    ],
    ...rest,
    ...Object.fromEntries(given),
    ...(others.length > 0 && { project: others }),
  }
}

/** What a grant says that no field is for, as an assertion. */
function saidOf(name: string, value: unknown): readonly Json[] {
  const text = textOf(value)
  return text === undefined ? [] : [{ name, value: text }]
}

function amountIn(name: string, value: unknown): readonly Json[] {
  const { amount, currency, percentage } = objectOf(value)
  const share = textOf(percentage)
  const parts = [textOf(amount), textOf(currency), share && `(${share} %)`]
  return saidOf(name, parts.filter((part) => part !== undefined).join(' ') || undefined)
}

/** What Crossref knows of a record, and what programs know of it in their own libraries. */
const bookkeeping =
  'indexed created deposited source prefix member score reference-count ' +
  'references-count is-referenced-by-count ' +
  'citation-key citation-label citation-number first-reference-note-number year-suffix ' +
  'categories accessed _graph system_id'

// What has a number of its own.
const numbered = ['report', 'working_paper', 'report-component', 'patent', 'standard']

/**
 * The members of CSL 1.0.2 and of Crossref's works, and what they fill. What stands above counts
 * before what stands below.
 */
const cslRows: readonly FieldRow[] = [
  { from: `type subtype resource-type-id id ${partMembers} ${roleMembers}`, to: 'elsewhere' },
  { from: bookkeeping, to: 'nothing' },
  { from: 'author', to: 'authors', read: readNames },
  { from: 'editor', to: 'editors', read: readNames },
  { from: 'abstract description', to: 'description', read: readParagraphs },
  { from: 'abstract-language', to: 'description_language' },
  { from: 'further-abstract', to: 'descriptions', read: readAbstracts },
  { from: 'DOI doi', to: 'existing_doi', read: readDoiField },
  { from: 'resource', to: 'urls', read: readResource },
  { from: 'URL url', to: 'urls', read: readUrlFields },
  { from: 'keyword', to: 'keywords', read: readKeywordText },
  { from: 'subject', to: 'keywords', read: readSubjects },
  { from: 'language', to: 'language', read: readLanguage },
  { from: 'publisher', to: 'publisher_name' },
  { from: 'publisher-location publisher-place', to: 'publisher_place' },
  {
    from: 'container-title-short short-container-title journalAbbreviation',
    to: 'container_short_title',
  },
  { from: 'volume', to: 'volume' },
  { from: 'issue', to: 'issue' },
  { from: 'number', to: 'issue', only: numbered },
  { from: 'journal-issue', to: 'issue', read: readJournalIssue },
  { from: 'page', to: 'pages', read: readPages },
  { from: 'page-first', to: 'pages', isSpelling: true, read: readPages },
  { from: 'article-number', to: 'article_number' },
  { from: 'number', to: 'article_number', only: ['article-journal', 'journal-article', 'review'] },
  { from: 'edition-number edition', to: 'edition' },
  { from: 'component-number chapter-number', to: 'chapter_number' },
  { from: 'part-number series-number', to: 'series_number' },
  { from: 'degree', to: 'degree', read: readDegrees },
  { from: 'group-title', to: 'group_title' },
  { from: 'issue-title volume-title', to: 'issue_title' },
  { from: 'genre', to: 'resource_type' },
  { from: 'update-policy', to: 'update_policy' },
  { from: 'number', to: 'alternate_identifiers', read: readOwnNumber },
  { from: 'call-number', to: 'alternate_identifiers', read: readOwnNumber },
  { from: 'PMID PMCID', to: 'alternate_identifiers', read: readCatalogueNumber },
  { from: 'number-of-pages', to: 'sizes', read: readPageCount },
  { from: 'size', to: 'sizes', read: readTexts },
  { from: 'format', to: 'formats', read: readTexts },
]

/** Subjects: each in a value of its own, or several in one text. */
function readSubjects(value: unknown, at: FieldNotes): readonly string[] {
  return Array.isArray(value) ? readKeywords(value, at) : readKeywordText(value, at)
}

function readCatalogueNumber(value: unknown, at: FieldNotes): readonly unknown[] {
  const identifier = readLine(value, at)
  return identifier === undefined ? [] : [{ identifier, type: at.field }]
}

/** A number of the work's own; Zotero writes that of arXiv as `arXiv:2001.00001`. */
function readOwnNumber(value: unknown, at: FieldNotes): readonly unknown[] {
  const text = readLine(value, at)
  if (text === undefined) return []
  const [, arxiv] = /^arXiv:\s*(\S+)$/i.exec(text) ?? []
  if (arxiv !== undefined) return [{ identifier: arxiv, type: 'arXiv' }]
  return [{ identifier: text, type: at.field === 'number' ? 'Number' : 'Call number' }]
}

function readDegrees(value: unknown): string | undefined {
  return (
    readTexts(value)
      .map((text) => plainText(text))
      .join(', ') || undefined
  )
}

function readTexts(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? [])
}

/** Abstracts beside the first, as the reader of XML has them: with their kinds and languages. */
function readAbstracts(value: unknown, at: FieldNotes): readonly unknown[] {
  return listOf(value).flatMap((each) => {
    const { text, kind, language } = objectOf(each)
    const description = readParagraphs(text, at)
    if (description === undefined) return []
    const { markup } = markedText(textOf(text) ?? '', 'paragraphs')
    return [definedOf({ description, markup, kind, language })]
  })
}

function readResource(value: unknown, at: FieldNotes): SourceWork['urls'] {
  return readUrlFields(objectOf(objectOf(value)['primary'])['URL'], at)
}

function readJournalIssue(value: unknown): string | undefined {
  return textOf(objectOf(value)['issue'])
}

// Kinds of what Crossref calls posted content.
const subtypes: Readonly<Record<string, WorkType>> = closedTable({
  preprint: 'preprint',
  working_paper: 'working_paper',
  letter: 'letter',
  dissertation: 'thesis',
  report: 'report',
  review: 'review_article',
  poster: 'poster',
  blog: 'other',
  other: 'other',
})

/** Our name of a type of CSL or Crossref, in any spelling; undefined if it is none. */
export function cslWorkType(type: string): WorkType | undefined {
  return workTypeIn('csl', type) ?? workTypeIn('crossref', type) ?? foldWorkType(type)
}

function workTypeOf(record: Json, type: string, notes: NoteList): WorkType {
  const subtype = textOf(record['subtype']) ?? ''
  if (type === 'posted-content') {
    return Object.hasOwn(subtypes, subtype) ? (subtypes[subtype] ?? 'other') : 'preprint'
  }
  // What Zotero calls a preprint; with a container it is an article of some kind.
  if (type === 'article' && !isEmpty(record['container-title'])) return 'article'
  const known = cslWorkType(type)
  if (known !== undefined) return known
  const message = type === '' ? 'It has no type' : `Its type "${quote(type)}" is none that we know`
  notes.add('taken_as', 'type', `${message}: it is taken as other.`, { isLoss: type !== '' })
  return 'other'
}
