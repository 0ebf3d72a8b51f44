import { edtfKind } from '#actors/values/date.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  flag,
  lineOf,
  listOf,
  nameOf,
  numberOf,
  objectOf,
  paragraphsOf,
  warnOfFolding,
  wordOf,
} from '#actors/values/field_table.ts'
import {
  isbnKind,
  issnKind,
  schemeUriField,
  uriKind,
  urlCharactersMax,
} from '#actors/values/identifier.ts'
import { readNameIdentifier } from '#actors/values/name_identifier.ts'
import {
  foldedCharactersMax,
  nameCharactersMax,
  noteCharactersMax,
  numberCharactersMax,
  titleCharactersMax,
} from '#actors/works/lengths.ts'
import { inTime, partialDateKind } from '#actors/works/rights.ts'

const pagesText = lineOf(numberCharactersMax)

// Of a whole: `245 p.`, `xii, 245 pages`.
const countForm = /^(?:[ivxlc]+[,+ ]+)?(\d+)\s*(?:pp?\.?|pages?|p[aá]gs?\.?|seiten|[sсp]\.)$/i
const articleForm =
  /^(?:art(?:icle|\.)|paper|no\.|nr\.|№)\s*(?:(?:id|no\.?|number)\s*)?([a-z]*\d\S*)$/i

/** How many pages a text for pages says that a whole has; undefined if it says which pages. */
export function pageCountIn(pages: string): string | undefined {
  return countForm.exec(pages)?.[1]
}

/** Pages that hold the work. The number of an article, and of all pages, have other fields. */
export const pagesKind: FieldKind<string> = {
  ...pagesText,
  read(value, path, faults) {
    const text = pagesText.read(value, path, faults)
    if (text === undefined) return undefined
    const count = pageCountIn(text)
    const number = articleForm.exec(text)?.[1]
    if (count !== undefined) {
      const help = `which is how many there are: sizes has that, as “${count} pages”`
      faults.warn(path, 'other_field', `${path} is kept as “${text}”, ${help}`)
    } else if (number !== undefined) {
      const help = `the number of an article, which goes into article_number, as “${number}”`
      faults.warn(path, 'other_field', `${path} is kept as “${text}”, ${help}`)
    }
    return text
  },
}

const volumeWords = 'vol(?:ume)?|v|band|bd|jahrg(?:ang)?|jg|tom[eo]?|t|т(?:ом)?'
const issueWords = 'no|nr|num(?:ber)?|n[úu]m(?:ero)?|n[º°]?|iss(?:ue)?|heft|h|hft|вып(?:уск)?'
// What is written before a number, or around it: `Vol. 3`, `№ 2`, `第12卷`.
const labelled = new RegExp(
  String.raw`^(?:(?:${volumeWords}|${issueWords})(?:\. ?| (?<=\p{L}{2} ))|№ ?|n[º°] ?)` +
    String.raw`(\d[^\s,;]*|[ivxlc]+)$|^(?:第|제) ?(\d+) ?[卷巻号號期권호]$`,
  'iu',
)
const numberText = lineOf(numberCharactersMax)

/** The number of a volume or an issue, without the word for it, which whoever prints it adds. */
export const partNumberKind: FieldKind<string> = {
  ...numberText,
  read(value, path, faults) {
    const text = numberText.read(value, path, faults)
    if (text === undefined || /^\d/.test(text)) return text
    const [, number, eastern] = labelled.exec(text) ?? []
    const meant = number ?? eastern ?? text
    if (meant !== text) warnOfFolding(path, text, meant, faults)
    return meant
  },
}

const mediums = ['print', 'electronic', 'linking'] as const
const bookMediums = ['print', 'electronic'] as const

const sponsorsMax = 100

const publisherIdFields = fieldTable({
  identifier: {
    kind: lineOf(urlCharactersMax),
    required: true,
    about: 'The identifier. We check the check digits of ROR IDs and ISNIs.',
    example: 'https://ror.org/05gq02987',
    alsoCalled: ['publisher_identifier'],
  },
  scheme: {
    kind: lineOf(foldedCharactersMax),
    required: true,
    about: 'What kind of identifier it is: `ROR`, `ISNI`, or another by its name.',
    example: 'ROR',
    alsoCalled: ['publisher_identifier_scheme'],
  },
  scheme_uri: schemeUriField,
})

export type PublisherId = FieldValues<typeof publisherIdFields>

export const publisherIdKind: FieldKind<PublisherId> = objectOf(
  'PublisherId',
  publisherIdFields,
  readNameIdentifier,
)

const eventFields = fieldTable({
  name: {
    kind: nameOf(titleCharactersMax),
    required: true,
    about: 'Its name.',
    example: 'Fifth Meeting on Psychoceramics',
    alsoCalled: ['conference_name', 'title'],
  },
  acronym: { kind: lineOf(nameCharactersMax), about: 'Its acronym.', example: 'PSYCHO 2026' },
  number: { byNeed: true, kind: lineOf(numberCharactersMax), about: 'Its number.', example: '5' },
  place: {
    kind: lineOf(nameCharactersMax),
    about: 'Where it was.',
    example: 'Providence, Rhode Island',
    alsoCalled: ['location'],
  },
  theme: {
    byNeed: true,
    kind: lineOf(titleCharactersMax),
    about: 'Its theme.',
    example: 'Cracked pots',
  },
  start_date: {
    kind: partialDateKind,
    about: 'When it began.',
    example: '2026-09-30',
    alsoCalled: ['start'],
  },
  end_date: {
    kind: partialDateKind,
    about: 'When it ended.',
    example: '2026-10-02',
    alsoCalled: ['end'],
  },
  sponsors: {
    byNeed: true,
    kind: listOf(lineOf(nameCharactersMax), sponsorsMax),
    about: 'Who sponsored it.',
    example: ['Brown University'],
    alsoCalled: ['sponsor'],
  },
})

