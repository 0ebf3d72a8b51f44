import { isPartialDate, recognizeDate, withPlainDigits } from '#actors/values/date.ts'
import { normalForm } from '#actors/values/text.ts'

/**
 * A date as a file has it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, if there is one that is certain; and
 * what the text says beyond it, as the end of a sentence. Nothing is said of mere spelling.
 */
export type SourceDate = { readonly date?: string; readonly remark?: string }

/** Characters of a text that is read as a date, at most. */
const dateCharactersMax = 200

// The start of a range is what a work has room for.
const ofRange = 'it is a range, of which the start is taken'
const ofSeason = 'it is a season, of which the year is taken'
const ofGuess = 'it is not certain'
const ofPart = 'of it only what is certain is taken'
const ofNothing = 'no date can be read from it'

/**
 * Reads a date in any of the ways that files have them: in numbers or words, ranges, seasons,
 * "circa", and EDTF, level 0 and 1 (ISO 8601-2, annex A). A century or a decade is no date.
 */
export function readDate(given: string): SourceDate {
  if (isPartialDate(given)) return { date: given }
  const text = tidy(given.slice(0, dateCharactersMax))
  if (text === '' || /^(?:n\.? ?d\.?|s\.? ?d\.?|o\. ?j\.?|undated|:\w+|\(:\w+\))$/.test(text))
    return {}
  return readWhole(text) ?? readGuess(text) ?? readRange(text) ?? readYear(text) ?? nothing
}

/** Reads a date whose year, month and day stand in fields of their own. */
export function readDateParts(year: string, month?: string, day?: string): SourceDate {
  const months = tidy(month ?? '').replace(/^#(.*)#$/, '$1')
  const days = tidy(day ?? '')
  const base = readDate(year)
  if (base.date === undefined) return year === '' && months !== '' ? nothing : base
  if (months === '') return withRemark(base, base.remark ?? (days === '' ? undefined : ofPart))
  if (base.date.length > 4) return base
  const number = monthNumber(months)
  if (number !== undefined) return together(base, number, days)
  return readMonths(base, months, days)
}

const nothing: SourceDate = { remark: ofNothing }

/** Lower case, one kind of hyphen and of space, no brackets of librarians around it. */
function tidy(given: string): string {
  const text = withPlainDigits(normalForm(given, 'NFKC'))
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]+|--+/g, '-')
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
    .replace(/^["']|["']$|[,;]$/g, '')
  return /^\[(?![^\]]*\[)[^\]]*\]\.?$/.test(text) ? text.replace(/^\[|\]\.?$/g, '').trim() : text
}

const timeForm = /^(\d{4}-\d\d-\d\d)[t ](?:\d\d:?){1,3}[\d.,]*(?:z|[+-]\d\d:?(?:\d\d)?)?(?: utc)?$/
const slashesForm = /^(\d{4})\/(\d{1,2})?\/(\d{1,2})?\/?([^/]*)$/
const asianForm = /^(\d{4})[年년] ?(?:(\d{1,2})[月월] ?(?:(\d{1,2})[日일]?)?)?$/

/** The years before the first one of an era, and how many it had; those that go on have no end. */
const eras: Readonly<Record<string, readonly [before: number, years: number]>> = {
  明治: [1867, 45],
  大正: [1911, 15],
  昭和: [1925, 64],
  平成: [1988, 31],
  令和: [2018, Number.POSITIVE_INFINITY],
  民國: [1911, Number.POSITIVE_INFINITY],
  民国: [1911, Number.POSITIVE_INFINITY],
}
// 令和3年5月, 平成元年, 民國110年, and with the other year beside it: 令和3(2021)年.
const eraForm = new RegExp(
  String.raw`^(?:中華)?(${Object.keys(eras).join('|')}) ?(\d{1,3}|元)(?:年? ?\((\d{4})年?\))?年?(.*)$`,
)
const eraBeside = new RegExp(
  String.raw`^(\d{4})年? ?\((?:${Object.keys(eras).join('|')})[^()]*\)年?`,
)

