import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  listOf,
  nameOf,
  objectOf,
  paragraphsOf,
  wordOf,
} from '#actors/values/field_table.ts'
import {
  doiKind,
  isbnKind,
  issnKind,
  uriKind,
  urlCharactersMax,
  urlKind,
} from '#actors/values/identifier.ts'
import { readIdentifier, schemeNamed } from '#actors/values/identifier_scheme.ts'
import { relationKind } from '#actors/values/related_identifier.ts'
import { workTypeKind } from '#actors/values/work_type.ts'
import {
  foldedCharactersMax,
  listItemsMax,
  nameCharactersMax,
  noteCharactersMax,
  numberCharactersMax,
  titleCharactersMax,
} from '#actors/works/lengths.ts'
import { authorDetailKind, contributorKind } from '#actors/works/names.ts'
import { titleKind } from '#actors/works/titles.ts'

/** What the number of an item is of. */
const numberTypes = ['article', 'chapter', 'report', 'other'] as const

const number = lineOf(numberCharactersMax)

const alternateIdentifierFields = fieldTable({
  identifier: {
    kind: lineOf(urlCharactersMax),
    required: true,
    about: 'The identifier, as it is written.',
    example: 'S0000000076000123',
    alsoCalled: ['alternate_identifier', 'value'],
  },
  type: {
    kind: lineOf(foldedCharactersMax),
    required: true,
    about: 'What kind of identifier it is, in any words.',
    example: 'PII',
    alsoCalled: ['alternate_identifier_type', 'scheme'],
  },
})

/** Another name of the same work, in whatever scheme. */
export type AlternateIdentifier = FieldValues<typeof alternateIdentifierFields>

export const alternateIdentifierKind: FieldKind<AlternateIdentifier> = objectOf(
  'AlternateIdentifier',
  alternateIdentifierFields,
)

const relatedItemFields = fieldTable({
  relation: {
    kind: relationKind,
    required: true,
    about: 'How this work relates to it; a DataCite relation type.',
    example: 'IsPublishedIn',
    alsoCalled: ['relation_type'],
  },
  type: {
    kind: workTypeKind,
    about: 'What kind of thing it is.',
    example: 'journal',
    alsoCalled: ['related_item_type', 'resource_type'],
  },
  note: {
    byNeed: true,
    kind: lineOf(noteCharactersMax),
    about: 'What else there is to say of the relation.',
    example: 'data section',
    alsoCalled: ['relation_type_information'],
  },
  identifier: {
    kind: lineOf(urlCharactersMax),
    about: 'Its identifier, if it has one.',
    example: '10.1234/transactions',
    alsoCalled: ['related_item_identifier'],
  },
  identifier_type: {
    kind: lineOf(foldedCharactersMax),
    about: 'The scheme of that: those of `related_identifiers` are checked, others are taken.',
    example: 'DOI',
    alsoCalled: ['related_item_identifier_type', 'scheme'],
  },
  metadata_scheme: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'For `HasMetadata` and `IsMetadataFor`: the scheme of the metadata.',
    example: 'DDI-L',
  },
  scheme_uri: {
    byNeed: true,
    kind: uriKind,
    about: 'The address of that scheme.',
    example: 'https://example.org/ddi-lifecycle-3.1.xsd',
  },
  scheme_type: { byNeed: true, kind: number, about: 'The kind of that scheme.', example: 'XSD' },
  titles: {
    kind: listOf(titleKind, listItemsMax),
    about: 'Its titles.',
    example: [{ title: 'Transactions of the Connecticut Academy' }],
  },
  authors: {
    byNeed: true,
    kind: listOf(authorDetailKind, listItemsMax),
    about: 'Its authors.',
    example: [{ name: 'Addison E. Verrill' }],
    alsoCalled: ['creators'],
  },
  contributors: {
    byNeed: true,
    kind: listOf(contributorKind, listItemsMax),
    about: 'Who else had a part in it.',
    example: [{ name: 'Addison E. Verrill', role: 'editor' }],
  },
  year: {
    kind: number,
    about: 'When it was published.',
    example: '1876',
    alsoCalled: ['publication_year'],
  },
  volume: { kind: number, about: 'Its volume.', example: '3' },
  issue: { byNeed: true, kind: number, about: 'Its issue.', example: '2' },
  number: {
    byNeed: true,
    kind: number,
    about: 'Its number, or that of the work in it.',
    example: 'e12',
  },
  number_type: {
    byNeed: true,
    kind: wordOf({ words: numberTypes, title: 'NumberType' }),
    about: 'What that number is of.',
    example: 'article',
  },
  first_page: {
    byNeed: true,
    kind: number,
    about: 'First page of the work in it.',
    example: '108',
  },
  last_page: {
    byNeed: true,
    kind: number,
    about: 'Last page of the work in it.',
    example: '248',
  },
  publisher: {
    byNeed: true,
    kind: nameOf(nameCharactersMax),
    about: 'Its publisher.',
    example: 'Connecticut Academy',
  },
  edition: { byNeed: true, kind: number, about: 'Its edition.', example: '2' },
  issn: { byNeed: true, kind: issnKind, about: 'Its ISSN.', example: '0028-0836' },
  isbn: { byNeed: true, kind: isbnKind, about: 'Its ISBN.', example: '978-3-16-148410-0' },
})

