import {
  invertedName,
  isNoName,
  joinAuthors,
  joiningWords,
  mayBePersons,
  namesRest,
  namesSeveral,
  splitAuthors,
} from '#actors/values/author_name.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { recognizeKeywords } from '#actors/values/text.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldTable,
  type FieldValues,
  foldedText,
  lineOf,
  listOf,
  nameOf,
  paragraphsOf,
  warnOfFolding,
} from '#actors/values/field_table.ts'
import { geoLocationKind } from '#actors/values/geo_location.ts'
import {
  doiKind,
  explainShortDoi,
  readShortDoi,
  urlCharactersMax,
  urlKind,
} from '#actors/values/identifier.ts'
import { languageKind, languageTagKind } from '#actors/values/language.ts'
import { markupOf } from '#actors/values/markup.ts'
import { relatedIdentifierKind } from '#actors/values/related_identifier.ts'
import { workTypeKind } from '#actors/values/work_type.ts'
import { fileKind } from '#actors/works/files.ts'
import { fundingKind } from '#actors/works/funding.ts'
import {
  descriptionCharactersMax,
  descriptionMarkupCharactersMax,
  externalIdCharactersMax,
  foldedCharactersMax,
  listItemsMax,
  longListItemsMax,
  nameCharactersMax,
  noteCharactersMax,
  numberCharactersMax,
  titleCharactersMax,
  titleMarkupCharactersMax,
} from '#actors/works/lengths.ts'
import { affiliationKind, authorDetailKind, contributorKind } from '#actors/works/names.ts'
import {
  assertionKind,
  clinicalTrialKind,
  contentDomainKind,
  eventKind,
  isbnWithMediumKind,
  issnWithMediumKind,
  pagesKind,
  partNumberKind,
  publisherIdKind,
  reviewKind,
  workDateKind,
} from '#actors/works/publication.ts'
import {
  alternateIdentifierKind,
  referenceKind,
  relatedItemKind,
} from '#actors/works/related_items.ts'
import { accessKind, licenseKind, partialDateKind, rightsKind } from '#actors/works/rights.ts'
import { descriptionKind, subjectKind, titleKind, variableKind } from '#actors/works/titles.ts'
import { updateNoticeKind } from '#actors/works/update_notices.ts'

type RequiredName = 'work_title' | 'work_type' | 'authors'
type OptionalName = Exclude<keyof Metadata, RequiredName>

/** A change of metadata: what is absent stays, null removes. */
export type MetadataPatch = Partial<Pick<Metadata, RequiredName>> & {
  readonly [Name in OptionalName]?: Exclude<Metadata[Name], undefined> | null
}

// The largest collaborations have some 15,000 authors.
const authorsMax = 20_000
const authorsCharactersMax = 200_000
const archivesMax = 100

const namesKind = foldedText({
  max: authorsCharactersMax,
  fold: (text) => (/[^,;\s]/.test(text) ? text : undefined),
  right: 'names separated by commas or semicolons',
})

const authorsKind: FieldKind<string> = {
  ...namesKind,
  read(value, path, faults) {
    const lines = typeof value === 'string' ? namesOnLines(value) : undefined
    const text = namesKind.read(lines ?? value, path, faults)
    if (text === undefined) return undefined
    if (lines !== undefined) warnOfFolding(path, String(value), text, faults)
    else if (typeof value === 'string') warnOfLines(value, path, faults)
    const names = splitAuthors(text)
    const { length } = names
    if (length > authorsMax) {
      faults.add(path, 'too_long', `${path} may have at most ${authorsMax} names, not ${length}`)
      return undefined
    }
    const [family, given] = invertedName(text, names) ?? []
    if (family !== undefined) {
      const read = `${path} is read as ${length} names, of which one is “${family}”`
      const help = 'end a name that has its family name first with a semicolon'
      faults.warn(path, 'names_parted', `${read}; ${help}: “${family}, ${given};”`)
    }
    warnOfNames(names, text, path, faults)
    return text
  },
}

