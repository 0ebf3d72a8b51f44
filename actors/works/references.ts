import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  objectOf,
  paragraphsOf,
} from '#actors/values/field_table.ts'
import { doiKind, urlKind } from '#actors/values/identifier.ts'
import {
  foldedCharactersMax,
  nameCharactersMax,
  noteCharactersMax,
  numberCharactersMax,
  titleCharactersMax,
} from '#actors/works/lengths.ts'

const number = lineOf(numberCharactersMax)

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
