import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { parting } from '#actors/values/identifier.ts'

// Texts that are folded to a number: long enough for every spelling of one.
const numberCharactersMax = 200

/** Whether a text is an ISSN, `0028-0836`, with the right check digit (ISO 3297, modulus 11). */
export function isIssn(text: string): boolean {
  return /^\d{4}-\d{3}[\dX]$/.test(text) && weighed(text.replace('-', ''), 8) % 11 === 0
}

/** The ISSN that a text means, which has a label, no hyphen or a word for its medium. */
export function recognizeIssn(text: string): string | undefined {
  const number = text.replace(/\s*\((?:print|online|electronic|linking)\)$/i, '')
  const digits = withoutLabel(number, '[ep]?-?l?issn(?:-?l)?')
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
  const written = text.replace(/\s*\((?:print|online|electronic|e-?book|pdf|epub|\w+back)\)$/i, '')
  const unlabelled = written.replace(isbnLabel, '')
  const bare = unlabelled.replace(parting, '-')
  return isIsbn(bare) ? bare : undefined
}

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
export function withoutLabel(text: string, labels: string): string {
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
  right: (text) => explainNumber(text, withoutLabel(text, 'issn'), /^\d{7}[\dX]$/, issnRule),
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