/**
 * Names of which each stands on a line of its own, all inverted or none. Undefined where signs
 * part them, or where a line does not look like a name.
 */
function namesOnLines(text: string): string | undefined {
  if (!/[\r\n]/.test(text) || text.includes(';') || text.length > authorsCharactersMax) {
    return undefined
  }
  const lines = text.split(/[\r\n]+/).map((line) => line.trim().replace(/,$/, ''))
  const names = lines.filter((line) => line !== '')
  const isPlain = names.every((name) => !name.includes(',') && /\S\s+\S/.test(name))
  const isInverted = names.every((name) => /^[^,]+,[^,]+$/.test(name))
  return names.length > 1 && (isPlain || isInverted) ? joinAuthors(names) : undefined
}

/** Tells of two lines that no sign parts, which are read as one name. */
function warnOfLines(text: string, path: string, faults: FaultList): void {
  if (!/[\r\n]/.test(text) || text.length > authorsCharactersMax) return
  const parts = text.split(/[,;]/).map((part) => part.trim())
  const name = parts.find((part) => /[\r\n]/.test(part))?.replaceAll(/\s+/g, ' ')
  if (name === undefined) return
  const help = 'put a semicolon between two names'
  faults.warn(path, 'names_joined', `${path}: “${name}” is read as one author; ${help}`)
}

// Only where one of these or both signs stand, the names are looked at one by one.
const doubtful = new RegExp(
  String.raw`(?:^|[\s,;])(?:(?:${joiningWords}|[&+]|al|others|alii|jr|sr|` +
    String.raw`jnr|snr|esq|i{2,3}|iv|[23]n?d|3rd|4th|u\.\s?a\.)` +
    String.raw`(?![\p{L}\d])|ph|[bdem]\.?\s?[bdpsv])|[/|]`,
  'iu',
)

const twoWords = new RegExp(String.raw`^(?:the\s+)?\S+\s+(?:${joiningWords}|&)\s+\S+$`, 'u')

const keywordCharactersMax = 5_000
const keywordLine = lineOf(keywordCharactersMax)

/** Keywords as the text that parts them; what is another list of them is taken as that. */
const keywordsKind: FieldKind<string> = {
  ...keywordLine,
  read(value, path, faults) {
    const isShort = typeof value === 'string' && value.length <= keywordCharactersMax
    const meant = isShort ? recognizeKeywords(value) : undefined
    if (meant !== undefined) warnOfFolding(path, String(value), meant, faults)
    return keywordLine.read(meant ?? value, path, faults)
  },
}

/** Where a work is; a short DOI leads there, and does not say what the DOI is. */
const workUrlKind: FieldKind<string> = {
  ...urlKind,
  read(value, path, faults) {
    const url = urlKind.read(value, path, faults)
    const short = url === undefined ? undefined : readShortDoi(url)
    if (short !== undefined) {
      const message = `${path} is kept as an address: ${explainShortDoi(short)}`
      faults.warn(path, 'short_doi', `${message}, in existing_doi`)
    }
    return url
  },
}

