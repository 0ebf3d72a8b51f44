import { foldDoi, foldOrcid, foldUrl } from '#actors/values/identifier.ts'
import { foldLanguage, recognizeLanguage } from '#actors/values/language.ts'
import { foldLicense, recognizeLicense } from '#actors/values/license.ts'
import { isPartialDate, recognizeDate } from '#actors/values/partial_date.ts'
import type { FormBody } from '#src/pages/kit/form_body.ts'

/** A form as it is taken, and a sentence for each thing that was taken otherwise than typed. */
export type FoldedForm = { readonly values: FormBody; readonly notices: readonly string[] }

/** What a field of a form is called, and how its values are folded beside what all texts are. */
export type FoldedField = {
  readonly label: string
  readonly fold?: 'language' | 'license' | 'date' | 'doi' | 'orcid' | 'url'
}

/**
 * Folds what people type and paste into what a work can hold, where the meaning is certain: what
 * cannot be understood stays as it is, for the check of the form to say so. Signs that come along
 * when texts are copied are removed from all fields, of which `fieldOf` knows the name.
 */
export function foldForm(
  form: FormBody,
  fieldOf: (name: string) => FoldedField | undefined,
): FoldedForm {
  const notices: string[] = []
  const values = new Map(form)
  for (const [name, typed] of form) {
    const field = fieldOf(name)
    if (field === undefined || typed === '') continue
    const { text, removed } = withoutCopiedSigns(typed)
    if (removed !== '') notices.push(`${field.label}: ${removed} removed.`)
    const folded = field.fold && foldValue(field.fold, text.trim())
    if (folded !== undefined && folded.toLowerCase() !== text.trim().toLowerCase()) {
      notices.push(`${field.label}: “${shorten(text.trim())}” is taken as ${folded}.`)
    }
    values.set(name, folded ?? text)
  }
  return { values, notices }
}

const shownCharactersMax = 100

function shorten(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

/** Signs that nobody sees and that come along with copied text, by what people know them as. */
const copiedSigns: readonly (readonly [signs: RegExp, one: string, several: string])[] = [
  // Where a word may be parted at the end of a line; PDF files have them where it was.
  [/\u00ad[\t ]*\n?/g, 'a soft hyphen', 'soft hyphens'],
  // Not the joiners U+200C and U+200D, which Persian and emoji are written with.
  [/[\u200b\u2060\ufeff]/g, 'an invisible space', 'invisible spaces'],
  [/[\u200e\u200f\u061c]/g, 'an invisible mark of direction', 'invisible marks of direction'],
  [/[^\P{Cc}\t\n\r]/gu, 'a control character', 'control characters'],
]

// Of control characters, these part lines: the words on their two sides must not run together.
const lineBreaks = /[\v\f\u0085]/

/** A text without such signs, and which were removed: `two soft hyphens were`, or nothing. */
function withoutCopiedSigns(typed: string): { readonly text: string; readonly removed: string } {
  let text = typed
  const removed: string[] = []
  let total = 0
  for (const [signs, one, several] of copiedSigns) {
    let count = 0
    text = text.replace(signs, (sign) => {
      count += 1
      return lineBreaks.test(sign) ? ' ' : ''
    })
    if (count > 0) removed.push(count === 1 ? one : `${count} ${several}`)
    total += count
  }
  if (total === 0) return { text, removed: '' }
  const list = removed.join(' and ')
  const sentence = list.charAt(0).toUpperCase() + list.slice(1)
  return { text, removed: `${sentence} that cannot be seen ${total === 1 ? 'was' : 'were'}` }
}

function foldValue(kind: NonNullable<FoldedField['fold']>, text: string): string | undefined {
  switch (kind) {
    case 'language':
      return foldLanguage(text) ?? recognizeLanguage(text) ?? languageOfName(text)
    case 'license':
      return foldLicense(text) ?? recognizeLicense(text) ?? foldLicense(withScheme(text))
    case 'date':
      return isPartialDate(text) ? text : (recognizeDate(text) ?? recognizeDate(plainDate(text)))
    case 'doi':
      return foldDoi(text) ?? foldDoi(withScheme(text))
    case 'orcid':
      return foldOrcid(text) ?? foldOrcid(withScheme(text))
    case 'url':
      return foldUrl(text) ?? foldUrl(withScheme(text))
  }
}

/** An address that was typed without its beginning, as browsers take it; else the text. */
function withScheme(text: string): string {
  return /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/:?#]\S*)?$/u.test(text) ? `https://${text}` : text
}

/** The language that `British English`, `Portuguese (Brazil)` and `en_GB.UTF-8` have in them. */
function languageOfName(text: string): string | undefined {
  const plain = text.replace(/[\s,;]*\(.*\)$/, '').replace(/[.@].*$/, '')
  const last = plain.split(/\s+/).at(-1) ?? ''
  return [plain, last].map((name) => foldLanguage(name) ?? recognizeLanguage(name)).find(Boolean)
}

/** A date without what stands around it in sentences: `Friday, 12th of March 2021`. */
function plainDate(text: string): string {
  return text
    .replace(/^\p{L}+day,?\s+/iu, '')
    .replace(/^(?:le|am|den|el)\s+/i, '')
    .replace(/\s+of\s+/i, ' ')
    .replace(/^(\d{4})年\s*(\d{1,2})月(?:\s*(\d{1,2})日)?$/, (_, year, month, day) =>
      [year, month, day].filter(Boolean).join('/'),
    )
}

/**
 * The two days that a date such as 5/3/2019 may mean, which only who typed it knows; undefined for
 * anything else.
 */
export function twoDays(text: string): readonly [string, string] | undefined {
  const [, first = '', second = '', year = ''] =
    /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/.exec(text.trim()) ?? []
  const dates = [
    [second, first],
    [first, second],
  ].map(([month = '', day = '']) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
  const [one = '', other = ''] = dates
  return one !== other && isPartialDate(one) && isPartialDate(other) ? [one, other] : undefined
}
