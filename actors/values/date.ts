import { foldedText } from '#actors/values/field_table.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { normalForm } from '#actors/values/text.ts'

const partialDateForm = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/

/**
 * Whether a text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD` with a month and a day that the Gregorian
 * calendar has; years 0001 to 9999.
 */
export function isPartialDate(text: string): boolean {
  const [, year, month, day = '01'] = partialDateForm.exec(text) ?? []
  if (year === undefined || year === '0000') return false
  if (month === undefined) return true
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse takes the 31st of every month and counts on into the next.
  return !Number.isNaN(time) && new Date(time).getUTCDate() === Number(day)
}

/**
 * Whether the year of a date is one of the Buddhist calendar, by which Thailand, Laos and Cambodia
 * count: 543 years ahead of the common era, in which no work of such a year can be registered.
 */
export function isBuddhistYear(date: string): boolean {
  return /^2[4-6]\d\d/.test(date)
}

// The names of the months, in order, in the languages that reference managers meet most. English
// ones may be cut to three letters or more; a test watches that no name stands for two months.
const monthNames: readonly string[] = [
  'january february march april may june july august september october november december',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
]

const monthsByName = new Map(
  monthNames.flatMap((names) => names.split(' ').map((name, index) => [name, index + 1] as const)),
)

const englishMonths = monthNames[0]?.split(' ') ?? []

/** How dates are written elsewhere, with groups for the year, the month and the day. */
const dateForms: readonly RegExp[] = [
  // Years come first: 2019/5/3, 2019.05, 2019-05-00, 2019/05/03/, and what carries a time as well.
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?[-/.]*$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[t ]\d\d:\d\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?$/,
  /^(?<year>[12]\d{3})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<year>\d{4})(?:-00){0,2}[/.]*$/,
  // With points, the day comes first wherever dates are written so.
  /^(?<day>\d{1,2})\.\s*(?<month>\d{1,2})\.\s*(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  // Months by name: 3 May 2019, May 3rd, 2019, 2019 May 3, May 2019.
  /^(?<day>\d{1,2})(?:st|nd|rd|th|\.|er|º)?[\s-]+(?<name>\p{L}+)\.?,?[\s-]+(?<year>\d{4})$/u,
  /^(?<day>\d{1,2})\s+de\s+(?<name>\p{L}+)\s+de\s+(?<year>\d{4})$/u,
  /^(?<name>\p{L}+)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/u,
  /^(?<year>\d{4}),?[\s-]+(?<name>\p{L}+)\.?(?:[\s-]+(?<day>\d{1,2}))?$/u,
  /^(?<name>\p{L}+)\.?,?[\s-]+(?:de\s+)?(?<year>\d{4})$/u,
  // Of a season, or of an issue for several months, the year is what is known.
  /^(?:spring|summer|autumn|fall|winter),?\s+(?<year>\d{4})$/,
  /^(?<year>\d{4}),?\s+(?:spring|summer|autumn|fall|winter)$/,
  /^(?<from>\p{L}+)\.?\s*[-–/]\s*(?<to>\p{L}+)\.?,?\s+(?<year>\d{4})$/u,
  /^(?<year>\d{4}),?\s+(?<from>\p{L}+)\.?\s*[-–/]\s*(?<to>\p{L}+)\.?$/u,
  // The year of a copyright, and one that a librarian has supplied.
  /^(?:c|©|\(c\))\s*(?<year>\d{4})\.?$/,
  /^[[(](?<year>\d{4})[\])]\.?$/,
]

// 5/13/2019 and 13/5/2019 can be read in one way only; 5/3/2019 cannot.
const slashedForm = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/

// Digits of other scripts stand in tens, from zero on.
const otherDigit = /(?!\d)\p{Nd}/gu

/** A text with the digits that all calendars of computers have. */
export function withPlainDigits(text: string): string {
  return text.replace(otherDigit, digitOf)
}

function digitOf(sign: string): string {
  const digit = sign.normalize('NFKC')
  if (/^\d$/.test(digit)) return digit
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

/**
 * The date that a text means in another spelling, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Undefined
 * for what the calendar does not have, and for what may mean two dates, as `5/3/2019` does.
 */
export function recognizeDate(text: string): string | undefined {
  const spelling = withPlainDigits(normalForm(text.trim().toLowerCase(), 'NFC')).replace(
    /(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日)?)?/,
    (_, ...parts) => parts.slice(0, 3).filter(Boolean).join('-'),
  )
  const slashed = slashedForm.exec(spelling)
  if (slashed !== null) return dayOf(slashed)
  for (const form of dateForms) {
    const { year, month, name, day, from, to } = form.exec(spelling)?.groups ?? {}
    if (year === undefined) continue
    const named = [name, from, to].filter((each) => each !== undefined).map(monthOf)
    if (named.includes(undefined)) continue
    const number = name === undefined ? Number(month ?? 0) : named[0]
    if (number !== undefined) return dateOf(year, number, Number(day ?? 0))
  }
  return undefined
}

function dayOf([, first = '', second = '', year = '']: RegExpExecArray): string | undefined {
  const [a, b] = [Number(first), Number(second)]
  if (a > 12 || a === b) return dateOf(year, b, a)
  return b > 12 ? dateOf(year, a, b) : undefined
}

function monthOf(name: string): number | undefined {
  const exact = monthsByName.get(name)
  if (exact !== undefined || name.length < 3) return exact
  const index = englishMonths.findIndex((month) => month.startsWith(name))
  return index < 0 ? undefined : index + 1
}

/** A date of numbers, of which 0 is unknown; undefined if the calendar does not have it. */
function dateOf(year: string, month: number, day: number): string | undefined {
  const parts = [year]
  if (month > 0) parts.push(String(month).padStart(2, '0'))
  if (day > 0) parts.push(String(day).padStart(2, '0'))
  const date = parts.join('-')
  return (day === 0 || month > 0) && isPartialDate(date) ? date : undefined
}

/**
 * The two days that a date such as 5/3/2019 may mean, which only who wrote it knows; undefined for
 * anything else.
 */
export function twoDays(text: string): readonly [string, string] | undefined {
  const [, first = '', second = '', year = ''] = slashedForm.exec(text.trim()) ?? []
  const [one, other] = [
    dateOf(year, Number(second), Number(first)),
    dateOf(year, Number(first), Number(second)),
  ]
  return one !== undefined && other !== undefined && one !== other ? [one, other] : undefined
}

/** What a text that is no day, month or year would have to be. */
export function explainDate(text: string): string {
  const rule = 'a date of the calendar such as 2026-11-21, 2026-11 or 2026'
  const days = twoDays(text)
  if (days !== undefined) return `${rule}; ${text} may be ${days[0]} or ${days[1]}`
  const meant = recognizeEdtf(text.replace(/^(?:c(?:irc)?a?\.?|approx\.)\s*(?=\d{4}$)/i, ''))
  if (meant === undefined) return rule
  return `${rule}; a span of time, or a date that is not certain, goes into dates, as EDTF`
}

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
  return isOne(spelled) ? spelled : (seasonMeant(text) ?? recognizeDate(text))
}

const seasons: Readonly<Record<string, number>> = closedTable({
  spring: 21,
  summer: 22,
  autumn: 23,
  fall: 23,
  winter: 24,
})

/** `Spring 2020` */
function seasonMeant(text: string): string | undefined {
  const [, word = '', digits] = /^(\p{L}+),? (\d{4})$/u.exec(text.trim()) ?? []
  const season = seasons[word.toLowerCase()]
  return season === undefined ? undefined : `${digits}-${season}`
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
