import {
  checkCharacter,
  parseArk,
  randomBetanumerics,
  type RandomBytes,
} from '#actors/values/ark.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { foldedText, lineOf, objectOf } from '#actors/values/field_table.ts'

/** Characters of an address, in its stored form too. */
export const urlCharactersMax = 2_048

// A host without credentials before it, then anything but white space.
const httpUrl = /^https?:\/\/[^\s/?#\\@]+(?:[/?#\\]\S*)?$/i
const withCredentials = /^https?:\/\/[^\s/?#\\]*@/i
const uriCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/

/**
 * The stored form of an http or https address without credentials: as given, except that
 * characters which no URI may have are percent-encoded (RFC 3986 §2). Undefined if it is no URL.
 */
export function foldUrl(text: string): string | undefined {
  if (!httpUrl.test(text) || !URL.canParse(text)) return undefined
  const url = uriCharacters.test(text) ? text : new URL(text).href
  return url.length <= urlCharactersMax ? url : undefined
}

/** A text as the path of an address, slashes and all: what would end a path is encoded, too. */
export function encodePath(text: string): string {
  return encodeURI(text).replace(/[?#]/g, encodeURIComponent)
}

/** Whether a path has a segment `.` or `..`, encoded or not: no encoding makes it a plain one. */
export function hasDotSegment(path: string): boolean {
  return /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(path)
}

/** What a text that is no such address would have to be. */
function explainUrl(text: string): string {
  if (withCredentials.test(text)) return 'an address without user name and password'
  if (/\s/.test(text)) return 'an address without spaces; write %20 for a space'
  if (httpUrl.test(text) && URL.canParse(text)) {
    return `an address of at most ${urlCharactersMax} characters when percent-encoded`
  }
  return 'an http or https address such as https://example.org/paper.pdf'
}

/** The kind of an http or https address. */
export const urlKind = foldedText({ max: urlCharactersMax, fold: foldUrl, right: explainUrl })

const label = /^(?:doi:\s*|info:doi\/)/i
const address = /^https?:\/\/(?:www\.|dx\.)?doi\.org\//i
// The number of a registrant may be divided (ISO 26324): `10.1000.10`.
const doiPrefix = String.raw`10\.\d{4,9}(?:\.\d{1,9}){0,8}`
const doiForm = new RegExp(`^${doiPrefix}/\\S+$`)
const namedAtEnd = new RegExp(`${doiPrefix}/\\S+$`)
const prefixForm = new RegExp(`^(?:doi:)?(${doiPrefix}/)$`, 'i')
// What would lead out of the path of an address, or not be seen in it, however it is encoded. DOIs
// may have some of them by their standard; those few cannot be given.
const unfit = /[\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * The stored form of a DOI: without `https://doi.org/` or `doi:` before it, ASCII letters in lower
 * case, because DOIs that differ in nothing else are one (ISO 26324). In an address it may be
 * percent-encoded, and `#` and `?` must be: bare ones end its path. Undefined if it is no DOI, or
 * none that an address can carry safely.
 */
export function foldDoi(text: string): string | undefined {
  const doi = withoutLabel(text)
  if (doi === undefined || !doiForm.test(doi) || !isSafe(doi)) return undefined
  return doi.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** What a text that `foldDoi` does not take would have to be. */
export function explainDoi(text: string): string {
  const path = text.replace(address, '')
  if (path !== text && /[#?]/.test(path)) {
    return 'a DOI; in an address write %23 for a # and %3F for a ? of the DOI, and leave out others'
  }
  const doi = withoutLabel(text)
  return doi !== undefined && doiForm.test(doi) && !isSafe(doi)
    ? 'a DOI without \\, invisible characters and the segments "." and ".."'
    : 'a DOI such as 10.1234/abc'
}

/** The DOI that ends a text, such as a path; in its stored form. Undefined if none does. */
export function doiAtEnd(text: string): string | undefined {
  const [named] = namedAtEnd.exec(text) ?? []
  return named === undefined ? undefined : foldDoi(named)
}

/** A prefix of DOIs with its slash, `10.1234/` or `doi:10.1234.5/`, in its stored form. */
export function foldDoiPrefix(text: string): string | undefined {
  return prefixForm.exec(text)?.[1]
}

function isSafe(doi: string): boolean {
  return !unfit.test(doi) && !hasDotSegment(doi)
}

function withoutLabel(text: string): string | undefined {
  const path = text.replace(address, '')
  if (path === text) return text.replace(label, '')
  if (/[#?]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The address of a DOI in its stored form. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${encodePath(doi)}`
}

/** The address as people read it: only what they could not follow is percent-encoded. */
export function shownDoiUrl(doi: string): string {
  const plain = `https://doi.org/${doi}`
  return foldDoi(plain) === doi ? plain : doiUrl(doi)
}

const orcidPrefix = /^(?:https?:\/\/(?:www\.)?orcid\.org\/|orcid:\s*)/i
const grouped = /^(\d{4})(\d{4})(\d{4})(\d{3}[\dX])$/

/**
 * The stored form of an ORCID iD, `0000-0002-1825-0097`: without an address before it, X in upper
 * case. Undefined if it is not one or its check digit (ISO 7064, MOD 11-2) is wrong.
 */
export function foldOrcid(text: string): string | undefined {
  const digits = text.replace(orcidPrefix, '').replaceAll('-', '').toUpperCase()
  const groups = grouped.exec(digits)
  if (groups === null || checkDigit(digits.slice(0, 15)) !== digits.charAt(15)) return undefined
  return groups.slice(1).join('-')
}

function checkDigit(digits: string): string {
  let total = 0
  for (const digit of digits) total = (total + Number(digit)) * 2
  const check = (12 - (total % 11)) % 11
  return check === 10 ? 'X' : String(check)
}

const rorPrefix = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/|ror:\s*)/i
// Douglas Crockford's base 32: no i, l, o and u.
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const rorForm = /^0[0-9a-hjkmnp-tv-z]{6}\d\d$/

/**
 * The stored form of a ROR ID, `https://ror.org/05gq02987`. Undefined if it is not or its last two
 * digits are not those of its checksum (ISO 7064, MOD 97-10).
 */
export function foldRor(text: string): string | undefined {
  const id = text.replace(rorPrefix, '').toLowerCase()
  if (!rorForm.test(id)) return undefined
  let number = 0
  for (const character of id.slice(0, 7)) number = number * 32 + base32.indexOf(character)
  const checksum = 98 - ((number * 100) % 97)
  return Number(id.slice(7)) === checksum ? `https://ror.org/${id}` : undefined
}

/** The kind of a ROR ID. */
export const rorKind = foldedText({
  max: 200,
  fold: foldRor,
  right: 'a ROR ID such as https://ror.org/05gq02987, with the right checksum',
})

/** Random characters of a ppid: 29^10, or 4·10^14, so that a second draw of one is no concern. */
const ppidCharacters = 10

const ppidForm = /^p[0-9bcdfghjkmnpqrstvwxz]{11}$/

/** Draws the name of a person, for ever: `p`, ten random betanumerics, and a check character. */
export function mintPpid(random: RandomBytes): string {
  const stem = `p${randomBetanumerics(ppidCharacters, random)}`
  return stem + checkCharacter(stem)
}

/** Whether a text is a ppid with the right check character; whether anybody has it is not said. */
export function isPpid(text: string): boolean {
  return ppidForm.test(text) && checkCharacter(text.slice(0, -1)) === text.slice(-1)
}

/** How a work relates to another thing, as DataCite 4.6 names it (relationType). */
export const relations = [
  'IsCitedBy',
  'Cites',
  'IsSupplementTo',
  'IsSupplementedBy',
  'IsContinuedBy',
  'Continues',
  'IsDescribedBy',
  'Describes',
  'HasMetadata',
  'IsMetadataFor',
  'HasVersion',
  'IsVersionOf',
  'IsNewVersionOf',
  'IsPreviousVersionOf',
  'IsPartOf',
  'HasPart',
  'IsPublishedIn',
  'IsReferencedBy',
  'References',
  'IsDocumentedBy',
  'Documents',
  'IsCompiledBy',
  'Compiles',
  'IsVariantFormOf',
  'IsOriginalFormOf',
  'IsIdenticalTo',
  'IsReviewedBy',
  'Reviews',
  'IsDerivedFrom',
  'IsSourceOf',
  'IsRequiredBy',
  'Requires',
  'IsObsoletedBy',
  'Obsoletes',
  'IsCollectedBy',
  'Collects',
  'IsTranslationOf',
  'HasTranslation',
] as const

type Relation = (typeof relations)[number]

/** The schemes of identifiers, as DataCite 4.6 names them (relatedIdentifierType). */
export const schemes = [
  'ARK',
  'arXiv',
  'bibcode',
  'CSTR',
  'DOI',
  'EAN13',
  'EISSN',
  'Handle',
  'IGSN',
  'ISBN',
  'ISSN',
  'ISTC',
  'LISSN',
  'LSID',
  'PMID',
  'PURL',
  'RRID',
  'UPC',
  'URL',
  'URN',
  'w3id',
] as const

type Scheme = (typeof schemes)[number]

/** Another thing that a work relates to. */
export type RelatedIdentifier = {
  readonly identifier: string
  readonly relation: Relation
  readonly scheme: Scheme
}

const relationsBySpelling = spellingsOf(relations)
const schemesBySpelling = spellingsOf(schemes)

function spellingsOf<T extends string>(names: readonly T[]): ReadonlyMap<string, T> {
  return new Map(names.map((name) => [reduce(name), name]))
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}

// Schemes whose identifiers have a stored form of their own.
const folds: {
  readonly [S in Scheme]?: {
    fold(text: string): string | undefined
    right: string | ((text: string) => string)
  }
} = {
  ARK: { fold: foldArk, right: 'an ARK such as ark:/12345/x6np1wh8k' },
  DOI: { fold: foldDoi, right: explainDoi },
  URL: { fold: foldUrl, right: 'an http or https address' },
}

function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? ark.normalized : undefined
}

/** The kind of a related identifier; its scheme decides the form of the identifier. */
export const relatedIdentifierKind = objectOf<RelatedIdentifier>(
  'RelatedIdentifier',
  {
    relation: {
      kind: foldedText({
        max: 50,
        fold: (text) => relationsBySpelling.get(reduce(text)),
        right: `a DataCite relation type, one of ${relations.join(', ')}`,
        values: relations,
        title: 'Relation',
      }),
      required: true,
      about: 'How this work relates to the other thing; a DataCite relation type.',
      example: 'IsSupplementedBy',
    },
    identifier: {
      kind: lineOf(urlCharactersMax),
      required: true,
      about: 'The identifier of the other thing.',
      example: '10.5281/zenodo.1234567',
    },
    scheme: {
      kind: foldedText({
        max: 50,
        fold: (text) => schemesBySpelling.get(reduce(text)),
        right: `one of ${schemes.join(', ')}`,
        values: schemes,
        title: 'IdentifierScheme',
      }),
      required: true,
      about: 'The scheme of the identifier; a DataCite identifier type.',
      example: 'DOI',
      alsoCalled: ['type'],
    },
  },
  checkScheme,
)

function checkScheme(
  related: RelatedIdentifier,
  path: string,
  faults: FaultList,
): RelatedIdentifier | undefined {
  const scheme = folds[related.scheme]
  if (scheme === undefined) return related
  const identifier = scheme.fold(related.identifier)
  if (identifier !== undefined) return { ...related, identifier }
  const { right } = scheme
  const expected = typeof right === 'string' ? right : right(related.identifier)
  faults.add(`${path}.identifier`, 'bad_value', `${path}.identifier must be ${expected}`)
  return undefined
}