/** Another thing that a work relates to, described so far that it needs no identifier. */
export type RelatedItem = FieldValues<typeof relatedItemFields>

export const relatedItemKind: FieldKind<RelatedItem> = objectOf(
  'RelatedItem',
  relatedItemFields,
  readItem,
)

function readItem(item: RelatedItem, path: string, faults: FaultList): RelatedItem | undefined {
  const { identifier, identifier_type: type, titles } = item
  if (identifier === undefined && titles === undefined) {
    faults.add(`${path}.titles`, 'required', `${path}.titles or ${path}.identifier is required`)
    return undefined
  }
  if (identifier === undefined || type === undefined) return item
  const scheme = schemeNamed(type)
  if (scheme === undefined) return item
  const stored = readIdentifier(scheme, identifier, `${path}.identifier`, faults)
  if (stored === undefined) return undefined
  if (stored === identifier && scheme === type) return item
  return { ...item, identifier: stored, identifier_type: scheme }
}

const referenceFields = fieldTable({
  key: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'What the reference is called in the work.',
    example: 'ref1',
  },
  doi: { kind: doiKind, about: 'DOI of what is cited.', example: '10.1234/clausius' },
  url: {
    byNeed: true,
    kind: urlKind,
    about: 'Its address.',
    example: 'https://example.org/clausius',
  },
  text: {
    kind: paragraphsOf(noteCharactersMax),
    about: 'The reference as it is printed.',
    example: 'R. Clausius, Abhandlungen über die mechanische Wärmetheorie, 1864.',
    alsoCalled: ['unstructured', 'citation'],
  },
  type: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'What it is.',
    example: 'book',
  },
  author: {
    kind: lineOf(nameCharactersMax),
    about: 'Its authors, or the first of them.',
    example: 'Clausius, R.',
    alsoCalled: ['authors'],
  },
  title: {
    kind: lineOf(titleCharactersMax),
    about: 'Its title.',
    example: 'Über die bewegende Kraft der Wärme',
    alsoCalled: ['article_title'],
  },
  container_title: {
    kind: lineOf(titleCharactersMax),
    about: 'Title of the journal or the book that holds it.',
    example: 'Annalen der Physik',
    alsoCalled: ['journal_title', 'journal'],
  },
  volume_title: {
    byNeed: true,
    kind: lineOf(titleCharactersMax),
    about: 'Title of its volume.',
    example: 'Abhandlungen',
  },
  series_title: {
    byNeed: true,
    kind: lineOf(titleCharactersMax),
    about: 'Title of the series that it is in.',
    example: 'Ostwalds Klassiker',
  },
  year: { kind: number, about: 'Year, as printed: `1850a`.', example: '1850' },
  volume: { kind: number, about: 'Volume.', example: '79' },
  issue: { byNeed: true, kind: number, about: 'Issue.', example: '4' },
  first_page: { byNeed: true, kind: number, about: 'First page.', example: '500' },
  last_page: { byNeed: true, kind: number, about: 'Last page.', example: '524' },
  edition: { byNeed: true, kind: number, about: 'Edition.', example: '2' },
  component: { byNeed: true, kind: number, about: 'Its part that is cited.', example: 'fig. 2' },
  issn: { byNeed: true, kind: number, about: 'ISSN, as printed.', example: '0028-0836' },
  isbn: { byNeed: true, kind: number, about: 'ISBN, as printed.', example: '978-3-16-148410-0' },
  standard_designator: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'Number of a standard.',
    example: 'ISO 3297:2022',
  },
  standards_body: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Who keeps that standard.',
    example: 'ISO',
  },
})

/** A work that a work cites, as far as it says what; at least one member beside `key` is given. */
export type Reference = FieldValues<typeof referenceFields>

/** The kind of a reference. Its numbers are those that the work prints, even if they are wrong. */
export const referenceKind: FieldKind<Reference> = objectOf(
  'Reference',
  referenceFields,
  saysSomething,
)

function saysSomething(reference: Reference, path: string, faults: FaultList) {
  const { key: _, ...facts } = reference
  if (Object.keys(facts).length > 0) return reference
  faults.add(path, 'empty', `${path} must say what is cited: give its doi, its text or its title`)
  return undefined
}
