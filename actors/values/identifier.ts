import {
  arkCharactersMax,
  foldArk,
  checkCharacter,
  randomBetanumerics,
  type RandomBytes,
} from '#actors/values/ark.ts'
import type { FaultList } from '#actors/values/fault_list.ts'
import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { closedTable } from '#actors/values/lazy_table.ts'

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

/**
 * The kind of an address that is told and need not be followed, such as that of a vocabulary:
 * `urn:…` and `info:…` too.
 */
export const uriKind = foldedText({
  max: urlCharactersMax,
  fold: (text) => (/\s/.test(text) ? undefined : text),
  right: 'an address without spaces',
})

/** The field of the address of the scheme that an identifier of an organization is of. */
export const schemeUriField = {
  byNeed: true,
  kind: uriKind,
  about: 'The address of the scheme.',
  example: 'https://ror.org',
} as const

// `doi:`, `DOI `, `info:doi/`, before a DOI or the address of one.
const label =
  /^(?:info:doi[/:]|(?:urn:)?doi\s*[:=]?\s*(?=10\.|https?:\/\/|(?:dx\.|www\.)?doi\.org\/))/i
const address = /^(?:(?:https?:)?\/\/)?(?:www\.|dx\.)?doi\.org(?::\d+)?\/+(?:doi:)?/i
// The number of a registrant may be divided (ISO 26324): `10.1000.10`.
const doiPrefix = String.raw`10\.\d{4,9}(?:\.\d{1,9}){0,8}`
const doiForm = new RegExp(`^${doiPrefix}/\\S+$`)
// A list of several, which no DOI has in it.
const furtherDoi = new RegExp(
  String.raw`${doiPrefix}/.*?[\s,;|](?:doi:?\s*|https?://(?:dx\.)?doi\.org/)?${doiPrefix}/`,
  'i',
)
const namedAtEnd = new RegExp(`${doiPrefix}/\\S+$`)
const prefixForm = new RegExp(`^(?:doi:)?(${doiPrefix}/)$`, 'i')
// What would lead out of the path of an address, or not be seen in it, however it is encoded. DOIs
// may have some of them by their standard; those few cannot be given.
const unfit = /[\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

// Left over from HTML and from lists: no DOI has them.
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/i
const endOfList = /[,;]$/

/**
 * The stored form of a DOI: without `https://doi.org/`, `doi.org/` or `doi:` before it, ASCII
 * letters in lower case, because DOIs that differ in nothing else are one (ISO 26324). In an
 * address it may be percent-encoded, and `#` and `?` must be: bare ones end its path. Undefined if
 * it is no DOI, or none that an address can carry safely.
 */
export function foldDoi(text: string): string | undefined {
  const doi = withoutLabel(text)
  if (doi === undefined || !doiForm.test(doi) || !isSafe(doi)) return undefined
  if (endOfList.test(doi) || (doi.includes('&') && entity.test(doi))) return undefined
  if (furtherDoi.test(doi)) return undefined
  return doi.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

// `10/abc`, and only in an address `abc` alone: aliases that the resolver knows (shortDOI Service).
const shortDoi = /^(?:short)?(?:doi\s*[:=]?\s*)?10\/([a-z\d]{2,20})\/?$/i
const shortAddress = new RegExp(
  String.raw`^(?:(?:https?:)?//)?(?:www\.|dx\.)?(?:short)?doi\.org/+(?:doi:)?` +
    String.raw`(?:10(?:/|%2F))?([a-z\d]{2,20})/?(?:[?#].*)?$`,
  'i',
)

/**
 * A short DOI that a text is, as `10/abc`: an alias that doi.org gives for a DOI, and no DOI
 * itself. Which one it stands for, only doi.org can tell. Undefined if it is none.
 */
export function readShortDoi(text: string): string | undefined {
  const plain = text.trim().replace(/^info:doi\/|^urn:doi:/i, '')
  const [, name] = shortDoi.exec(plain) ?? shortAddress.exec(plain.replace(/^doi:\s*/i, '')) ?? []
  return name === undefined ? undefined : `10/${name.toLowerCase()}`
}

const entities = new RegExp(entity.source, 'gi')
const namedEntities: Readonly<Record<string, string>> = closedTable({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
})

/** A text in which what HTML has for signs stands for them, `&amp;lt;` too. */
function decodeEntities(text: string): string {
  const plain = text.replace(entities, (found) => {
    const name = found.slice(1, -1).toLowerCase()
    if (!name.startsWith('#')) return namedEntities[name] ?? found
    const code = name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0x10_ff_ff ? found : String.fromCodePoint(code)
  })
  return plain === text || !entity.test(plain) ? plain : decodeEntities(plain)
}

// What stands around a DOI in a text, and the address of another resolver that knows it.
const around = /^[<([{]+|[>\])},;]+$/g
const quotes = /^["'“‘\s]+|["'”’\s]+$/g
const otherResolver =
  /^(?:hdl:\s*|info:hdl\/|(?:https?:\/\/)?(?:hdl\.handle\.net|doi\.pangaea\.de)\/+)(?=10\.)/i
const encoded = /^(?:https?%3A|(?:doi(?::|%3A)\s*)?10\.[\d.]+%2F)/i

/**
 * The DOI that a text means whose signs are written as in HTML, which is percent-encoded outside an
 * address, or has signs around it that are of the text where it stood. Undefined if there is none.
 */
export function recognizeDoi(text: string): string | undefined {
  const signs = decodeEntities(text).replace(quotes, '')
  const plain = isWhole(signs) ? signs.replace(endOfList, '') : signs.replace(around, '')
  // A SICI may end in a check character that would begin a fragment: `3.0.CO;2-#`.
  const bare = plain.replace(otherResolver, '').replace(/(?<=doi\.org\/.*;2-)#$/i, '%23')
  return foldDoi(encoded.test(bare) ? (decoded(bare) ?? bare) : bare)
}

/** A bracket at the end of a DOI that was opened before it. */
function loneBracket(doi: string): string | undefined {
  const last = doi.at(-1) ?? ''
  return /[)>\]}]/.test(last) && !isWhole(doi) ? last : undefined
}

/** Whether brackets at the end of a text belong to it: each has its other half. */
function isWhole(text: string): boolean {
  return ['()', '<>', '[]', '{}'].every(([open = '', close = '']) => {
    return text.split(open).length === text.split(close).length && !text.startsWith(open)
  })
}

// arXiv has a DOI for each of its works, but not for their versions.
const arxivName = /^(?:arxiv:\s*|(?:https?:\/\/)?arxiv\.org\/(?:abs|pdf)\/)(\d{4}\.\d{4,5})/i

/** What a text that `foldDoi` does not take would have to be. */
export function explainDoi(text: string): string {
  const short = readShortDoi(text)
  if (short !== undefined) return `a DOI: ${explainShortDoi(short)}`
  const unlabelled = text.replace(label, '')
  const path = unlabelled.replace(address, '')
  if (path !== unlabelled && /[#?]/.test(path)) {
    return 'a DOI; in an address write %23 for a # and %3F for a ? of the DOI, and leave out others'
  }
  const doi = withoutLabel(text)
  if (doi !== undefined && doiForm.test(doi) && !isSafe(doi)) {
    return 'a DOI without \\, invisible characters and the segments "." and ".."'
  }
  const rule = 'a DOI such as 10.1234/abc'
  if (furtherDoi.test(unlabelled)) return `${rule}, and only one`
  if (doi !== undefined && /^10\.\d.*\s/.test(doi)) return `${rule}, without spaces`
  const [, preprint] = arxivName.exec(text) ?? []
  const named = preprint === undefined ? doiAtEnd(text) : `10.48550/arxiv.${preprint}`
  return named === undefined ? rule : `${rule}; did you mean ${named}?`
}

/** What is to be done with a short DOI, as a part of a sentence. */
export function explainShortDoi(short: string): string {
  const where = `to which https://doi.org/${short} leads`
  return `${short} is a short DOI; give the DOI for which it stands, ${where}`
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
  if (text.startsWith('10.')) return text
  const unlabelled = text.replace(label, '')
  const path = unlabelled.replace(address, '')
  if (path === unlabelled) return path
  return /[#?]/.test(path) ? undefined : decoded(path)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const doiText = foldedText({
  max: urlCharactersMax,
  fold: foldDoi,
  recognize: recognizeDoi,
  right: explainDoi,
})

export const doiKind: typeof doiText = {
  ...doiText,
  read(value, path, faults) {
    const doi = doiText.read(value, path, faults)
    if (doi !== undefined) warnOfDoi(doi, path, faults)
    return doi
  },
}

// What addresses of publishers have behind a DOI, and what typesetters make of its signs.
const ofAddress = new RegExp(
  String.raw`\/(?:full|abstract|abs|summary|meta|e?pdf|full[.-]?(?:text|pdf|html))$|` +
    String.raw`\.(?:pdf|html?)$|[?&][\w-]+=.*$|#[\w.-]+$`,
)
const ofTypesetting = /[\u2010-\u2015\u2212‘’“”‹›〈〉\u2329\u232a⟨⟩\uff01-\uff5e\ufb00-\ufb06]/u

/** Tells what a DOI may have, and has more often from the text or the address where it stood. */
export function warnOfDoi(doi: string, path: string, faults: FaultList): void {
  const unusual = ofAddress.exec(doi)?.[0] ?? ofTypesetting.exec(doi)?.[0] ?? loneBracket(doi)
  if (unusual !== undefined) {
    const help = 'few DOIs have it: look whether it is of the address or the text where it stood'
    faults.warn(path, 'unusual_identifier', `${path} is kept with “${unusual}” in it; ${help}`)
  }
  if (doi.endsWith('.')) {
    const help = 'leave it out if it is of a text'
    faults.warn(path, 'ends_with_stop', `${path} ends with a full stop, which is kept; ${help}`)
  }
  const [code] = doi.includes('%') ? (/%[\da-f]{2}/i.exec(doi) ?? []) : []
  if (code !== undefined) {
    const help = 'write the character itself if the DOI is from an address'
    faults.warn(path, 'percent_encoded', `${path} has ${code} in it, which is kept; ${help}`)
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

const orcidLabel = /^(?:info:orcid\/|(?:urn:)?(?:orcid|isni)(?:\s*id)?[:\s]\s*)/i
const orcidAddress = new RegExp(
  String.raw`^(?:https?://)?(?:www\.)?(?:(?:pub\.)?orcid\.org(?:/v\d[\w.]*|/my-orcid\?orcid=)?|` +
    String.raw`isni\.org(?:/isni)?)/?`,
  'i',
)
const storedIsni = /^(?:\d{4}-){3}\d{3}[\dX]$/
const grouped = /^(\d{4})(\d{4})(\d{4})(\d{3}[\dX])$/
/** What parts the groups of a number, such as an ISNI: spaces, points, hyphens of all kinds. */
const parting = /[\s.\-\u2010-\u2015\u2212]+/g

// The blocks of ISNIs that are ORCID's, without their check characters.
const orcidBlocks = [
  [15_000_000, 35_000_000],
  [900_000_000_000, 900_100_000_000],
] as const

/**
 * The stored form of an ORCID iD, `0000-0002-1825-0097`: without an address before it, X in upper
 * case. Undefined if it is not one, its check digit (ISO 7064, MOD 11-2) is wrong, or it is an ISNI
 * outside the blocks that ORCID has.
 */
export function foldOrcid(text: string): string | undefined {
  const isni = foldIsni(text)
  if (isni === undefined) return undefined
  const value = Number(isni.replaceAll('-', '').slice(0, 15))
  return orcidBlocks.some(([first, last]) => value >= first && value <= last) ? isni : undefined
}

/** What a text that is no ORCID iD would have to be. */
export function explainOrcid(text: string): string {
  const rule = 'an ORCID iD such as 0000-0002-1825-0097, with the right check digit'
  return foldIsni(text) === undefined ? rule : `${rule}; this is an ISNI, which is none of ORCID`
}

/**
 * An ISNI in groups of four characters, without a label or an address before it. Undefined if it is
 * not one or its check digit is wrong.
 */
export function foldIsni(text: string): string | undefined {
  const isni = storedIsni.test(text) ? text : groupIsni(text)
  const digits = isni?.replaceAll('-', '') ?? ''
  return digits !== '' && checkDigit(digits) === digits.charAt(15) ? isni : undefined
}

function groupIsni(text: string): string | undefined {
  const bare = text.replace(/^[<([](.+)[\])>]$/, '$1')
  const unlabelled = bare.replace(orcidLabel, '').replace(orcidAddress, '')
  const digits = unlabelled
    .replace(/[/?#].*$/, '')
    .replace(parting, '')
    .toUpperCase()
  return grouped.exec(digits)?.slice(1).join('-')
}

/** The digit that fits the fifteen before it. */
function checkDigit(digits: string): string {
  let total = 0
  for (let index = 0; index < 15; index++) total = (total + Number(digits[index])) * 2
  const check = (12 - (total % 11)) % 11
  return check === 10 ? 'X' : String(check)
}

const rorPrefix =
  /^(?:(?:https?:\/\/)?(?:www\.|api\.)?ror\.org\/(?:(?:v\d\/)?organizations\/)?|ror:\s*)/i
// Douglas Crockford's base 32: no i, l, o and u.
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const storedRor = /^https:\/\/ror\.org\/([0-9a-z]{9})$/
const rorForm = /^0[0-9a-hjkmnp-tv-z]{6}\d\d$/

/**
 * The stored form of a ROR ID, `https://ror.org/05gq02987`. Undefined if it is not or its last two
 * digits are not those of its checksum (ISO 7064, MOD 97-10).
 */
export function foldRor(text: string): string | undefined {
  const stored = storedRor.exec(text)?.[1]
  const id = stored ?? text.replace(rorPrefix, '').replace(/\/$/, '').toLowerCase()
  if (!rorForm.test(id)) return undefined
  let number = 0
  for (const character of id.slice(0, 7)) number = number * 32 + base32.indexOf(character)
  const checksum = 98 - ((number * 100) % 97)
  return Number(id.slice(7)) === checksum ? `https://ror.org/${id}` : undefined
}

export const arkKind = foldedText({
  max: arkCharactersMax,
  fold: foldArk,
  right: 'an ARK such as ark:/12345/x6np1wh8k',
})

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

// Texts that are folded to a number: long enough for every spelling of one.
const numberCharactersMax = 200

/** Whether a text is an ISSN, `0028-0836`, with the right check digit (ISO 3297, modulus 11). */
export function isIssn(text: string): boolean {
  // `0000-0000` stands where there is none.
  if (!/^\d{4}-\d{3}[\dX]$/.test(text) || text === '0000-0000') return false
  return weighed(text.replace('-', ''), 8) % 11 === 0
}

/** The ISSN that a text means, which has a label, no hyphen or a word for its medium. */
export function recognizeIssn(text: string): string | undefined {
  const number = text.replace(/\s*\((?:print|online|electronic|linking)\)$/i, '')
  const digits = bareNumber(number, '[ep]?-?l?issn(?:-?l)?')
  const withHyphen = `${digits.slice(0, 4)}-${digits.slice(4)}`
  return isIssn(withHyphen) ? withHyphen : undefined
}

/** What a text that is no ISSN would have to be. */
export const issnRule = 'an ISSN such as 0028-0836, with the right check digit'

/** Whether a number is an ISBN of ten digits or of thirteen, its check digit included. */
function isIsbn(text: string): boolean {
  const digits = text.replaceAll('-', '').toUpperCase()
  if (/^\d{9}[\dX]$/.test(digits)) return weighed(digits, 10) % 11 === 0
  return /^97[89]/.test(digits) && digits.length === 13 && isGtin(digits)
}

/** An ISBN as it is printed, with its hyphens if it has some; undefined if it is none. */
export function foldIsbn(text: string): string | undefined {
  return /^[\dXx-]+$/.test(text) && isIsbn(text) ? text : undefined
}

/** The ISBN that a text means, which has a label, or other signs between its groups. */
export function recognizeIsbn(text: string): string | undefined {
  const written = text.replace(isbnMedium, '').replace(/^[<([](.+)[\])>]$/, '$1')
  const unlabelled = written.replace(isbnLabel, '')
  const bare = unlabelled.replace(parting, '-')
  return isIsbn(bare) ? bare : undefined
}

const isbnMedium =
  /\s*\((?:print|online|electronic|e-?book|pdf|epub|\w+back|hardcover|cloth|[ph]bk?\.?)\)$/i
const isbnLabel = /^(?:https?:\/\/[\w.]+\/(?:isbn\/)?|(?:urn:)?[ep]?-?isbn(?:-?1[03])?[:/\s]*)/i

/** What a text that is no ISBN would have to be. */
export const isbnRule = 'an ISBN such as 978-3-16-148410-0, with the right check digit'

/** Whether digits are a number of trade items, with the right check digit: GTIN-12 or GTIN-13. */
export function isGtin(digits: string): boolean {
  if (!/^\d{12,13}$/.test(digits)) return false
  const thirteen = digits.padStart(13, '0').split('')
  const sum = thirteen.reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3)
  }, 0)
  return sum % 10 === 0
}

/** The characters of a number, which people write with a label, spaces and hyphens. */
export function bareNumber(text: string, labels: string): string {
  const bare = text.replace(/^(?:urn:|https?:\/\/portal\.issn\.org\/resource\/)/i, '')
  const unlabelled = bare.replace(new RegExp(`^(?:${labels})[:/\\s]*`, 'i'), '')
  return unlabelled.replace(parting, '').toUpperCase()
}

/** The sum of digits, of which the first weighs `first`, the next one less, and X is ten. */
function weighed(digits: string, first: number): number {
  return digits.split('').reduce((sum, digit, index) => {
    return sum + (digit === 'X' ? 10 : Number(digit)) * (first - index)
  }, 0)
}

/** The kind of an ISSN with the right check digit. */
export const issnKind: FieldKind<string> = foldedText({
  max: numberCharactersMax,
  fold: (text) => (isIssn(text) ? text : undefined),
  recognize: recognizeIssn,
  right: (text) => explainNumber(text, bareNumber(text, 'issn'), /^\d{7}[\dX]$/, issnRule),
})

/** The kind of an ISBN with the right check digit. */
export const isbnKind: FieldKind<string> = foldedText({
  max: numberCharactersMax,
  fold: foldIsbn,
  recognize: recognizeIsbn,
  right: (text) => {
    const digits = text.replace(isbnLabel, '').replace(parting, '').toUpperCase()
    return explainNumber(text, digits, /^(?:\d{9}[\dX]|97[89]\d{10})$/, isbnRule)
  },
})

function explainNumber(text: string, digits: string, form: RegExp, rule: string): string {
  if (!form.test(digits)) return rule
  return `${rule}; the check digit of ${text} is wrong: look for a typing error`
}
