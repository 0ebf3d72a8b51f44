import { monthNumber } from '#src/discovery/citation_files/dates.ts'

/**
 * Whether a cell is what a program for tables makes of a text by itself, when somebody opens a
 * table in it and saves it again: a number without leading zeros, signs or its last digits, a day,
 * a time, a truth value, what a formula gives, a text that is cut off or in another encoding.
 */
export function isMadeByTableProgram(text: string, cell: string): boolean {
  const [was, is] = [text.trim(), cell.trim()]
  if (was === is) return false
  const plain = inAsciiDigits(was)
  return (
    errorForm.test(is) ||
    isNumberAgain(plain, is) ||
    isDayAgain(plain, is) ||
    isTimeAgain(plain, is) ||
    isTruthAgain(was, is) ||
    isResult(was, is) ||
    isCutOff(was, is) ||
    isInOtherEncoding(was, is)
  )
}

/** Full-width and Arabic digits are digits to programs. */
function inAsciiDigits(text: string): string {
  const digit = (sign: string) => String((sign.codePointAt(0) ?? 0) & 0xf)
  return text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, digit)
}

// `#NAME?`, `#DIV/0!`, `Err:508`, and the signs that fill a column that is too narrow.
const errorForm =
  /^(?:#(?:NAME\?|N\/A|(?:VALUE|REF|DIV\/0|NUM|NULL|SPILL|FIELD)!)|Err:\d{3}|#{3,})$/

// --- Numbers ---

const units = '[$€£¥]'
const numberForm = new RegExp(
  String.raw`^(\()?([+-])?${units}? ?(\d[\d.,'’ ]*|[.,]\d+)` +
    String.raw`(?:E([+-]?\d{1,4}))? ?(%|${units})?(\))?$`,
  'iu',
)
/** Numbers as programs write them: no zeros before one, and behind one only of money and parts. */
const writtenForm = new RegExp(
  String.raw`^[(-]?${units}?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.,'’ ]\d{3})+)(?:[.,]\d*[1-9])?` +
    String.raw`(?:E[+-]?\d{1,4})?\)?$|[%$€£¥]\)?$`,
  'iu',
)
const fractionForm = /^(?:(\d{1,6}) )?(\d{1,6})\/([1-9]\d{0,5})$/
/** Digits that a program keeps of a number. */
const digitsKept = 15

function isNumberAgain(was: string, is: string): boolean {
  if (!writtenForm.test(is)) return false
  const digits = /E/i.test(is) ? is.replace(/E.*$/i, '').replace(/\D/g, '').length : digitsKept
  const round = (number: number) => Number(number.toPrecision(Math.min(digitsKept, digits)))
  const after = numbersOf(is).map(round)
  return numbersOf(was).some((number) => after.includes(round(number)))
}

/** What a text is as a number: point and comma may each part the decimals, or the thousands. */
function numbersOf(text: string): readonly number[] {
  const [, whole = '0', upper, lower] = fractionForm.exec(text) ?? []
  if (upper !== undefined) return [Number(whole) + Number(upper) / Number(lower)]
  const [, open, sign, digits, exponent = '0', unit, close] = numberForm.exec(text) ?? []
  if (digits === undefined || (open === undefined) !== (close === undefined)) return []
  const number = digits.trim()
  const isNegative = sign === '-' || open !== undefined
  const scale = unit === '%' ? 0.01 : 1
  return ['.', ','].flatMap((point) => {
    const [before = '', after = '', ...more] = number.split(point)
    const isGrouped = /^\d*$/.test(before) || /^\d{1,3}(?:[.,'’ ]\d{3})+$/.test(before)
    if (more.length > 0 || !isGrouped || !/^\d*$/.test(after)) return []
    const value = Number(`${before.replace(/\D/g, '') || '0'}.${after || '0'}E${exponent}`)
    return [value * scale * (isNegative ? -1 : 1)]
  })
}

// --- Days and times ---

type Day = { readonly year?: string; readonly month: number; readonly day?: number }

const midnightForm = /[ T]0?0:00(?::00)?$/
const dayMs = 86_400_000
/** The day that programs count from. */
const dayZeroMs = Date.UTC(1899, 11, 30)

function isDayAgain(was: string, is: string): boolean {
  const before = daysOf(was)
  if (before.length === 0) return false
  const bare = is.replace(midnightForm, '')
  // A month that is said more exactly, or one that is said of a day, somebody has written.
  const isWritten = /\p{L}/u.test(bare) || bare.split(separators).length === 3
  const isOwnForm = /^\d{4}-\d\d-\d\d$/.test(bare) && /^\d{4}-\d\d$/.test(was)
  const after = /^\d{5}$/.test(bare) ? [dayNumbered(Number(bare))] : isWritten ? daysOf(bare) : []
  return !isOwnForm && after.some((day) => before.some((other) => isSameDay(other, day)))
}

function dayNumbered(number: number): Day {
  const date = new Date(dayZeroMs + number * dayMs)
  return {
    year: String(date.getUTCFullYear()),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  }
}

/** A year that the text did not have is the one in which it was read. */
function isSameDay(was: Day, is: Day): boolean {
  const isDay = is.day === undefined || is.day === (was.day ?? 1)
  const isYear = [was.year, is.year].includes(undefined) || isSameYear(was.year, is.year)
  return was.month === is.month && isDay && isYear
}

function isSameYear(one = '', other = ''): boolean {
  const digits = Math.min(one.length, other.length)
  return one.slice(-digits) === other.slice(-digits)
}

const separators = /[-/., ]+/
const orders = ['dm', 'md', 'my', 'ym', 'dmy', 'mdy', 'ymd']

/** Every day or month that a text of two or three numbers, or with the name of one, can mean. */
function daysOf(text: string): readonly Day[] {
  const words = text.split(separators).filter((word) => word !== '')
  if (text.length > 40 || words.length < 2 || words.length > 3) return []
  if (!words.every((word) => /^(?:\d{1,4}|\p{L}{3,12})$/u.test(word))) return []
  return orders.flatMap((order) => (order.length === words.length ? dayOf(words, order) : []))
}

function dayOf(words: readonly string[], order: string): readonly Day[] {
  const word = (role: string) => words[order.indexOf(role)]
  const [given, name = '', year] = [word('d'), word('m'), word('y')]
  const month = name.length > 2 && /\d/.test(name) ? undefined : monthNumber(name)
  const isDay = given === undefined || (/^\d{1,2}$/.test(given) && Number(given) <= 31)
  const isYear = year === undefined || /^\d{1,4}$/.test(year)
  if (month === undefined || !isDay || !isYear || Number(given) === 0) return []
  return [
    {
      month,
      ...(given !== undefined && { day: Number(given) }),
      ...(year !== undefined && { year }),
    },
  ]
}

const timeForm = /^(\d{1,3}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(?: ?([AP])M)?$/i

function isTimeAgain(was: string, is: string): boolean {
  const before = secondsOf(was)
  if (before === undefined) return false
  const part = /^[01][.,]\d+$/.test(is) ? Number(is.replace(',', '.')) * (dayMs / 1_000) : undefined
  const after = part ?? secondsOf(is)
  return after !== undefined && Math.abs(after - before) < 1
}

function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds = '0', half = ''] = timeForm.exec(text) ?? []
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0)
  return hour * 3_600 + Number(minutes) * 60 + Number(seconds)
}

// --- Others ---

const truths = [/^(?:true|wahr|vrai|verdadero|vero|waar|prawda)$/i]
const untruths = [/^(?:false|falsch|faux|falso|onwaar|fałsz)$/i]

function isTruthAgain(was: string, is: string): boolean {
  return [...truths, ...untruths].some((form) => form.test(was) && form.test(is))
}

/** What a text that begins like a formula gives where it is computed. */
function isResult(was: string, is: string): boolean {
  const isValue = numbersOf(is).length > 0 || [...truths, ...untruths].some((form) => form.test(is))
  return was.startsWith('=') && isValue
}

// UTF-16 units that a cell can have in programs.
const cellUnits: readonly number[] = [32_767, 65_535]

function isCutOff(was: string, is: string): boolean {
  return cellUnits.includes(is.length) && was.startsWith(is)
}

const otherEncodings = ['windows-1252', 'macintosh'].map((name) => new TextDecoder(name))

/** A text in UTF-8 that was read as in another encoding, or saved in one that lacks its letters. */
function isInOtherEncoding(was: string, is: string): boolean {
  if (!/[^\0-\x7f]/.test(was)) return false
  const bytes = Buffer.from(was)
  if (otherEncodings.some((decoder) => decoder.decode(bytes) === is)) return true
  const [before, after] = [Array.from(was), Array.from(is)]
  return (
    before.length === after.length &&
    before.every((sign, at) => sign === after[at] || (after[at] === '?' && sign > '\x7f'))
  )
}