const writtenDigits = '〇一二三四五六七八九'
const writtenNumber = /[〇零一二三四五六七八九十]+(?=[年月日])/g

/** `二〇二一` is 2021, `三十一` is 31. */
function plainNumber(written: string): string {
  const digits = Array.from(written.replaceAll('零', '〇'), (each) => writtenDigits.indexOf(each))
  const ten = written.indexOf('十')
  if (ten < 0) return digits.join('')
  return String((ten === 0 ? 1 : (digits[0] ?? 0)) * 10 + (digits[ten + 1] ?? 0))
}

/** A date in Chinese characters with its numbers in digits, and no year of an era in it. */
function inCommonYears(given: string): string {
  const text = given.replace(writtenNumber, plainNumber)
  const [, era = '', number = '', beside, rest = ''] = eraForm.exec(text) ?? []
  const [before, years] = eras[era] ?? []
  if (before === undefined || years === undefined) return text.replace(eraBeside, '$1年')
  const year = number === '元' ? 1 : Number(number)
  return year < 1 || year > years ? text : `${beside ?? before + year}年${rest}`
}

const spacedForm = /^(\d{4}) (\d{1,2})(?: (\d{1,2}))?$/
const weekdays = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[,.]? /

/** A text that is one date and nothing else. */
function readWhole(text: string): SourceDate | undefined {
  if (isPartialDate(text)) return { date: text }
  const [, start = ''] =
    /^([\d-]+\d)(?:\/(?:\.\.|open|present)?| ?-(?: ?present)?)$/.exec(text) ?? []
  if (isPartialDate(start)) return { date: start, remark: ofRange }
  const [, before = ''] = timeForm.exec(text) ?? []
  if (isPartialDate(before)) return { date: before }
  const parts = asianForm.exec(inCommonYears(text)) ?? spacedForm.exec(text)
  if (parts !== null) return numbered(parts[1] ?? '', Number(parts[2] ?? 0), Number(parts[3] ?? 0))
  const slashed = slashesForm.exec(text)
  if (slashed !== null) return readSlashes(slashed)
  return readEdtf(text) ?? readSeason(text) ?? readNumbers(text) ?? readWords(text)
}

// What stands behind the third slash of RIS is a season, or which edition it was.
function readSlashes([, year = '', month, day, more = '']: RegExpExecArray): SourceDate {
  const read = numbered(year, Number(month ?? 0), Number(day ?? 0))
  const words = more.trim()
  if (words === '' || read.date === undefined || read.date.length > 4) return read
  if (seasonForm.test(words)) return { date: year, remark: ofSeason }
  const named = readDateParts(year, words)
  return named.date === undefined ? read : named
}

const edtfForm = /^([\dxu?-]{2,5})-([\dxu]{2})(?:-([\dxu]{2}))?([?~%])?$/
const unknownForm = /^-?\d{0,3}[xu?*_-]{1,4}[?~%]?$/
const farForm = /^(?:y-?\d{4,}(?:e\d+)?(?:s\d+)?|-\d{3,}(?:-\d\d){0,2})$/

function readEdtf(text: string): SourceDate | undefined {
  // A year outside the four digits, or of which not all digits are known: 18XX, 156u, 19--.
  if (unknownForm.test(text) || farForm.test(text)) return nothing
  const [, year = '', month = '', day = '', mark] = edtfForm.exec(text) ?? []
  if (year === '') return undefined
  if (!/^\d{4}$/.test(year)) return nothing
  const isYears = Number(month) > Number(year.slice(2)) && Number(month) > 12 && day === ''
  if (isYears && !isSeasonNumber(Number(month))) return { date: year, remark: ofRange }
  if (isYears && Number(month) > 12 && Number(month) === Number(year.slice(2)) + 1) {
    return { date: year, remark: ofRange }
  }
  const read = numbered(year, known(month), known(day))
  const isPart = /[xu]/.test(month + day)
  const remark = mark !== undefined ? ofGuess : (read.remark ?? (isPart ? ofPart : undefined))
  return withRemark(read, remark)
}

function known(digits: string): number {
  return /^\d+$/.test(digits) ? Number(digits) : 0
}