/** The conference or another event that a work was made for. */
export type Event = FieldValues<typeof eventFields>

export const eventKind: FieldKind<Event> = objectOf('WorkEvent', eventFields, inTime<Event>)

const issnWithMediumFields = fieldTable({
  value: {
    kind: issnKind,
    required: true,
    about: 'The ISSN, with the right check digit.',
    example: '0028-0836',
  },
  kind: {
    kind: wordOf({
      words: mediums,
      title: 'IssnMedium',
      others: { online: 'electronic', link: 'linking', 'ISSN-L': 'linking' },
    }),
    about: 'Its medium; `linking` is the ISSN-L, which is of all media.',
    example: 'print',
    alsoCalled: ['type', 'medium'],
  },
})

/** An ISSN of what holds the work. */
export type Issn = FieldValues<typeof issnWithMediumFields>

export const issnWithMediumKind: FieldKind<Issn> = objectOf('Issn', issnWithMediumFields)

const isbnWithMediumFields = fieldTable({
  value: {
    kind: isbnKind,
    required: true,
    about: 'The ISBN, with the right check digit.',
    example: '978-3-16-148410-0',
  },
  kind: {
    kind: wordOf({ words: bookMediums, title: 'IsbnMedium', others: { online: 'electronic' } }),
    about: 'Its medium.',
    example: 'print',
    alsoCalled: ['type', 'medium'],
  },
})

/** An ISBN of the work, or of the book that holds it. */
export type Isbn = FieldValues<typeof isbnWithMediumFields>

export const isbnWithMediumKind: FieldKind<Isbn> = objectOf('Isbn', isbnWithMediumFields)

const reviewText = lineOf(nameCharactersMax)

const reviewFields = fieldTable({
  type: { kind: reviewText, about: 'What kind of review it is.', example: 'referee-report' },
  stage: {
    kind: reviewText,
    about: 'Whether it was before or after the publication.',
    example: 'pre-publication',
  },
  recommendation: {
    kind: reviewText,
    about: 'What it recommends.',
    example: 'minor-revision',
  },
  revision_round: { kind: reviewText, about: 'Round of the revision.', example: '1' },
  running_number: { kind: reviewText, about: 'Its number in the round.', example: 'RC2' },
  competing_interests: {
    kind: paragraphsOf(noteCharactersMax),
    about: 'What interests the reviewer declares.',
    example: 'None.',
    alsoCalled: ['competing_interest_statement'],
  },
  language: { kind: reviewText, about: 'Language of the review.', example: 'en' },
})

/** What a review says of itself. */
export type Review = FieldValues<typeof reviewFields>

export const reviewKind: FieldKind<Review> = objectOf(
  'Review',
  reviewFields,
  (review: Review, path: string, faults: FaultList) => {
    if (Object.keys(review).length > 0) return review
    faults.add(path, 'empty', `${path} must have a member; leave it out if there is none`)
    return undefined
  },
)

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

export const contentDomainKind: FieldKind<ContentDomain> = objectOf(
  'ContentDomain',
  contentDomainFields,
)

/** What a date is of: DataCite's 12 kinds, and what publishers tell beside. */
export const dateKinds = [
  'accepted',
  'approved',
  'available',
  'collected',
  'copyrighted',
  'coverage',
  'created',
  'issued',
  'online',
  'posted',
  'print',
  'received',
  'submitted',
  'updated',
  'valid',
  'withdrawn',
  'other',
] as const

const workDateFields = fieldTable({
  date: {
    kind: edtfKind,
    required: true,
    about:
      'The date, or a range: EDTF (ISO 8601-2) of level 0 or 1, such as `2026-02-28`, `2024/..`, ' +
      '`201X`, `2004~`, `-0054/2004`, `2026-21`, or an instant. Other spellings whose meaning is ' +
      'certain are folded, with a warning.',
    example: '1873-06/1876-10',
  },
  kind: {
    kind: wordOf({
      words: dateKinds,
      title: 'DateKind',
      others: { published: 'issued', 'published online': 'online', 'published print': 'print' },
    }),
    required: true,
    about: 'What happened then.',
    example: 'collected',
    alsoCalled: ['date_type', 'type'],
  },
  note: {
    kind: lineOf(noteCharactersMax),
    about: 'What else there is to say of it.',
    example: 'in two parts',
    alsoCalled: ['date_information'],
  },
})

/** A date beside `published_date`. */
export type WorkDate = FieldValues<typeof workDateFields>

export const workDateKind: FieldKind<WorkDate> = objectOf('WorkDate', workDateFields)
