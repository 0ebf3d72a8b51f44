import { FaultList } from '#actors/values/fault_list.ts'
import { type RelatedIdentifier, relatedIdentifierKind } from '#actors/values/related_identifier.ts'
import { foldWorkType, type WorkType, workTypeIn } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { readDoi, readOrcid, readRor } from '#src/discovery/citation_files/addresses.ts'
import {
  type FieldNotes,
  type NoteList,
  quote,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  type FieldRow,
  isEmpty,
  listOf,
  objectOf,
  readByRows,
  readDateField,
  readDoiField,
  readIsbn,
  readIssn,
  readKeywordText,
  readLanguage,
  readLicense,
  readParagraphs,
  readUrlFields,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readName, readNameList } from '#src/discovery/citation_files/names.ts'
import type { SourceAuthor, SourceWork } from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

/** What a record of CSL-JSON, or of Crossref's API, says of a work. */
export function readCslRecord(record: Json, notes: NoteList): SourceWork {
  const type = textOf(record['type']) ?? textOf(record['resource-type-id']) ?? ''
  const given = record['project'] === undefined ? record : withProject(record)
  const fields = Object.entries(given).map(([name, value]) => ({ name, value }))
  const read = readByRows(fields, cslRows, type, notes)
  return { ...read, work_type: workTypeOf(record, type, notes) }
}

/** A grant of Crossref's, which has its title and its people in its first project. */
function withProject({ project, ...record }: Json): Json {
  const [first, ...others] = listOf(project)
  const {
    'project-title': titles,
    'project-description': texts,
    'lead-investigator': leads,
    'co-lead-investigator': coLeads,
    investigator: people,
    funding,
    ...rest
  } = objectOf(first)
  return {
    title: listOf(titles).map((each) => objectOf(each)['title']),
    abstract: listOf(texts).map((each) => objectOf(each)['description']),
    author: [leads, coLeads, people].flatMap(listOf),
    funder: listOf(funding).map((each) => objectOf(each)['funder']),
    ...record,
    project: [rest, ...others],
  }
}

/** What Crossref knows of a record, and what programs know of it in their own libraries. */
const bookkeeping =
  'indexed created deposited source prefix member score reference-count ' +
  'references-count is-referenced-by-count content-domain update-policy ' +
  'citation-key citation-label citation-number first-reference-note-number year-suffix ' +
  'categories accessed _graph system_id'

const inJournals = ['article-journal', 'article-magazine', 'article-newspaper', 'journal-article']
const inBooks = [
  'chapter',
  'paper-conference',
  'book-chapter',
  'proceedings-article',
  'book-section',
]
const reports = ['report', 'working_paper', 'report-component']
const inPrint = 'published-print published-online published-other posted'

/**
 * The members of CSL 1.0.2 and of Crossref's works, and what they fill. What stands above counts
 * before what stands below.
 */
const cslRows: readonly FieldRow[] = [
  { from: 'type subtype resource-type-id id issn-type isbn-type', to: 'elsewhere' },
  { from: bookkeeping, to: 'nothing' },
  { from: 'title', to: 'work_title' },
  { from: 'original-title', to: 'work_title' },
  { from: 'subtitle', to: 'subtitle' },
  { from: 'short-title title-short shortTitle', to: 'work_title', isSpelling: true },
  { from: 'author', to: 'authors', read: readNames },
  { from: 'editor', to: 'editors', read: readNames },
  { from: 'abstract description', to: 'description', read: readParagraphs },
  { from: 'DOI doi', to: 'existing_doi', read: readDoiField },
  { from: 'resource', to: 'urls', read: readResource },
  { from: 'URL url', to: 'urls', read: readUrlFields },
  { from: 'keyword', to: 'keywords', read: readKeywordText },
  { from: 'subject', to: 'keywords', read: readKeywordText },
  { from: 'language', to: 'language', read: readLanguage },
  { from: 'license', to: 'license', read: readLicenses },
  { from: `issued published ${inPrint}`, to: 'dates', read: readDateField },
  { from: 'publisher', to: 'publisher_name' },
  { from: 'institution standards-body', to: 'publisher_name', read: readNamed },
  { from: 'container-title', to: 'container_title' },
  {
    from: 'container-title-short short-container-title journalAbbreviation',
    to: 'container_title',
    isSpelling: true,
  },
  { from: 'collection-title event-title', to: 'container_title' },
  { from: 'volume collection-number', to: 'volume' },
  { from: 'issue', to: 'issue' },
  { from: 'number', to: 'issue', only: reports },
  { from: 'journal-issue', to: 'issue', read: readJournalIssue },
  { from: 'page', to: 'pages' },
  { from: 'page-first', to: 'pages', isSpelling: true },
  { from: 'article-number', to: 'article_number' },
  { from: 'number', to: 'article_number', only: ['article-journal', 'journal-article'] },
  { from: 'funder', to: 'funding', read: readFunders },
  { from: 'relation', to: 'related_identifiers', read: readRelations },
  { from: 'ISSN', to: 'related_identifiers', read: readIssn, only: inJournals },
  { from: 'ISBN', to: 'related_identifiers', read: readIsbn, only: inBooks },
]