function withRemark({ date }: SourceDate, remark: string | undefined): SourceDate {
  return { ...(date !== undefined && { date }), ...(remark !== undefined && { remark }) }
}

// EDTF's seasons and quarters, and Crossref's quarters.
function isSeasonNumber(month: number): boolean {
  return month >= 21 && month <= 41
}

/** A date of numbers, of which 0 is not known. What the calendar does not have is left out. */
function numbered(year: string, month: number, day: number): SourceDate {
  if (!/^\d{4}$/.test(year) || year === '0000') return nothing
  if (isSeasonNumber(month)) return { date: year, remark: ofSeason }
  const parts = [year, ...(month === 0 ? [] : [two(month), ...(day === 0 ? [] : [two(day)])])]
  const date = parts.join('-')
  if (isPartialDate(date)) return day > 0 && month === 0 ? { date, remark: ofPart } : { date }
  const shorter = parts.slice(0, -1).join('-')
  return { date: isPartialDate(shorter) ? shorter : year, remark: ofPart }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const seasonWords =
  'spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|printemps|été|automne|' +
  'hiver|primavera|verano|otoño|invierno|verão|outono|inverno|estate|autunno|michaelmas|' +
  'lent|trinity|' +
  'season-?0?[1-4]|(?:q|quarter ?)[1-4]|[1-4](?:st|nd|rd|th)? quarter|early|mid|late'
const seasonForm = new RegExp(`^(?:${seasonWords})$`)
const inSeason = new RegExp(`^(?:${seasonWords})[ ,-]*(?:of |de )?(\\d{4})(?:[-/]\\d{2,4})?$`)
const seasonAfter = new RegExp(`^(\\d{4})(?:[-/]\\d{2,4})?[ ,/-]*(?:${seasonWords})$`)
const seasonSpan = new RegExp(
  `^(?:${seasonWords})[ ]*[-/][ ]*(?:${seasonWords}),? (\\d{4})(?:[-/]\\d{2,4})?$`,
)

function readSeason(text: string): SourceDate | undefined {
  const found = inSeason.exec(text) ?? seasonAfter.exec(text) ?? seasonSpan.exec(text)
  return found === null ? undefined : { date: found[1] ?? '', remark: ofSeason }
}

/** 03.05.2019, and 5/3/2019, of which only the year is certain. */
function readNumbers(text: string): SourceDate | undefined {
  const date = recognizeDate(text)
  // 2016/10-11 may be two months.
  const isOne = /^[\d./ -]+$/.test(text) && !/\/.*-/.test(text)
  if (date !== undefined && isOne) return { date }
  const [, first = '', second = '', year = ''] =
    /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/.exec(text) ?? []
  if (first === '') return undefined
  const isDate = Number(first) <= 12 && Number(second) <= 12
  return {
    date: year,
    remark: isDate ? 'which is the month and which the day is not clear' : ofPart,
  }
}

const wordForms: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th|\.|er|º|ª)?[ -]?(?:of |de )?(?<name>\p{L}{3,})` +
      String.raw`[.,]?[ -](?:de )?(?<year>\d{4})\.?$`,
    'u',
  ),
  /^(?<name>\p{L}{3,})[.,]?[ -]?(?<day>\d{1,2})(?:st|nd|rd|th|\.)?(?:,|[ -])+(?<year>\d{4})$/u,
  /^(?<year>\d{4})[,.]?[ -]?(?<name>\p{L}{3,})\.?(?:[ -](?<day>\d{1,2})(?:st|nd|rd|th|\.)?)?$/u,
  /^(?<name>\p{L}{3,})[.,']?[ -]?(?:of |de )?(?<year>\d{4})\.?$/u,
]

/** A day or a month whose month has its name. */
function readWords(given: string): SourceDate | undefined {
  const text = given.replace(weekdays, '').replace(/ (?:г|р|m)\.$/, '')
  for (const form of wordForms) {
    const { year, name = '', day } = form.exec(text)?.groups ?? {}
    const month = year === undefined ? undefined : monthNumber(name)
    if (month !== undefined) return numbered(year ?? '', month, Number(day ?? 0))
  }
  return undefined
}

const guessWords =
  'circa|ca?\\.?|about|approx(?:imately|\\.)?|around|um|vers|env(?:iron|\\.)?|probably|possibly|\\?'
const guessForm = new RegExp(`^(?:${guessWords}) ?(?=[\\d\\p{L}])`, 'u')
const copyrightForm = /^(?:©|\(c\)|cop(?:yright|\.)|c|p|℗) ?(?=\d{4}$)/

/** What is said to be a guess; the year of a copyright is none. */
function readGuess(given: string): SourceDate | undefined {
  const text = given.replace(/(?<=^\d{4}), ?(?:©|c(?:op)?\.?|p) ?\d{4}$/, '')
  if (text !== given) return readWhole(text)
  if (copyrightForm.test(text)) return readWhole(text.replace(copyrightForm, ''))
  const rest = text
    .replace(guessForm, '')
    .replace(/ ?\(?(?:[?~%]|circa|\?\?)\)?$/, '')
    .replaceAll(/[?~%](?=\d|-|$)|(?<=\d)[?~%]/g, '')
    .trim()
  if (rest === text || rest === '') return undefined
  const read = readWhole(rest) ?? readRange(rest)
  return read === undefined
    ? undefined
    : withRemark(read, read.date === undefined ? read.remark : ofGuess)
}

const monthSpan = /^(\p{L}{3,})\.? ?[-/&+,] ?(\p{L}{3,})[.,]? (\d{4})$/u
const monthSpanAfter = /^(\d{4}),? (\p{L}{3,})\.? ?[-/&+,] ?(\p{L}{3,})\.?$/u
const daySpan = /^(\d{1,2})\.? ?[-/] ?(\d{1,2})\.?[ -](?:de )?(\p{L}{3,})[.,]? (?:de )?(\d{4})$/u
const daySpanAfter = /^(\p{L}{3,})\.? (\d{1,2}) ?[-/] ?(?:\p{L}{3,}\.? )?(\d{1,2})?,? (\d{4})$/u
const shortSpan = /^(\d{1,2}\.? \p{L}{3,}|\p{L}{3,}\.? \d{1,2})\.? ?(?:-|to) ?(.+?,? (\d{4}))$/u
const rangeMark = / ?\/ ?| (?:-|to|until|bis|through|and|till) | ?- ?(?=\p{L}|\d{4}|\.\.)/u

/** The start of a range: of `2019-05-06/2020`, `12-15 May 2019`, `May/June 2019`, `2012-13`. */
function readRange(text: string): SourceDate | undefined {
  const start = startOfSpan(text)
  if (start !== undefined)
    return withRemark(start, start.date === undefined ? start.remark : ofRange)
  if (/^(?:\.\.|unknown|open)? ?\//.test(text)) return { remark: 'it is a range without a start' }
  const [first, second, ...more] = text
    .replace(/^[[{]|[\]}]$/g, '')
    .split(/, ?(?=\d{4})|\.\.(?=\d)/)
  const [from = '', to] = second === undefined ? splitRange(text) : [first, second, ...more]
  if (to === undefined || from === '') return undefined
  const read = readWhole(from.trim()) ?? readGuess(from.trim())
  const isWhole = /^(?:\.\.|open|unknown|\d{2}|)$/.test(to) || readWhole(to.trim()) !== undefined
  if (read?.date === undefined || !isWhole) return undefined
  return { date: read.date, remark: ofRange }
}

function splitRange(text: string): readonly string[] {
  const found = rangeMark.exec(text)
  if (found === null) return [text]
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)]
}

function startOfSpan(text: string): SourceDate | undefined {
  const months = monthSpan.exec(text)
  if (months !== null) return inMonth(months[3], months[1])
  const after = monthSpanAfter.exec(text)
  if (after !== null) return inMonth(after[1], after[2])
  const days = daySpan.exec(text)
  if (days !== null) return inMonth(days[4], days[3], days[1])
  const daysAfter = daySpanAfter.exec(text)
  if (daysAfter !== null) return inMonth(daysAfter[4], daysAfter[1], daysAfter[2])
  const short = shortSpan.exec(text)
  return short === null ? undefined : readWords(`${short[1]} ${short[3]}`)
}

function inMonth(year = '', name = '', day = '0'): SourceDate | undefined {
  const month = monthNumber(name)
  return month === undefined ? undefined : numbered(year, month, Number(day))
}

// A year that is a bound, one of another calendar, or of something else than the publication.
const otherWords =
  'before|after|until|since|ante|post|nach|vor|avant|après|bc|bce|b\\.c\\.|ah|century|jh|' +
  'jahrhundert|siècle|siglo|accessed|accepted|submitted|received|revised|reprint|forthcoming|' +
  'expected|in press'
const otherYear = new RegExp(`\\b(?:${otherWords})\\b|\\d{4}'?s\\b`)

