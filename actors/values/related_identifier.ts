import { parseArk } from '#actors/values/ark.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { foldedText, lineOf, objectOf, warnOfFolding } from '#actors/values/field_table.ts'
import {
  explainDoi,
  foldDoi,
  foldUrl,
  parting,
  recognizeDoi,
  urlCharactersMax,
  warnOfDoi,
} from '#actors/values/identifier.ts'

/** How a work relates to another thing, as DataCite 4.7 names it (relationType). */
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
  'Other',
] as const

type Relation = (typeof relations)[number]

/** The schemes of identifiers, as DataCite 4.7 names them (relatedIdentifierType). */
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
  'RAiD',
  'RRID',
  'SWHID',
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

// What people call schemes that DataCite has another name for.
const otherSchemes = new Map<string, Scheme>(
  Object.entries({
    issnl: 'LISSN',
    pissn: 'ISSN',
    isbn10: 'ISBN',
    isbn13: 'ISBN',
    ean: 'EAN13',
    hdl: 'Handle',
    pubmed: 'PMID',
    uri: 'URL',
  } as const),
)

function spellingsOf<T extends string>(names: readonly T[]): ReadonlyMap<string, T> {
  return new Map(names.flatMap((name) => [name, reduce(name)].map((each) => [each, name])))
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}

/** How an identifier of a scheme is written. */
type SchemeRule = {
  /** The stored form; undefined for what is none. */
  readonly fold: (text: string) => string | undefined
  readonly right: string | ((text: string) => string)
  /** The identifier that is meant in another spelling, which is taken with a warning. */
  readonly recognize?: (text: string) => string | undefined
  /** What is none is kept with a warning: works cite numbers as they are printed, even wrong. */
  readonly isKept?: true
}

const issn: SchemeRule = {
  fold: (text) => (isIssn(text) ? text : undefined),
  recognize: (text) => {
    const number = text.replace(/\s*\((?:print|online|electronic|linking)\)$/i, '')
    const digits = numberOf(number, '[ep]?-?l?issn(?:-?l)?')
    const withHyphen = `${digits.slice(0, 4)}-${digits.slice(4)}`
    return isIssn(withHyphen) ? withHyphen : undefined
  },
  right: 'an ISSN such as 0028-0836, with the right check digit',
  isKept: true,
}

const gtin: SchemeRule = {
  fold: (text) => (/^\d+$/.test(text) && isGtin(text) ? text : undefined),
  recognize: (text) => {
    const digits = numberOf(text, 'ean(?:-?13)?|upc')
    return isGtin(digits) ? digits : undefined
  },
  right: 'a number of 12 or 13 digits, with the right check digit',
  isKept: true,
}

// Schemes whose identifiers have a stored form of their own.
const schemeRules: { readonly [S in Scheme]?: SchemeRule } = {
  ARK: { fold: foldArk, right: 'an ARK such as ark:/12345/x6np1wh8k' },
  DOI: { fold: foldDoi, recognize: recognizeDoi, right: explainDoi },
  URL: { fold: foldUrl, right: 'an http or https address' },
  ISSN: issn,
  EISSN: issn,
  LISSN: issn,
  EAN13: gtin,
  UPC: gtin,
  ISBN: {
    fold: (text) => (/^[\dXx-]+$/.test(text) && isIsbn(text) ? text : undefined),
    recognize: (text) => {
      const bare = text.replace(/^(?:urn:)?isbn(?:-?1[03])?[:\s]*/i, '').replace(parting, '-')
      return isIsbn(bare) ? bare : undefined
    },
    right: 'an ISBN such as 978-3-16-148410-0, with the right check digit',
    isKept: true,
  },
  PMID: {
    ...without(
      new RegExp(
        String.raw`^(?:(?:info:)?pmid[:\s/]*|(?:https?://)?(?:www\.|pubmed\.)?` +
          String.raw`ncbi\.nlm\.nih\.gov/(?:pubmed/)?(?:\?term=)?)`,
        'i',
      ),
      /^[1-9]\d{0,8}$/,
    ),
    right: 'the number of a PMID such as 123',
  },
  Handle: {
    ...without(
      /^(?:hdl:\s*|info:hdl\/|(?:https?:\/\/)?(?:www\.)?hdl\.handle\.net\/)/i,
      /^\d[\w.-]*\/\S+$/,
    ),
    right: 'a handle such as 20.500/1',
  },
  arXiv: {
    ...without(
      new RegExp(
        String.raw`^(?:(?:oai:)?arxiv(?:\.org)?[:\s]*|` +
          String.raw`(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/|` +
          String.raw`(?:doi:|(?:https?://)?doi\.org/)?10\.48550/arxiv\.)`,
        'i',
      ),
      /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/,
    ),
    right: 'an arXiv identifier such as 2101.00001',
  },
  RAiD: {
    fold: (text) => (/^https:\/\/raid\.org\/10\.\S+\/\S+$/.test(text) ? text : undefined),
    recognize: (text) => {
      const bare = text.replace(/^(?:raid:\s*|(?:https?:\/\/)?(?:www\.)?raid\.org\/)/i, '')
      const doi = foldDoi(bare.replace(/\/$/, ''))
      return doi === undefined ? undefined : `https://raid.org/${doi}`
    },
    right: 'a RAiD such as https://raid.org/10.1000/abcde',
    isKept: true,
  },
  URN: {
    ...without(
      /^https?:\/\/(?:(?:www\.)?nbn-resolving\.(?:org|de)|urn\.(?:fi|nsk\.hr))\//i,
      /^urn:[a-z\d][a-z\d-]{1,31}:\S+$/i,
    ),
    right: 'a URN such as urn:nbn:de:101:1-201102033592',
  },
  bibcode: {
    ...without(
      /^(?:bibcode:\s*|https?:\/\/(?:ui\.)?adsabs\.harvard\.edu\/abs\/)/i,
      /^\d{4}[\w.&]{14}[A-Z.]$/,
    ),
    right: 'a bibcode such as 2014Wthr...69...72C',
  },
  SWHID: {
    ...without(
      /^(?:https?:\/\/)?archive\.softwareheritage\.org\/(?:browse\/)?/i,
      /^swh:1:(?:cnt|dir|rel|rev|snp):[0-9a-f]{40}(?:;[a-z]+=\S+)?$/,
    ),
    right: 'a SWHID such as swh:1:dir: and 40 hexadecimal digits',
  },
}

