// Numbers of volumes, issues and pages, as a style writes them.

/** The forms in which a style writes the last page of a range. */
export type PageRangeFormat =
  | 'expanded'
  | 'minimal'
  | 'minimal-two'
  | 'chicago'
  | 'chicago-15'
  | 'chicago-16'
  | undefined

// Small Roman letters are numbers, as pages of a preface have them; capitals may be initials.
const roman = '(?=[a-z])m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?![a-z])'
const numberForm = String.raw`(?:\p{L}{0,3}\d+(?:\.\d+)?\p{L}{0,3}|${roman})`
const numericForm = new RegExp(
  String.raw`^${numberForm}(?:\s*(?:[-–,&]|and)\s*${numberForm})*$`,
  'u',
)

const plainNumber = /^\d+$/

/** Whether a value is a number, a range of numbers, or several of them. */
export function isNumeric(value: string): boolean {
  return plainNumber.test(value) || numericForm.test(value.trim())
}

/** Whether a value is more than one number. */
export function areSeveral(value: string): boolean {
  return /[\p{L}\d]\s*(?:[-–,&]|\band\b)\s*[\p{L}\d]/iu.test(value)
}

/** Numbers with the sign of ranges between them, other texts as they are. */
export function numberText(value: string, rangeSign: string): string {
  if (plainNumber.test(value) || !isNumeric(value)) return value
  return value.replace(/\s*[-–]\s*/g, rangeSign).replace(/\s*([,&])\s*/g, spacedSign)
}

function spacedSign(_all: string, sign: string): string {
  return sign === ',' ? ', ' : ' & '
}

const pageRange = /^(\p{L}*)(\d+)(\p{L}*)\s*[-–]\s*(\p{L}*)(\d+)(\p{L}*)$/u

/** Pages as a style has them: `100-115` is `100–15` in some. */
export function pageText(value: string, format: PageRangeFormat, sign: string): string {
  if (!/[,;]/.test(value)) return onePageRange(value, format, sign)
  const parts = value.split(/\s*[,;]\s*/)
  return parts.map((part) => onePageRange(part, format, sign)).join(', ')
}

function onePageRange(value: string, format: PageRangeFormat, sign: string): string {
  const [, before = '', first, after = '', beforeLast = '', last, afterLast = ''] =
    pageRange.exec(value) ?? []
  if (first === undefined || last === undefined) return value.replace(/\s*[-–]+\s*/g, sign)
  const isPlain = after === '' && afterLast === '' && (beforeLast === '' || beforeLast === before)
  if (format === undefined || !isPlain)
    return `${before}${first}${after}${sign}${beforeLast}${last}${afterLast}`
  const whole = expandedPage(first, last)
  if (Number(whole) < Number(first)) return `${before}${first}${sign}${beforeLast}${last}`
  const shown = shortPage(first, whole, format)
  return `${before}${first}${sign}${format === 'expanded' ? before : ''}${shown}`
}

function expandedPage(first: string, last: string): string {
  return last.length < first.length ? first.slice(0, first.length - last.length) + last : last
}

function shortPage(first: string, last: string, format: PageRangeFormat): string {
  if (format === 'expanded' || first.length !== last.length) return last
  if (format === 'minimal') return minimalPage(first, last, 1)
  if (format === 'minimal-two') return minimalPage(first, last, 2)
  return format === 'chicago-16' ? chicagoPage(first, last) : oldChicagoPage(first, last)
}

/** The digits of the last page that differ from those of the first, `least` of them at least. */
function minimalPage(first: string, last: string, least: number): string {
  let same = 0
  while (same < last.length - least && first[same] === last[same]) same += 1
  return last.slice(same)
}

// The Chicago Manual, 9.61: below 100 and after multiples of 100 all digits, after 101 to 109 the
// changed part alone, else two digits or more.
function chicagoPage(first: string, last: string): string {
  const number = Number(first)
  if (number < 100 || number % 100 === 0) return last
  return minimalPage(first, last, number % 100 < 10 ? 1 : 2)
}

// Before its 16th edition, all digits of a number of four stood where three of them changed.
function oldChicagoPage(first: string, last: string): string {
  const shown = chicagoPage(first, last)
  return first.length === 4 && shown.length === 3 ? last : shown
}

/** The first of some pages. */
export function firstPage(value: string): string {
  return /^[^\s,;&–-]+/.exec(value)?.[0] ?? value
}

const romanSigns = 'm cm d cd c xc l xl x ix v iv i'.split(' ')
const romanValues = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
const romanMax = 4999

/** A number in small Roman letters; one that has none as it is. */
export function romanNumber(value: number): string {
  if (value > romanMax) return String(value)
  let rest = value
  let written = ''
  for (const [index, sign] of romanSigns.entries()) {
    const each = romanValues[index] ?? 1
    while (rest >= each) {
      written += sign
      rest -= each
    }
  }
  return written
}