/** The one year that a text has, and nothing that says that it is another. */
function readYear(text: string): SourceDate | undefined {
  const years = new Set(text.match(/(?<![\d.-])[12]\d{3}(?![\d-])/g))
  const [year] = years
  if (years.size !== 1 || year === undefined || otherYear.test(text)) return undefined
  return { date: year, remark: ofPart }
}

/** A month that has fields of its own, with a day or a range in it: `10~Dec`, `May/June`. */
function readMonths(base: SourceDate, months: string, day: string): SourceDate {
  const year = base.date ?? ''
  if (seasonForm.test(months)) return { date: year, remark: ofSeason }
  const [, from, to] = /^(\d{1,2}) ?[-/] ?(\d{1,2})$/.exec(months) ?? []
  if (Number(from) < Number(to) && Number(to) <= 12) {
    return withRemark(numbered(year, Number(from), 0), ofRange)
  }
  const own = readWhole(months)
  if (own?.date !== undefined && own.date.length > 4) {
    return own.date.startsWith(year) ? withRemark(own, base.remark) : { date: year, remark: ofPart }
  }
  const words = months.replace(/[~.]/g, ' ').replace(/ +/g, ' ').trim()
  for (const text of [`${words} ${year}`, `${year}-${words}`, `${words}, ${year}`]) {
    const read = readWhole(text) ?? readRange(text)
    if (read?.date?.startsWith(year)) {
      const isMonth = read.date.length === 7 && /^\d{1,2}$/.test(day) && read.remark === undefined
      return isMonth ? together(base, Number(read.date.slice(5)), day) : read
    }
  }
  const [first = ''] = words.split(/[^\p{L}\d]+/u)
  const month = monthNumber(first)
  return month === undefined
    ? { date: year, remark: ofPart }
    : withRemark(numbered(year, month, 0), ofRange)
}