/** A list of names, of which each is told about that cannot be read. */
function readNames(value: unknown, at: FieldNotes): readonly SourceAuthor[] {
  return listOf(value).flatMap((each) => {
    if (typeof each === 'string') return readNamesIn(each, at)
    const name = objectOf(each)
    if (isEmpty(name) && !isEmpty(each)) at.notRead(each, 'it is no name')
    return isOthers(name, at) ? [] : nameOf(name, at)
  })
}

/** The names of one text: several, where commas or semicolons say that they are persons'. */
function readNamesIn(text: string, at: FieldNotes): readonly SourceAuthor[] {
  if (isOthers({ literal: text }, at)) return []
  const isList = /;|,.* and .*,/.test(text)
  if (!isList && !/^[^,]+,[^,]+$/.test(text)) return nameOf({ literal: text }, at)
  const { names, notes, hasOthers } = isList ? readNameList(text) : readName(text)
  for (const note of notes) at.add('taken_as', note)
  if (hasOthers) at.add('left_out', 'There are more authors than it names.')
  return names
}

// What ends a list of authors that goes on elsewhere.
function isOthers({ family, literal, name, given }: Json, at: FieldNotes): boolean {
  const text = textOf(family ?? literal ?? name) ?? ''
  const isEnd = given === undefined && /^(?:others|et al\.?|and others)$/i.test(text)
  if (isEnd) at.add('left_out', 'There are more authors than it names.')
  return isEnd
}

function nameOf(name: Json, at: FieldNotes): readonly SourceAuthor[] {
  const text = (member: string) => {
    const found = textOf(name[member])
    return found === undefined ? undefined : plainText(found) || undefined
  }
  // Groups are `name` in Crossref and `literal` in CSL.
  const literal = text('literal') ?? text('name')
  const family = withParticles(text('family'), [
    text('dropping-particle'),
    text('non-dropping-particle'),
  ])
  if (literal === undefined && family === undefined && text('given') === undefined) {
    if (!isEmpty(name)) at.notRead(name, 'it is no name')
    return []
  }
  const parts = family === undefined ? { family: text('given') } : { family, given: text('given') }
  return [
    {
      ...(literal === undefined ? { ...parts, suffix: text('suffix') } : { literal }),
      orcid: orcidOf(name['ORCID'] ?? name['_orcid'], literal ?? family ?? '', at),
      ...affiliationOf(listOf(name['affiliation']), at),
    },
  ]
}

