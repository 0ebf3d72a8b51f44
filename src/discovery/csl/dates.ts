import { elementsOf, type CslElement } from '#src/discovery/csl/csl_data.ts'
import type { Terms } from '#src/discovery/csl/terms.ts'
import { append, textCases } from '#src/discovery/csl/typography.ts'

/** Year, month and day; what is not known is absent. */
export type DateParts = readonly [year: number, month?: number, day?: number]

/** Writes a date, or the days from one to another. */
export type DateWriter = (date: DateParts, end?: DateParts) => string

const partNames = ['year', 'month', 'day'] as const

type PartName = (typeof partNames)[number]

type DatePart = {
  readonly name: PartName
  readonly prefix: string
  readonly suffix: string
  /** What stands between the ends of a range in which this is the greatest part that differs. */
  readonly between: string
  readonly write: (value: number) => string
}

/** How a `date` element writes dates, in the parts and the order that it or the language says. */
export function dateWriter(element: CslElement, terms: Terms): DateWriter {
  const { form, 'date-parts': wanted = 'year-month-day', delimiter } = element.attributes
  const shared = form === undefined ? element : (terms.date(form) ?? element)
  const own = new Map(
    elementsOf(element, 'date-part').map((part) => [part.attributes['name'], part]),
  )
  const parts = elementsOf(shared, 'date-part')
    .filter(({ attributes: { name = '' } }) => wanted.split('-').includes(name))
    .map((part) =>
      readPart({ ...part.attributes, ...own.get(part.attributes['name'])?.attributes }, terms),
    )
  const between = delimiter ?? shared.attributes['delimiter'] ?? ''
  const isOwn = form === undefined
  return (date, end = date) => {
    const { text, loose } = writeRange(parts, [date, end], between)
    // What parts the day from the year in a language stands nowhere without a year after it.
    return isOwn || loose.trimEnd() === loose ? append(text, loose, false) : text
  }
}

/** The text of a date, or of a range, in which what both ends have stands once (CSL 1.0.2). */
function writeRange(
  parts: readonly DatePart[],
  [start, end]: readonly [DateParts, DateParts],
  between: string,
) {
  const greatest = start.findIndex((value, place) => value !== end[place])
  const isDifferent = ({ name }: DatePart) => partNames.indexOf(name) >= greatest
  const first = end[greatest] === undefined ? -1 : parts.findIndex(isDifferent)
  if (first === -1) return writeParts(parts, start, between)
  const until = writeParts(parts.slice(0, parts.findLastIndex(isDifferent) + 1), start, between)
  const delimiter = parts.find(({ name }) => name === partNames[greatest])?.between ?? '–'
  const { text, loose } = writeParts(parts.slice(first), end, between)
  return { text: until.text + delimiter + text, loose }
}

/** The text of a date, and what would part its last part from one more. */
function writeParts(parts: readonly DatePart[], date: DateParts, between: string) {
  const [year, month, day] = date
  const values = { year, month, day }
  let text = ''
  let loose = ''
  for (const { name, prefix, suffix, write } of parts) {
    const value = values[name]
    if (value === undefined) continue
    if (text !== '') text = append(text, loose, false) + between
    text += prefix + write(value)
    loose = suffix
    if (name === 'year') [text, loose] = [append(text, suffix, false), '']
  }
  return { text, loose }
}

function readPart(attributes: Readonly<Record<string, string>>, terms: Terms): DatePart {
  const { name = 'year', form, prefix = '', suffix = '', 'text-case': caseName = '' } = attributes
  const write = writers[name as PartName](form, terms)
  const isStripped = attributes['strip-periods'] === 'true'
  const inCase = textCases[caseName]
  return {
    name: name as PartName,
    prefix,
    suffix,
    between: attributes['range-delimiter'] ?? '–',
    write: (value) => {
      const text = isStripped ? write(value).replaceAll('.', '') : write(value)
      return inCase === undefined ? text : inCase(text, terms.isEnglish)
    },
  }
}

type PartWriter = (form: string | undefined, terms: Terms) => DatePart['write']

const writers: Readonly<Record<PartName, PartWriter>> = {
  year: (form, terms) => (value) => yearText(value, form, terms),
  month: (form = 'long', terms) => {
    if (form === 'numeric') return String
    if (form === 'numeric-leading-zeros') return twoDigits
    return (value) => terms.term(`month-${twoDigits(value)}`, form)
  },
  day: (form = 'numeric', terms) => {
    if (form === 'numeric-leading-zeros') return twoDigits
    if (form !== 'ordinal') return String
    return (value) =>
      terms.hasOrdinalOnFirstDayOnly && value > 1 ? String(value) : ordinal(value, terms)
  },
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Years that may be taken for something else have their era with them. */
const yearOfEraMax = 500

function yearText(value: number, form: string | undefined, terms: Terms): string {
  if (value < 0) return `${-value}${terms.term('bc')}`
  if (form === 'short') return String(value).slice(-2)
  return value < yearOfEraMax ? `${value}${terms.term('ad')}` : String(value)
}

/** A number with the ending of its ordinal: `2nd`. */
export function ordinal(value: number, terms: Terms): string {
  for (const [modulo, least] of [
    [100, 10],
    [10, 0],
  ] as const) {
    const end = value % modulo
    const name = `ordinal-${twoDigits(end)}`
    if (end >= least && terms.has(name)) return `${value}${terms.term(name)}`
  }
  return `${value}${terms.term('ordinal')}`
}