/** Tells what is read as one author and seems to be two, or none. */
function warnOfNames(
  names: readonly string[],
  text: string,
  path: string,
  faults: FaultList,
): void {
  // With both signs, a comma stands within a name.
  const hasBoth = text.includes(',') && text.includes(';')
  if (!hasBoth && !doubtful.test(text)) return
  const rest = names.find(namesRest)
  if (rest !== undefined) {
    const help = 'name all authors, or leave out what stands for the others'
    faults.warn(path, 'names_joined', `${path}: “${rest}” is read as one author; ${help}`)
    return
  }
  const none = names.find(isNoName)
  if (none !== undefined) {
    const help = 'end a name that has a comma in it with a semicolon'
    faults.warn(path, 'names_parted', `${path}: “${none}” is read as an author; ${help}`)
  }
  const several = names.find((name) => namesSeveral(name) || mayBePersons(name))
  if (several !== undefined) {
    const help = 'put a semicolon between two names'
    faults.warn(path, 'names_joined', `${path}: “${several}” is read as one author; ${help}`)
  } else if (!text.includes(';') && names.length > 2 && namesSeveral(text)) {
    const read = `${path} is read as ${names.length} names, of which one is “${names[1]}”`
    const help = 'put a semicolon between two names, and no other sign or word'
    faults.warn(path, 'names_parted', `${read}; ${help}`)
  } else if (none === undefined && !text.includes(';') && names.length > 1) {
    // `Department of Soil, Water and Environment` is the name of one group.
    const part = names.find((each) => twoWords.test(each))
    if (part === undefined) return
    const help = 'end a name that has a comma in it with a semicolon'
    faults.warn(path, 'names_parted', `${path}: “${part}” is read as an author; ${help}`)
  }
}

/** The sections that forms have beside the first fields, in their order. */
export const fieldSections: readonly string[] = [
  'publication',
  'contributors',
  'titles',
  'descriptions',
  'dates',
  'subjects',
  'funding',
  'rights',
  'files',
  'version',
  'related',
  'references',
  'identifiers',
  'institutions',
  'event',
  'places',
  'notices',
  'review',
  'statements',
]