function together(base: SourceDate, month: number, day: string): SourceDate {
  const [, first = '0', more = ''] = /^(\d{1,2})(?:st|nd|rd|th|\.)?(.*)$/.exec(day) ?? []
  const read = numbered(base.date ?? '', month, Number(first))
  const span = /^ ?[-/]/.test(more) ? ofRange : undefined
  const isLost = day !== '' && (first === '0' || more !== '')
  return withRemark(read, base.remark ?? read.remark ?? span ?? (isLost ? ofPart : undefined))
}

/** The number of a month by its name in one of many languages, in full or short, or in digits. */
export function monthNumber(given: string): number | undefined {
  const name = given.toLowerCase().replace(/\.$/, '').trim()
  if (/^\d{1,2}$/.test(name))
    return Number(name) >= 1 && Number(name) <= 12 ? Number(name) : undefined
  const [, number] = /^2000-(\d\d)$/.exec(recognizeDate(`${name} 2000`) ?? '') ?? []
  if (number !== undefined) return Number(number)
  monthsByName ??= nameMonths()
  return monthsByName.get(name) ?? undefined
}

let monthsByName: ReadonlyMap<string, number | null> | undefined

const monthLanguages = (
  'bg bs ca cs da de el en es et eu fi fr gl hr hu id is it ja lt lv mk nb nl pl pt ro ru sk sl ' +
  'sq sr sv tr uk'
).split(' ')

