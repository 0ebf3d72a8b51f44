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
  /^\[(?<year>\d{4})\]\.?$/,
]

// 5/13/2019 and 13/5/2019 can be read in one way only; 5/3/2019 cannot.
const slashedForm = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/

/**
 * The date that a text means in another spelling, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Undefined
 * for what the calendar does not have, and for what may mean two dates, as `5/3/2019` does.
 */
export function recognizeDate(text: string): string | undefined {
  const spelling = normalForm(text.trim().toLowerCase(), 'NFC')
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