const fields = fieldTable({
  work_title: {
    kind: nameOf(titleCharactersMax),
    required: true,
    about:
      'Title. Bidirectional marks are removed with a warning; other such controls, which are ' +
      'removed from other texts, are refused in titles and names.',
    example: 'On the Equilibrium of Heterogeneous Substances',
    alsoCalled: ['title'],
  },
  work_type: {
    kind: workTypeKind,
    required: true,
    about:
      'Kind of work. Names of DataCite, Crossref, CSL, COAR, schema.org, BibTeX and RIS are ' +
      'folded, such as `journal-article`, with a warning.',
    example: 'article',
    alsoCalled: ['type'],
  },
  authors: {
    kind: authorsKind,
    required: true,
    about: `Names, separated by semicolons if there is one, else by commas; ${authorsMax} at most.`,
    example: 'Josiah Willard Gibbs, Hermann von Helmholtz',
    alsoCalled: ['author', 'creators', 'creator'],
  },
  description: {
    kind: paragraphsOf(descriptionCharactersMax),
    about: 'Abstract; may have several lines.',
    example: 'The criteria of equilibrium and stability for heterogeneous systems.',
    alsoCalled: ['abstract', 'summary'],
  },
  work_url: {
    kind: workUrlKind,
    about: 'Where the work is: http or https. Required unless `existing_doi` is given.',
    example: 'https://example.org/equilibrium.pdf',
    alsoCalled: ['url', 'content_url', 'link'],
  },
  existing_doi: {
    kind: doiKind,
    about: 'DOI that the work already has, stored in lower case without an address before it.',
    example: '10.1234/equilibrium',
    alsoCalled: ['doi'],
  },
  keywords: {
    kind: keywordsKind,
    about:
      'Keywords, separated by semicolons if there is one, else by commas: those with a comma in ' +
      'them, such as `Diabetes Mellitus, Type 2`, have semicolons between them.',
    example: 'thermodynamics, chemical potential',
    alsoCalled: ['subject', 'tags'],
  },
  language: {
    kind: languageKind,
    about:
      'Language of the work: ISO 639-1, two letters. `en-US`, `eng` and `English` are folded, ' +
      'with a warning; a language without such a code is refused. A code goes before a name: ' +
      '`Ga` is Irish.',
    example: 'en',
    alsoCalled: ['lang'],
  },
  license: {
    kind: licenseKind,
    about:
      'SPDX identifier of the license, or its address. Names and addresses of licenses in the ' +
      'list of SPDX, its deprecated identifiers, and `CC-BY` are folded with a warning.',
    example: 'CC-BY-4.0',
    alsoCalled: ['licence'],
  },
  published_date: {
    kind: partialDateKind,
    about:
      'When the work was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Other spellings whose ' +
      'meaning is certain, such as `3 May 2019`, are folded, with a warning.',
    example: '1876-10',
    alsoCalled: ['publication_date', 'date', 'year'],
  },
  publisher_name: {
    section: 'publication',
    kind: nameOf(nameCharactersMax),
    about: 'Publisher.',
    example: 'Connecticut Academy of Arts and Sciences',
    alsoCalled: ['publisher'],
  },
  container_title: {
    section: 'publication',
    kind: nameOf(titleCharactersMax),
    about: 'Title of the journal, book or proceedings that holds the work.',
    example: 'Transactions of the Connecticut Academy',
    alsoCalled: ['journal', 'journal_title', 'book_title'],
  },
  volume: {
    section: 'publication',
    kind: partNumberKind,
    about: 'Volume, without the word for it.',
    example: '3',
  },
  issue: {
    section: 'publication',
    kind: partNumberKind,
    about: 'Issue, without the word for it.',
    example: '2',
    alsoCalled: ['number'],
  },
  pages: {
    section: 'publication',
    kind: pagesKind,
    about: 'Pages.',
    example: '108–248',
  },
  author_details: {
    kind: listOf(authorDetailKind, longListItemsMax),
    about:
      'More about the authors, in the order of `authors`. A change of one of the two has the ' +
      'other follow, which `warnings` tell.',
    example: [{ name: 'Josiah S. Carberry', orcid: '0000-0002-1825-0097' }],
  },
  related_identifiers: {
    section: 'related',
    kind: listOf(relatedIdentifierKind, listItemsMax),
    about: 'Other things that the work relates to.',
    example: [{ relation: 'IsSupplementedBy', identifier: '10.5281/zenodo.1', scheme: 'DOI' }],
  },
  funding: {
    section: 'funding',
    kind: listOf(fundingKind, listItemsMax),
    about: 'Who paid for the work.',
    example: [{ funder: 'European Research Council', award: '101019547' }],
    alsoCalled: ['funders'],
  },
  content_hash: {
    section: 'files',
    byNeed: true,
    kind: foldedText({
      max: foldedCharactersMax,
      fold: (text) => (/^sha256:[0-9a-f]{64}$/.test(text) ? text : undefined),
      right: 'sha256: and 64 lower-case hexadecimal digits',
      pattern: '^sha256:[0-9a-f]{64}$',
    }),
    about: 'SHA-256 of the content, as the registrant declares it.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    alsoCalled: ['sha256', 'hash', 'checksum'],
  },
  work_title_markup: {
    section: 'titles',
    byNeed: true,
    kind: markupOf(titleMarkupCharactersMax, false),
    about:
      'The title with its marks, `<i>`, `<b>`, `<sub>`, `<sup>`, and formulas, `<math>` of ' +
      'MathML or `<tex-math>`; `&lt;` and `&amp;` are signs. Its text is that of `work_title`.',
    example: 'On the Equilibrium of <i>Heterogeneous</i> Substances',
    alsoCalled: ['title_markup', 'title_html'],
  },
  description_markup: {
    section: 'descriptions',
    byNeed: true,
    kind: markupOf(descriptionMarkupCharactersMax, true),
    about: 'The description with its marks and formulas, as `work_title_markup`.',
    example: 'The criteria of equilibrium and stability for <i>heterogeneous</i> systems.',
    alsoCalled: ['abstract_markup', 'description_html'],
  },
  work_title_language: {
    section: 'titles',
    kind: languageTagKind,
    about: 'Language of `work_title` where it is not `language`: a tag of BCP 47.',
    example: 'en',
    alsoCalled: ['title_language'],
  },
  description_language: {
    section: 'descriptions',
    kind: languageTagKind,
    about: 'Language of `description` where it is not `language`: a tag of BCP 47.',
    example: 'en',
    alsoCalled: ['abstract_language'],
  },
  titles: {
    section: 'titles',
    kind: listOf(titleKind, listItemsMax),
    about: 'Further titles: translated, subtitles, short ones.',
    example: [{ title: 'Über das Gleichgewicht', kind: 'translated', language: 'de' }],
    alsoCalled: ['other_titles', 'alternative_titles', 'subtitle'],
  },
  contributors: {
    section: 'contributors',
    kind: listOf(contributorKind, longListItemsMax),
    about: 'Who had a part in the work besides its authors, each with a role, in order.',
    example: [{ name: 'Addison E. Verrill', role: 'editor' }],
    alsoCalled: ['editors', 'contributor'],
  },
  descriptions: {
    section: 'descriptions',
    kind: listOf(descriptionKind, listItemsMax),
    about: 'Further texts about the work: methods, abstracts in other languages.',
    example: [{ description: 'Measured with a mercury manometer.', kind: 'methods' }],
  },
  subjects: {
    section: 'subjects',
    kind: listOf(subjectKind, listItemsMax),
    about: 'Subjects with the scheme that they are of; `keywords` has the plain words.',
    example: [{ subject: 'Physical chemistry', scheme: 'FOS', code: '1.4' }],
  },
  variables: {
    section: 'subjects',
    byNeed: true,
    kind: listOf(variableKind, listItemsMax),
    about: 'What was measured or observed, of which the work has values.',
    example: [{ name: 'vapour pressure', unit: 'kPa' }],
    alsoCalled: ['variable_measured', 'variables_measured', 'parameters'],
  },
  dates: {
    section: 'dates',
    kind: listOf(workDateKind, listItemsMax),
    about: 'Further dates and ranges of dates, each with what happened then.',
    example: [{ date: '1873-06/1876-10', kind: 'created' }],
  },
  resource_type: {
    section: 'version',
    kind: lineOf(nameCharactersMax),
    about: 'Kind of work in words of your own, in addition to `work_type`.',
    example: 'Memoir',
    alsoCalled: ['genre'],
  },
  resource_version: {
    section: 'version',
    kind: lineOf(nameCharactersMax),
    about: 'Version of the content as its makers number it; not the version of this record.',
    example: '2.1.0',
    alsoCalled: ['version'],
  },
  resource_version_note: {
    section: 'version',
    kind: paragraphsOf(noteCharactersMax),
    about: 'What is new in that version.',
    example: 'Typing errors mended.',
  },
  sizes: {
    section: 'files',
    kind: listOf(lineOf(nameCharactersMax), listItemsMax),
    about: 'How large the work is, in words.',
    example: ['141 pages'],
    alsoCalled: ['size'],
  },
  formats: {
    section: 'files',
    kind: listOf(lineOf(nameCharactersMax), listItemsMax),
    about: 'Formats of the work: media types where there are some.',
    example: ['application/pdf'],
    alsoCalled: ['format'],
  },
  files: {
    section: 'files',
    kind: listOf(fileKind, listItemsMax),
    about: 'Files of the work besides the one at `work_url`.',
    example: [{ url: 'https://example.org/tables.csv', media_type: 'text/csv' }],
  },
  rights: {
    section: 'rights',
    kind: listOf(rightsKind, listItemsMax),
    about: 'Rights besides `license`: of other stages of the text, in words, or without a license.',
    example: [{ license: 'CC-BY-4.0', applies_to: 'accepted_manuscript' }],
    alsoCalled: ['rights_list', 'licenses'],
  },
  access: {
    section: 'rights',
    kind: accessKind,
    about: 'Who can read the work, from when and until when. A change replaces it as a whole.',
    example: { right: 'open', start_date: '1877-10-01' },
    alsoCalled: ['free_to_read', 'embargo'],
  },
  external_id: {
    section: 'identifiers',
    kind: lineOf(externalIdCharactersMax),
    about:
      'What you call the work yourself, such as its number in your system. No two works of one ' +
      'registrant that stand have the same.',
    example: 'press-2026-0117',
    alsoCalled: ['external_identifier', 'local_id'],
  },
  alternate_identifiers: {
    section: 'identifiers',
    kind: listOf(alternateIdentifierKind, listItemsMax),
    about: 'Other names of the same work, in any scheme.',
    example: [{ identifier: 'S0000000076000123', type: 'PII' }],
    alsoCalled: ['identifiers', 'alternative_id'],
  },
  related_items: {
    section: 'related',
    kind: listOf(relatedItemKind, listItemsMax),
    about: 'Things that the work relates to, described so far that they need no identifier.',
    example: [{ relation: 'IsPublishedIn', type: 'journal', titles: [{ title: 'Transactions' }] }],
  },
  references: {
    section: 'references',
    kind: listOf(referenceKind, longListItemsMax),
    about: 'What the work cites, in order: in parts, by DOI, or as text.',
    example: [{ text: 'R. Clausius, Abhandlungen, 1864.' }],
    alsoCalled: ['citations', 'reference', 'bibliography'],
  },
  geo_locations: {
    section: 'places',
    kind: listOf(geoLocationKind, listItemsMax),
    about: 'Places that the work is about, or where its data was gathered.',
    example: [{ place: 'New Haven', point: { longitude: -72.92, latitude: 41.31 } }],
    alsoCalled: ['places', 'geo_location'],
  },
  publisher_id: {
    section: 'publication',
    byNeed: true,
    kind: publisherIdKind,
    about: 'Identifier of the publisher. A change replaces it as a whole.',
    example: { identifier: 'https://ror.org/05gq02987', scheme: 'ROR' },
    alsoCalled: ['publisher_identifier'],
  },
  publisher_language: {
    section: 'publication',
    byNeed: true,
    kind: languageTagKind,
    about: 'Language of the name of the publisher.',
    example: 'en',
  },
  publisher_place: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Where the publisher is.',
    example: 'New Haven',
    alsoCalled: ['publisher_location'],
  },
  institutions: {
    section: 'institutions',
    kind: listOf(affiliationKind, listItemsMax),
    about: 'Institutions behind the work: of a thesis, a report, a standard or a server.',
    example: [{ name: 'Yale College', department: 'Department of Physics' }],
    alsoCalled: ['institution', 'standards_body'],
  },
  degree: {
    section: 'institutions',
    kind: lineOf(nameCharactersMax),
    about: 'Degree of a thesis.',
    example: 'Doctor of Philosophy',
  },
  event: {
    section: 'event',
    kind: eventKind,
    about: 'Conference that the work was made for. A change replaces it as a whole.',
    example: { name: 'Fifth Meeting on Psychoceramics', place: 'Providence' },
    alsoCalled: ['conference'],
  },
  container_short_title: {
    section: 'publication',
    byNeed: true,
    kind: nameOf(titleCharactersMax),
    about: 'Short title of the journal that holds the work.',
    example: 'Trans. Conn. Acad.',
    alsoCalled: ['short_container_title', 'journal_abbreviation'],
  },
  issn: {
    section: 'publication',
    byNeed: true,
    kind: listOf(issnWithMediumKind, listItemsMax),
    about: 'ISSNs of the journal that holds the work.',
    example: [{ value: '0028-0836', kind: 'print' }],
  },
  isbn: {
    section: 'publication',
    byNeed: true,
    kind: listOf(isbnWithMediumKind, listItemsMax),
    about: 'ISBNs of the work, or of the book that holds it.',
    example: [{ value: '978-3-16-148410-0', kind: 'print' }],
  },
  edition: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(numberCharactersMax),
    about: 'Edition of the work, or of the book that holds it.',
    example: '2',
    alsoCalled: ['edition_number'],
  },
  article_number: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(numberCharactersMax),
    about: 'Number of the article in the journal, where it has one in the place of pages.',
    example: 'e0012',
    alsoCalled: ['elocation_id'],
  },
  chapter_number: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(numberCharactersMax),
    about: 'Number of the chapter or part in the book.',
    example: 'Chapter 3',
    alsoCalled: ['component_number', 'part_number'],
  },
  issue_title: {
    section: 'publication',
    byNeed: true,
    kind: nameOf(titleCharactersMax),
    about: 'Title of the issue that holds the work.',
    example: 'Papers in honor of Clausius',
  },
  series_title: {
    section: 'publication',
    byNeed: true,
    kind: nameOf(titleCharactersMax),
    about: 'Title of the series that the work or its book is in.',
    example: 'Landmarks of Science',
    alsoCalled: ['series', 'collection_title'],
  },
  series_number: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(numberCharactersMax),
    about: 'Number in the series.',
    example: '9',
  },
  series_issn: {
    section: 'publication',
    byNeed: true,
    kind: listOf(issnWithMediumKind, listItemsMax),
    about: 'ISSNs of the series.',
    example: [{ value: '2049-3630', kind: 'electronic' }],
  },
  group_title: {
    section: 'publication',
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Group that a preprint is listed in.',
    example: 'Chemistry',
  },
  review: {
    section: 'review',
    kind: reviewKind,
    about: 'What a peer review says of itself. A change replaces it as a whole.',
    example: { type: 'referee-report', recommendation: 'accept' },
  },
  update_notices: {
    section: 'notices',
    kind: listOf(updateNoticeKind, listItemsMax),
    about: 'Retractions, corrections and the like, of a work that stays; or by this work.',
    example: [{ kind: 'correction', direction: 'of_this', doi: '10.1234/equilibrium.c1' }],
    alsoCalled: ['updated_by', 'update_to', 'notices'],
  },
  update_policy: {
    section: 'notices',
    byNeed: true,
    kind: lineOf(urlCharactersMax),
    about: 'DOI or address of the policy by which the publisher corrects works.',
    example: '10.1234/policy',
    alsoCalled: ['crossmark_policy'],
  },
  content_domain: {
    section: 'notices',
    byNeed: true,
    kind: contentDomainKind,
    about: 'Where the publisher shows whether the work is up to date. Replaced as a whole.',
    example: { domains: ['example.org'], restricted: true },
    alsoCalled: ['crossmark_domains'],
  },
  archives: {
    section: 'statements',
    kind: listOf(lineOf(nameCharactersMax), archivesMax),
    about: 'Archives that keep the work.',
    example: ['Portico'],
    alsoCalled: ['archive'],
  },
  clinical_trials: {
    section: 'identifiers',
    byNeed: true,
    kind: listOf(clinicalTrialKind, listItemsMax),
    about: 'Clinical trials that the work tells of.',
    example: [{ number: 'ISRCTN12345678' }],
    alsoCalled: ['clinical_trial_numbers'],
  },
  assertions: {
    section: 'statements',
    kind: listOf(assertionKind, listItemsMax),
    about: 'What the publisher says of the work in its own words.',
    example: [{ name: 'received', label: 'Received', value: '2 June 1875' }],
    alsoCalled: ['assertion'],
  },
})

/**
 * What describes one version of a work, as it is stored, hashed and returned: absent fields are
 * left out, members stand in the order of canonical JSON. `work_url` or `existing_doi` is given.
 */
export type Metadata = FieldValues<typeof fields>

/**
 * The fields of a work. This table alone decides what is accepted and stored, what OpenAPI says of
 * it, and what a misspelt name is taken for.
 */
export const metadataFields: FieldTable<Metadata> = fields
