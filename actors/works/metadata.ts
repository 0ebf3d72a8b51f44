import { invertedName, isNoName, namesSeveral, splitAuthors } from '#actors/values/author_name.ts'
import {
  doiKind,
  explainOrcid,
  foldOrcid,
  rorKind,
  urlCharactersMax,
  urlKind,
} from '#actors/values/identifier.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  type FieldTable,
  foldedText,
  lineOf,
  listOf,
  nameOf,
  objectOf,
  paragraphsOf,
} from '#actors/values/field_table.ts'
import {
  explainLanguage,
  foldLanguage,
  languageCodes,
  recognizeLanguage,
} from '#actors/values/language.ts'
import { explainLicense, foldLicense, recognizeLicense } from '#actors/values/license.ts'
import { isPartialDate, recognizeDate } from '#actors/values/partial_date.ts'
import { type RelatedIdentifier, relatedIdentifierKind } from '#actors/values/related_identifier.ts'
import {
  explainWorkType,
  foldWorkType,
  ownWorkType,
  type WorkType,
  workTypeNames,
} from '#actors/values/work_type.ts'

/** What is known of one author; `name` or `family` is given. */
export type AuthorDetail = {
  readonly name?: string
  readonly given?: string
  readonly family?: string
  /** `0000-0002-1825-0097` */
  readonly orcid?: string
  /** What follows the name: `Jr.` */
  readonly suffix?: string
  readonly affiliation?: string
  /** `https://ror.org/05gq02987` */
  readonly ror?: string
}

export type Funding = { readonly funder: string; readonly award?: string }

/**
 * What describes one version of a work, as it is stored, hashed and returned: absent fields are
 * left out, members stand in the order of canonical JSON. `work_url` or `existing_doi` is given.
 */
export type Metadata = {
  readonly work_title: string
  readonly work_type: WorkType
  readonly authors: string
  readonly description?: string
  readonly work_url?: string
  readonly existing_doi?: string
  readonly keywords?: string
  readonly language?: string
  readonly license?: string
  readonly published_date?: string
  readonly publisher_name?: string
  readonly container_title?: string
  readonly volume?: string
  readonly issue?: string
  readonly pages?: string
  readonly author_details?: readonly AuthorDetail[]
  readonly related_identifiers?: readonly RelatedIdentifier[]
  readonly funding?: readonly Funding[]
  readonly content_hash?: string
}

type RequiredName = 'work_title' | 'work_type' | 'authors'
type OptionalName = Exclude<keyof Metadata, RequiredName>

/** A change of metadata: what is absent stays, null removes. */
export type MetadataPatch = Partial<Pick<Metadata, RequiredName>> & {
  readonly [Name in OptionalName]?: Exclude<Metadata[Name], undefined> | null
}

// Texts that are folded: long enough for every spelling, short enough to be read at once.
const foldedCharactersMax = 200
const nameCharactersMax = 1_000
const numberCharactersMax = 100
// The largest collaborations have some 15,000 authors.
const authorsMax = 20_000
const authorsCharactersMax = 200_000
const authorDetailsMax = 10_000
const relatedIdentifiersMax = 1_000
const fundingMax = 1_000

const namesKind = foldedText({
  max: authorsCharactersMax,
  fold: (text) => (/[^,;\s]/.test(text) ? text : undefined),
  right: 'names separated by commas or semicolons',
})

