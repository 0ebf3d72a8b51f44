import { foldedText } from '#actors/values/field_table.ts'
import { isPartialDate, recognizeDate } from '#actors/values/partial_date.ts'

/** Characters of a date; the longest are two instants with their offsets. */
const dateCharactersMax = 100

const year = String.raw`-?\d{4}`
const qualifier = '[?~%]?'
// Days and months that nobody knows have X in the place of a digit, from the last one on.
const calendarForm = /^(-?)(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/
const unspecifiedForm = /^-?\d{4}(?:-XX|-\d\d-XX|-XX-XX)$|^-?(?:\d{3}X|\d\dXX|\dXXX|XXXX)$/
const seasonForm = new RegExp(`^${year}-2[1-4]$`)
const longYearForm = /^Y-?[1-9]\d{4,}$/
const instantForm =
  /^(-?\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/
const qualifiedForm = new RegExp(`^(.*?)(${qualifier})$`)

/**
 * Whether a text is a date of the Extended Date/Time Format (ISO 8601-2, Library of Congress 2019),
 * level 0 or 1: days, months, years before Christ (`-0054`) and beyond 9999 (`Y170000002`), seasons
 * (`2026-21`), what is uncertain, approximate or not known (`2004?`, `201X`, `2004-06-XX`),
 * instants, and ranges of these, also open ones (`2001/..`, `/2004`).
 */
export function isEdtf(text: string): boolean {
  const [from = '', to, ...more] = text.split('/')
  if (more.length > 0) return false
  if (to === undefined) return isOne(from)
  if (!isEnd(from) || !isEnd(to) || (!isDated(from) && !isDated(to))) return false
  return !isBackwards(from, to)
}

function isEnd(text: string): boolean {
  return !isDated(text) || isOne(text)
}

/** Whether an end of a range has a date: `..` is open, and nothing is not known. */
function isDated(text: string): boolean {
  return text !== '' && text !== '..'
}

function isOne(text: string): boolean {
  const [, day] = instantForm.exec(text) ?? []
  if (day !== undefined) return isCalendarDate(day)
  const [, date = ''] = qualifiedForm.exec(text) ?? []
  return (
    isCalendarDate(date) ||
    seasonForm.test(date) ||
    longYearForm.test(date) ||
    (unspecifiedForm.test(date) && isCalendarDate(date.replaceAll('-XX', '').replaceAll('X', '1')))
  )
}

// The Gregorian calendar repeats after 400 years, so that any year has the days of one of our era;
// year 0 is 1 BC.
function isCalendarDate(text: string): boolean {
  const [, , digits, month, day] = calendarForm.exec(text) ?? []
  if (digits === undefined) return false
  const isNegative = text.startsWith('-')
  if (isNegative && digits === '0000') return false
  const cycle = Number(isNegative ? `-${digits}` : digits) % 400
  const like = String(cycle + 2000).padStart(4, '0')
  return isPartialDate([like, month, day].filter((part) => part !== undefined).join('-'))
}

/** Whether a range of known dates ends before it begins, as far as both of them are known. */
function isBackwards(from: string, to: string): boolean {
  const [first, last] = [partsOf(from), partsOf(to)]
  if (first === undefined || last === undefined) return false
  for (const [index, part] of first.entries()) {
    const other = last[index]
    if (other === undefined || part < other) return false
    if (part > other) return true
  }
  return false
}

function partsOf(text: string): readonly number[] | undefined {
  const [date = ''] = text.split('T')
  const [, sign, digits, month, day] = calendarForm.exec(date.replace(/[?~%]$/, '')) ?? []
  if (digits === undefined) return undefined
  const parts = [Number(digits) * (sign === '-' ? -1 : 1)]
  for (const part of [month, day]) if (part !== undefined) parts.push(Number(part))
  return parts
}

// The words of EDTF before it became a part of ISO 8601, and of those who write none of it.
const openWords = /^(?:open|present|now|ongoing|\.\.\.?)$/i
const unknownWords = /^unknown$/i

/**
 * The date of level 1 that a text means in another spelling: drafts of EDTF (`199u`, `open`,
 * `2004?~`), fractions of a second, ranges with spaces or a dash, and whatever `recognizeDate`
 * takes. Undefined if that is not certain.
 */
export function recognizeEdtf(text: string): string | undefined {
  const ends = text.includes('/') ? text.split('/') : text.split(/\s+(?:-|–|—|to|until)\s+/i)
  if (ends.length > 2) return oneMeant(text)
  const parts = ends.map((end) => endMeant(end.trim()))
  if (parts.includes(undefined)) return oneMeant(text)
  const range = parts.join('/')
  return isEdtf(range) ? range : oneMeant(text)
}

function endMeant(end: string): string | undefined {
  if (openWords.test(end)) return '..'
  if (end === '' || unknownWords.test(end)) return ''
  return oneMeant(end)
}

function oneMeant(text: string): string | undefined {
  const spelled = text
    .replace(/\?~|~\?/, '%')
    .replace(/(?<=\d)[uUx]+(?=$|-)/g, (signs) => 'X'.repeat(signs.length))
    .replace(/(?<=-)[uUx]{2}(?=$|-)/g, 'XX')
    .replace(/(T\d\d:\d\d:\d\d)[.,]\d+/, '$1')
    .replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, '$1:00')
  return isOne(spelled) ? spelled : recognizeDate(text)
}

/** What a text that is no such date would have to be. */
export function explainEdtf(text: string): string {
  const rule = 'a date such as 2026-11-21, 2026-11, 2026, 201X, 2026~, or a range such as 2024/2026'
  const [from = '', to = ''] = text.split('/')
  if (isOne(from) && isOne(to)) return `${rule}, which does not end before it begins`
  const none = [from, to].find((end) => /^-?\d{4}-\d\d(?:-\d\d)?$/.test(end) && !isOne(end))
  return none === undefined ? rule : `${rule}; the calendar has no ${none}`
}

/** The kind of a date or a range of dates, EDTF of level 0 or 1. */
export const edtfKind = foldedText({
  max: dateCharactersMax,
  fold: (text) => (isEdtf(text) ? text : undefined),
  recognize: recognizeEdtf,
  right: explainEdtf,
})