/** Names of the months as the runtime has them; a name of two months in two languages is null. */
function nameMonths(): ReadonlyMap<string, number | null> {
  const names = new Map<string, number | null>()
  for (const language of monthLanguages) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) nameIn(language, { month, day }, names)
    }
  }
  return names
}

function nameIn(
  language: string,
  form: { month: 'long' | 'short'; day: 'numeric' | undefined },
  names: Map<string, number | null>,
): void {
  const { month, day } = form
  const options = { month, ...(day !== undefined && { day }), timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat(language, options)
  for (let number = 1; number <= 12; number += 1) {
    const parts = format.formatToParts(Date.UTC(2001, number - 1, 15))
    const name = parts
      .find(({ type }) => type === 'month')
      ?.value.toLowerCase()
      .replace(/\.$/, '')
    if (name === undefined || !/^\p{L}{3,}$/u.test(name)) continue
    const other = names.get(name)
    names.set(name, other === undefined || other === number ? number : null)
  }
}

/**
 * Reads a date of CSL-JSON or Crossref: `date-parts` of numbers or texts, `raw`, `literal`, a
 * `season`, or the date as a text or a number alone.
 */
export function readCslDate(value: unknown): SourceDate {
  if (typeof value === 'string' || typeof value === 'number') return readDate(String(value))
  if (typeof value !== 'object' || value === null) return {}
  // Some programs write a list around the date, or the parts alone.
  if (Array.isArray(value)) return readCslDate(value.length === 1 ? value[0] : { parts: value })
  const members = value as Readonly<Record<string, unknown>>
  const ranges: unknown = members['date-parts'] ?? members['parts']
  const first: unknown = Array.isArray(ranges) ? ranges[0] : undefined
  const { year, month, day } = members
  const flat = ranges === undefined ? [year, month, day] : flatParts(ranges)
  const parts: readonly unknown[] = Array.isArray(first) ? first : flat
  const read = readParts(parts)
  if (read.date === undefined) return readTexts(members, read)
  return withRemark(read, read.remark ?? remarkOn(members, ranges, read))
}

// Some programs leave out the inner list.
function flatParts(ranges: unknown): readonly unknown[] {
  const isFlat = Array.isArray(ranges) && !Array.isArray(ranges[0])
  return isFlat ? (ranges as readonly unknown[]) : []
}

function readParts([year, month, day]: readonly unknown[]): SourceDate {
  const texts = [year, month, day].map((part) =>
    typeof part === 'number' || typeof part === 'string' ? String(part).trim() : '',
  )
  if (typeof year === 'number' && !Number.isInteger(year)) return nothing
  const [first = '', second = '', third = ''] = texts
  if (first === '') return {}
  // A list of one text, as some programs make it of a date that they could not read.
  if (!/^-?\d{1,4}$/.test(first)) return readDate(first)
  if (first.startsWith('-') || Number(first) === 0) return nothing
  if (first.length < 3) return { remark: 'its year has no century' }
  const whole = first.padStart(4, '0')
  if (/^0*$/.test(second)) return { date: whole }
  return readDateParts(whole, second, /^0*$/.test(third) ? '' : third)
}

function readTexts(members: Readonly<Record<string, unknown>>, read: SourceDate): SourceDate {
  const texts = ['raw', 'literal', 'edtf', 'date-time'].flatMap((name) => {
    const text = members[name]
    return typeof text === 'string' || typeof text === 'number' ? [readDate(String(text))] : []
  })
  return texts.find(({ date }) => date !== undefined) ?? texts[0] ?? read
}

function remarkOn(
  members: Readonly<Record<string, unknown>>,
  ranges: unknown,
  { date }: SourceDate,
): string | undefined {
  const [start, end] = Array.isArray(ranges) ? (ranges as readonly unknown[]) : []
  if (Array.isArray(start) && Array.isArray(end) && end.some((part) => Number(part) > 0)) {
    if (String(start) !== String(end)) return ofRange
  }
  if (isSaid(members['season'])) return date?.length === 4 ? ofSeason : undefined
  return isSaid(members['circa']) ? ofGuess : undefined
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}