const authorsKind: FieldKind<string> = {
  ...namesKind,
  read(value, path, faults) {
    const text = namesKind.read(value, path, faults)
    if (text === undefined) return undefined
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

// Only where one of these stands, the names are looked at one by one.
const doubtful = new RegExp(
  String.raw`(?:^|[\s,;])(?:(?:and|und|&|al|others|alii|jr|sr|` +
    String.raw`jnr|snr|esq|i{2,3}|iv|[23]n?d|3rd|4th)` +
    String.raw`(?![\p{L}\d])|ph|[bdem]\.?\s?[bdpsv])`,
  'iu',
)

/** Tells what is read as one author and seems to be two, or none. */
function warnOfNames(
  names: readonly string[],
  text: string,
  path: string,
  faults: FaultList,
): void {
  if (!doubtful.test(text)) return
  const none = names.find(isNoName)
  if (none !== undefined) {
    const help = 'end a name that has a comma in it with a semicolon'
    faults.warn(path, 'names_parted', `${path}: “${none}” is read as an author; ${help}`)
  }
  const several = names.find(namesSeveral)
  if (several !== undefined) {
    const help = 'put a semicolon between two names'
    faults.warn(path, 'names_joined', `${path}: “${several}” is read as one author; ${help}`)
  }
}

const orcidKind = foldedText({
  max: foldedCharactersMax,
  fold: foldOrcid,
  right: explainOrcid,
})

const authorDetailKind: FieldKind<AuthorDetail> = objectOf<AuthorDetail>(
  'AuthorDetail',
  {
    name: {
      kind: lineOf(nameCharactersMax),
      about: 'The name as the work gives it. Required unless `family` is given.',
      example: 'Josiah S. Carberry',
    },
    given: {
      kind: lineOf(nameCharactersMax),
      about: 'Given names.',
      example: 'Josiah S.',
      alsoCalled: ['given_name', 'first_name'],
    },
    family: {
      kind: lineOf(nameCharactersMax),
      about: 'Family name.',
      example: 'Carberry',
      alsoCalled: ['family_name', 'last_name', 'surname'],
    },
    suffix: {
      kind: lineOf(foldedCharactersMax),
      about: 'What follows the name, such as `Jr.` or `III`.',
      example: 'Jr.',
      alsoCalled: ['name_suffix'],
    },
    orcid: { kind: orcidKind, about: 'ORCID iD.', example: '0000-0002-1825-0097' },
    affiliation: {
      kind: lineOf(nameCharactersMax),
      about: 'Where the author worked.',
      example: 'Brown University',
      alsoCalled: ['institution', 'organization'],
    },
    ror: {
      kind: rorKind,
      about: 'ROR ID of the affiliation.',
      example: 'https://ror.org/05gq02987',
    },
  },
  (author, path, faults) => {
    if (author.name !== undefined || author.family !== undefined) return author
    faults.add(`${path}.name`, 'required', `${path}.name or ${path}.family is required`)
    return undefined
  },
)

const fundingKind: FieldKind<Funding> = objectOf<Funding>('Funding', {
  funder: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'Who paid.',
    example: 'European Research Council',
    alsoCalled: ['funder_name', 'name'],
  },
  award: {
    kind: lineOf(nameCharactersMax),
    about: 'Number of the grant.',
    example: '101019547',
    alsoCalled: ['award_number', 'grant'],
  },
})

/**
 * The fields of a work. This table alone decides what is accepted and stored, what OpenAPI says of
 * it, and what a misspelt name is taken for.
 */
export const metadataFields: FieldTable<Metadata> = {
  work_title: {
    kind: nameOf(2_000),
    required: true,
    about:
      'Title. Bidirectional marks are removed with a warning; other such controls, which are ' +
      'removed from other texts, are refused in titles and names.',
    example: 'On the Equilibrium of Heterogeneous Substances',
    alsoCalled: ['title'],
  },
  work_type: {
    kind: foldedText({
      max: foldedCharactersMax,
      fold: ownWorkType,
      recognize: foldWorkType,
      right: explainWorkType,
      values: workTypeNames,
      title: 'WorkType',
    }),
    required: true,
    about:
      'Kind of work. Names of DataCite, Crossref, CSL, COAR, schema.org, BibTeX and RIS are ' +
      'folded, such as `journal-article`, with a warning.',
    example: 'article',
    alsoCalled: ['type', 'resource_type'],
  },
  authors: {
    kind: authorsKind,
    required: true,
    about: `Names, separated by semicolons if there is one, else by commas; ${authorsMax} at most.`,
    example: 'Josiah Willard Gibbs, Hermann von Helmholtz',
    alsoCalled: ['author', 'creators', 'creator'],
  },
  description: {
    kind: paragraphsOf(50_000),
    about: 'Abstract; may have several lines.',
    example: 'The criteria of equilibrium and stability for heterogeneous systems.',
    alsoCalled: ['abstract', 'summary'],
  },
  work_url: {
    kind: urlKind,
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
    kind: lineOf(5_000),
    about:
      'Keywords, separated by semicolons if there is one, else by commas: those with a comma in ' +
      'them, such as `Diabetes Mellitus, Type 2`, have semicolons between them.',
    example: 'thermodynamics, chemical potential',
    alsoCalled: ['subjects', 'subject', 'tags'],
  },
  language: {
    kind: foldedText({
      max: foldedCharactersMax,
      fold: foldLanguage,
      recognize: recognizeLanguage,
      right: explainLanguage,
      values: languageCodes,
      title: 'Language',
    }),
    about:
      'Language of the work: ISO 639-1, two letters. `en-US`, `eng` and `English` are folded, ' +
      'with a warning; a language without such a code is refused.',
    example: 'en',
    alsoCalled: ['lang'],
  },
  license: {
    kind: foldedText({
      max: urlCharactersMax,
      fold: foldLicense,
      recognize: recognizeLicense,
      right: explainLicense,
    }),
    about:
      'SPDX identifier of the license, or its address. Names and addresses of licenses in the ' +
      'list of SPDX, its deprecated identifiers, and `CC-BY` are folded with a warning.',
    example: 'CC-BY-4.0',
    alsoCalled: ['licence', 'rights'],
  },
  published_date: {
    kind: foldedText({
      max: foldedCharactersMax,
      fold: (text) => (isPartialDate(text) ? text : undefined),
      recognize: recognizeDate,
      right: 'a date of the calendar such as 2026-11-21, 2026-11 or 2026',
    }),
    about:
      'When the work was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Other spellings whose ' +
      'meaning is certain, such as `3 May 2019`, are folded, with a warning.',
    example: '1876-10',
    alsoCalled: ['publication_date', 'date', 'year'],
  },
  publisher_name: {
    kind: nameOf(nameCharactersMax),
    about: 'Publisher.',
    example: 'Connecticut Academy of Arts and Sciences',
    alsoCalled: ['publisher'],
  },
  container_title: {
    kind: nameOf(2_000),
    about: 'Title of the journal, book or proceedings that holds the work.',
    example: 'Transactions of the Connecticut Academy',
    alsoCalled: ['journal', 'journal_title', 'book_title'],
  },
  volume: { kind: lineOf(numberCharactersMax), about: 'Volume.', example: '3' },
  issue: {
    kind: lineOf(numberCharactersMax),
    about: 'Issue.',
    example: '2',
    alsoCalled: ['number'],
  },
  pages: { kind: lineOf(numberCharactersMax), about: 'Pages.', example: '108–248' },
  author_details: {
    kind: listOf(authorDetailKind, authorDetailsMax),
    about:
      'More about the authors, in the order of `authors`. A change of one of the two has the ' +
      'other follow, which `warnings` tell.',
    example: [{ name: 'Josiah S. Carberry', orcid: '0000-0002-1825-0097' }],
  },
  related_identifiers: {
    kind: listOf(relatedIdentifierKind, relatedIdentifiersMax),
    about: 'Other things that the work relates to.',
    example: [{ relation: 'IsSupplementedBy', identifier: '10.5281/zenodo.1', scheme: 'DOI' }],
  },
  funding: {
    kind: listOf(fundingKind, fundingMax),
    about: 'Who paid for the work.',
    example: [{ funder: 'European Research Council', award: '101019547' }],
    alsoCalled: ['funders'],
  },
  content_hash: {
    kind: foldedText({
      max: foldedCharactersMax,
      fold: (text) => (/^sha256:[0-9a-f]{64}$/.test(text) ? text : undefined),
      right: 'sha256: and 64 lower-case hexadecimal digits',
      pattern: '^sha256:[0-9a-f]{64}$',
    }),
    about: 'SHA-256 of the bytes at `work_url`, as the registrant declares it.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    alsoCalled: ['sha256', 'hash', 'checksum'],
  },
}