/** `van Beethoven`, `al-Hakim`, `d'Alembert`: a particle that ends so stands without a space. */
function withParticles(
  family: string | undefined,
  particles: readonly (string | undefined)[],
): string | undefined {
  if (family === undefined) return undefined
  return particles
    .toReversed()
    .filter((particle) => particle !== undefined)
    .reduce((name, particle) => {
      // Some programs have the particle in the family name as well.
      if (name.toLowerCase().startsWith(`${particle.toLowerCase()} `)) return name
      return /['’‘ʼ-]$/.test(particle) ? `${particle}${name}` : `${particle} ${name}`
    }, family)
}

/** The ORCID iD of an author; told if it is none. */
export function orcidOf(value: unknown, name: string, at: FieldNotes): string | undefined {
  const text = textOf(value)
  const orcid = text === undefined ? undefined : readOrcid(text)
  if (text !== undefined && orcid === undefined) {
    at.add('not_read', `The ORCID iD of ${name} is not a right one, and was left out.`)
  }
  return orcid
}

/** Where an author worked: one text, and of those that are named by a ROR ID the first. */
export function affiliationOf(
  places: readonly unknown[],
  at: FieldNotes,
): Pick<SourceAuthor, 'affiliation' | 'ror'> {
  const names = places.map((place) => textOf(place) ?? textOf(objectOf(place)['name']))
  const rors = places.flatMap((place) => rorsOf(objectOf(place)))
  const [ror, ...others] = new Set(rors)
  if (others.length > 0) at.add('repeated', 'An author has several ROR IDs; the first one counts.')
  const named = [
    ...new Set(names.filter((name) => name !== undefined && readRor(name) === undefined)),
  ]
  const affiliation = plainText(named.join('; '))
  return { ...(affiliation !== '' && { affiliation }), ...(ror !== undefined && { ror }) }
}

function rorsOf(place: Json): readonly string[] {
  const ids = [
    ...listOf(place['id']).map((id) => textOf(objectOf(id)['id']) ?? textOf(id)),
    textOf(place['affiliationIdentifier']),
    textOf(place['name']),
  ]
  return ids.flatMap((id) => (id === undefined ? [] : (readRor(id) ?? [])))
}

function readResource(value: unknown, at: FieldNotes): SourceWork['urls'] {
  return readUrlFields(objectOf(objectOf(value)['primary'])['URL'], at)
}

function readNamed(value: unknown, at: FieldNotes): string | undefined {
  const [name, ...others] = listOf(value).flatMap(
    (each) => textOf(objectOf(each)['name']) ?? textOf(each) ?? [],
  )
  if (others.length > 0) at.add('repeated', `${at.field} has several names; the first one counts.`)
  return name && plainText(name)
}

function readJournalIssue(value: unknown): string | undefined {
  return textOf(objectOf(value)['issue'])
}

// Licences of the text that readers have, before those of drafts; that of mining is none for them.
const contentVersions = ['vor', 'unspecified', '', 'am']

/** The licence of Crossref's list that is for readers, or the one that a text names. */
function readLicenses(value: unknown, at: FieldNotes): string | undefined {
  if (!Array.isArray(value)) return readLicense(objectOf(value)['URL'] ?? value, at)
  const given = value.map((each) => {
    const { URL: url, 'content-version': version } = objectOf(each)
    return { url: textOf(url) ?? textOf(each), version: textOf(version) ?? '' }
  })
  const ranked = contentVersions.flatMap((version) =>
    given.filter((each) => each.version === version),
  )
  for (const { url, version } of given) {
    if (contentVersions.includes(version)) continue
    at.add('left_out', `license ${url} is left out: it is for "${version}" only.`, false)
  }
  const [first, ...others] = ranked.flatMap(({ url }) => url ?? [])
  const license = first === undefined ? undefined : readLicense(first, at)
  for (const other of new Set(others)) {
    if (other === first) continue
    at.add('repeated', `license ${other} is left out: ${first} counts.`)
  }
  return license
}

function readFunders(value: unknown, at: FieldNotes): readonly Funding[] {
  return listOf(value).flatMap((each) => {
    const funder = objectOf(each)
    const name = textOf(funder['name'])
    const awards = listOf(funder['award'])
      .map(textOf)
      .filter((award) => award !== undefined)
    if (name === undefined) {
      if (!isEmpty(each)) at.notRead(each, 'a funder needs a name')
      return []
    }
    const named = plainText(name)
    return awards.length === 0
      ? [{ funder: named }]
      : awards.map((award) => ({ funder: named, award }))
  })
}

// Relations of Crossref that DataCite has by another name; those of the same name are not here.
const relationNames: Readonly<Record<string, string>> = {
  'is-review-of': 'Reviews',
  'has-review': 'IsReviewedBy',
  'is-based-on': 'IsDerivedFrom',
  'is-basis-for': 'IsSourceOf',
  'based-on-data': 'IsDerivedFrom',
  'is-data-basis-for': 'IsSourceOf',
  'has-derivation': 'IsSourceOf',
  'is-same-as': 'IsIdenticalTo',
  'is-replaced-by': 'IsObsoletedBy',
  replaces: 'Obsoletes',
  'is-preprint-of': 'IsVersionOf',
  'has-preprint': 'HasVersion',
  'is-manuscript-of': 'IsVersionOf',
  'has-manuscript': 'HasVersion',
}

const idTypes: Readonly<Record<string, string>> = { uri: 'URL' }

function readRelations(value: unknown, at: FieldNotes): readonly RelatedIdentifier[] {
  return Object.entries(objectOf(value)).flatMap(([name, related]) => {
    return listOf(related).flatMap((each) => {
      const { id, 'id-type': given } = objectOf(each)
      const type = textOf(given) ?? 'doi'
      return readRelated(relationNames[name] ?? name, idTypes[type] ?? type, textOf(id), at)
    })
  })
}

/** A related identifier, if its relation and its scheme are some of ours. */
export function readRelated(
  relation: string,
  scheme: string,
  identifier: string | undefined,
  at: FieldNotes,
): readonly RelatedIdentifier[] {
  if (identifier === undefined) return []
  const known = /^doi$/i.test(scheme) ? (readDoi(identifier) ?? identifier) : identifier
  const faults = new FaultList()
  const related = relatedIdentifierKind.read({ relation, scheme, identifier: known }, '', faults)
  if (related !== undefined) return [related]
  at.notRead(
    `${relation} ${scheme} ${identifier}`,
    'we have no such relation, scheme or identifier',
  )
  return []
}

// Kinds of what Crossref calls posted content.
const subtypes: Readonly<Record<string, WorkType>> = {
  preprint: 'preprint',
  working_paper: 'working_paper',
  letter: 'letter',
  dissertation: 'thesis',
  report: 'report',
  review: 'review_article',
  poster: 'poster',
  blog: 'other',
  other: 'other',
}

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