// What an address has after an identifier, and arXiv after its own.
const afterIdentifier = /(?:\/|\.pdf|\?noredirect|\s+\[[\w.-]+\])$/i

/** Identifiers of a form, which people write with a label or as an address. */
function without(written: RegExp, form: RegExp): Pick<SchemeRule, 'fold' | 'recognize' | 'isKept'> {
  const fold = (text: string): string | undefined => (form.test(text) ? text : undefined)
  return {
    fold,
    recognize: (text) => fold(text.replace(written, '').replace(afterIdentifier, '')),
    isKept: true,
  }
}

/** The digits of a number, which people write with a label, spaces and hyphens. */
function numberOf(text: string, labels: string): string {
  const bare = text.replace(/^(?:urn:|https?:\/\/portal\.issn\.org\/resource\/)/i, '')
  const unlabelled = bare.replace(new RegExp(`^(?:${labels})[:/\\s]*`, 'i'), '')
  return unlabelled.replace(parting, '').toUpperCase()
}

function isIssn(text: string): boolean {
  return /^\d{4}-\d{3}[\dX]$/.test(text) && weighed(text.replace('-', ''), 8) % 11 === 0
}

/** Whether a number is an ISBN of ten digits or of thirteen, its check digit included. */
function isIsbn(text: string): boolean {
  const digits = text.replaceAll('-', '').toUpperCase()
  if (/^\d{9}[\dX]$/.test(digits)) return weighed(digits, 10) % 11 === 0
  return /^97[89]/.test(digits) && digits.length === 13 && isGtin(digits)
}

/** The sum of digits, of which the first weighs `first`, the next one less, and X is ten. */
function weighed(digits: string, first: number): number {
  return digits.split('').reduce((sum, digit, index) => {
    return sum + (digit === 'X' ? 10 : Number(digit)) * (first - index)
  }, 0)
}

function isGtin(digits: string): boolean {
  if (!/^\d{12,13}$/.test(digits)) return false
  const thirteen = digits.padStart(13, '0').split('')
  const sum = thirteen.reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3)
  }, 0)
  return sum % 10 === 0
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
        fold: (text) => relationsBySpelling.get(text) ?? relationsBySpelling.get(reduce(text)),
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
        fold: (text) => schemesBySpelling.get(text) ?? schemesBySpelling.get(reduce(text)),
        recognize: (text) => otherSchemes.get(reduce(text)),
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
  const rule = schemeRules[related.scheme]
  const folded = rule?.fold(related.identifier)
  const field = `${path}.identifier`
  if (related.scheme === 'DOI' && folded !== undefined) warnOfDoi(folded, field, faults)
  if (rule === undefined || folded === related.identifier) return related
  const { right, recognize, isKept } = rule
  const identifier = folded ?? recognize?.(related.identifier)
  if (identifier !== undefined) {
    if (folded === undefined) warnOfFolding(field, related.identifier, identifier, faults)
    return { ...related, identifier }
  }
  const expected = typeof right === 'string' ? right : right(related.identifier)
  if (isKept === true) {
    faults.warn(field, 'unusual_identifier', `${field} is kept, but is not ${expected}`)
    return related
  }
  faults.add(field, 'bad_value', `${field} must be ${expected}`)
  return undefined
}
