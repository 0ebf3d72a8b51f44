import { parseArk } from '#actors/values/ark.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { type FieldKind, warnOfFolding, wordOf } from '#actors/values/field_table.ts'
import {
  bareNumber,
  explainDoi,
  foldDoi,
  foldIsbn,
  foldUrl,
  isbnRule,
  isGtin,
  isIssn,
  issnRule,
  recognizeDoi,
  recognizeIsbn,
  recognizeIssn,
  warnOfDoi,
} from '#actors/values/identifier.ts'

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

export type Scheme = (typeof schemes)[number]

// What people call schemes that DataCite has another name for.
const otherSchemes = {
  'ISSN-L': 'LISSN',
  pISSN: 'ISSN',
  'ISBN-10': 'ISBN',
  'ISBN-13': 'ISBN',
  EAN: 'EAN13',
  'e-ISBN': 'ISBN',
  hdl: 'Handle',
  PubMed: 'PMID',
  'PubMed ID': 'PMID',
  'arXiv ID': 'arXiv',
  ADS: 'bibcode',
  SWH: 'SWHID',
  NBN: 'URN',
  'URN:NBN': 'URN',
  URI: 'URL',
} as const

export const schemeKind: FieldKind<Scheme> = wordOf({
  words: schemes,
  title: 'IdentifierScheme',
  others: otherSchemes,
  strangers: ['PMCID', 'GRID', 'HAL', 'ISMN', 'ISRC', 'ISWC'],
  otherwise: 'URL, with the address of the thing',
})

const schemesByName = new Map<string, Scheme>(
  [...schemes.map((name) => [name, name] as const), ...Object.entries(otherSchemes)].map(
    ([name, scheme]) => [name.toLowerCase(), scheme],
  ),
)

/** The scheme that a name of any case means, if it is one of the list. */
export function schemeNamed(name: string): Scheme | undefined {
  return schemesByName.get(name.toLowerCase())
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
  recognize: recognizeIssn,
  right: issnRule,
  isKept: true,
}

const gtin: SchemeRule = {
  fold: (text) => (/^\d+$/.test(text) && isGtin(text) ? text : undefined),
  recognize: (text) => {
    const digits = bareNumber(text, 'ean(?:-?13)?|upc')
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
  ISBN: { fold: foldIsbn, recognize: recognizeIsbn, right: isbnRule, isKept: true },
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
    fold: (text) => (/^https:\/\/raid\.org\/10\.\S+\/\S*[^\s/]$/.test(text) ? text : undefined),
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

function foldArk(text: string): string | undefined {
  const ark = parseArk(text)
  return ark.type === 'ark' ? ark.normalized : undefined
}

/**
 * The stored form of an identifier of a scheme. One that is none is refused with a fault at `path`,
 * or kept with a warning where works print wrong ones.
 */
export function readIdentifier(
  scheme: Scheme,
  given: string,
  path: string,
  faults: FaultList,
): string | undefined {
  const rule = schemeRules[scheme]
  const folded = rule?.fold(given)
  if (scheme === 'DOI' && folded !== undefined) warnOfDoi(folded, path, faults)
  if (rule === undefined || folded === given) return given
  const { right, recognize, isKept } = rule
  const identifier = folded ?? recognize?.(given)
  if (identifier !== undefined) {
    if (folded === undefined) warnOfFolding(path, given, identifier, faults)
    return identifier
  }
  const expected = typeof right === 'string' ? right : right(given)
  if (isKept === true) {
    faults.warn(path, 'unusual_identifier', `${path} is kept, but is not ${expected}`)
    return given
  }
  faults.add(path, 'bad_value', `${path} must be ${expected}`)
  return undefined
}
