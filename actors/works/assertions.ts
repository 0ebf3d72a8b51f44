import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  flag,
  lineOf,
  listOf,
  numberOf,
  objectOf,
  paragraphsOf,
} from '#actors/values/field_table.ts'
import { uriKind } from '#actors/values/identifier.ts'
import { foldedCharactersMax, nameCharactersMax, noteCharactersMax } from '#actors/works/lengths.ts'

const domainsMax = 100
const orderMax = 1_000_000

const assertionFields = fieldTable({
  name: {
    kind: lineOf(foldedCharactersMax),
    required: true,
    about: 'What it is about, as a word.',
    example: 'received',
  },
  label: {
    kind: lineOf(nameCharactersMax),
    about: 'The same as people read it.',
    example: 'Received',
  },
  value: {
    kind: paragraphsOf(noteCharactersMax),
    required: true,
    about: 'What it says.',
    example: '2 June 1875',
  },
  group: {
    byNeed: true,
    kind: lineOf(foldedCharactersMax),
    about: 'The group that it is shown in.',
    example: 'publication_history',
  },
  group_label: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'The name of the group.',
    example: 'Publication history',
  },
  order: {
    byNeed: true,
    kind: numberOf({ min: 0, max: orderMax, whole: true }),
    about: 'Its place among the others.',
    example: 0,
  },
  uri: {
    byNeed: true,
    kind: uriKind,
    about: 'An address for it.',
    example: 'https://example.org/r/12',
    alsoCalled: ['url', 'href'],
  },
  explanation_uri: {
    byNeed: true,
    kind: uriKind,
    about: 'Where it is explained.',
    example: 'https://example.org/review',
    alsoCalled: ['explanation'],
  },
})

/** What a publisher says of a work in its own words, such as how it was reviewed. */
export type Assertion = FieldValues<typeof assertionFields>

/** The kind of an assertion. */
export const assertionKind: FieldKind<Assertion> = objectOf('Assertion', assertionFields)

const clinicalTrialFields = fieldTable({
  number: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'Its number in the registry.',
    example: 'ISRCTN12345678',
    alsoCalled: ['clinical_trial_number'],
  },
  registry: {
    kind: lineOf(nameCharactersMax),
    about: 'The registry: its DOI at Crossref, or its name.',
    example: '10.18810/isrctn',
  },
  kind: {
    kind: lineOf(foldedCharactersMax),
    about: 'How the work relates to it.',
    example: 'preResults',
    alsoCalled: ['type'],
  },
})

/** A clinical trial that a work tells of. */
export type ClinicalTrial = FieldValues<typeof clinicalTrialFields>

/** The kind of a clinical trial. */
export const clinicalTrialKind: FieldKind<ClinicalTrial> = objectOf(
  'ClinicalTrial',
  clinicalTrialFields,
)

const contentDomainFields = fieldTable({
  domains: {
    kind: listOf(lineOf(foldedCharactersMax), domainsMax),
    required: true,
    about: 'The hosts on which the work is shown.',
    example: ['example.org'],
    alsoCalled: ['domain'],
  },
  restricted: {
    kind: flag,
    about: 'Whether the mark is shown there alone.',
    example: true,
    alsoCalled: ['crossmark_restriction'],
  },
})

/** Where a publisher shows whether a work is up to date (Crossmark). */
export type ContentDomain = FieldValues<typeof contentDomainFields>

/** The kind of such domains. */
export const contentDomainKind: FieldKind<ContentDomain> = objectOf(
  'ContentDomain',
  contentDomainFields,
)
