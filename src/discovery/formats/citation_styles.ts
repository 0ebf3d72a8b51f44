import { isEastAsian, wholeName } from '#actors/values/author_name.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedWork,
  pagesText,
  withdrawalNote,
  yearOf,
} from '#src/discovery/formats/described_work.ts'

/** How a style shortens given names: what follows an initial, and what parts initials. */
type InitialsForm = { readonly after: string; readonly between: string }

const noParts: readonly string[] = []

/**
 * The initials of given names: `Josiah Willard` as `J. W.`, `Jean-Paul` as `J.-P.`. What is small
 * after a hyphen has no initial of its own: `Seung-hyun` is `S.`.
 */
function initials(given: string, { after, between }: InitialsForm): string {
  const names = given.match(/[-‐]?[\p{L}\p{M}\p{N}'’]+/gu) ?? noParts
  return names
    .filter((name) => !/^[-‐]\p{Ll}/u.test(name))
    .map((name, index) => {
      const letter = `${firstLetter(name.replace(/^[-‐]/, ''))}${after}`
      if (index === 0) return letter
      if (!/^[-‐]/.test(name)) return `${between}${letter}`
      return after === '' ? letter : `-${letter}`
    })
    .join('')
}

function firstLetter(name: string): string {
  return /^\P{M}\p{M}*/u.exec(name)?.[0] ?? ''
}

/** Names as a list: `a`, `a & b`, `a, b, & c`. */
function listNames(
  names: readonly string[],
  { and, comma }: { readonly and: string; readonly comma: 'always' | 'more than two' | 'never' },
): string {
  const last = names.at(-1) ?? ''
  if (names.length < 2) return last
  const isParted = comma === 'always' || (comma === 'more than two' && names.length > 2)
  return `${names.slice(0, -1).join(', ')}${isParted ? ',' : ''} ${and} ${last}`
}

/** `Family, Given`, the given names as a style shortens them. */
function invertedCitedName(
  name: CitedName,
  shorten: (given: string) => string,
  comma = ', ',
): string {
  if ('literal' in name) return name.literal
  const { family, given, suffix = '' } = name
  if (given === '') return wholeName(name)
  if (isEastAsian(name)) return `${family}${given}`
  return [family, hasCapitals(given) ? shorten(given) : given, ...present([suffix])].join(comma)
}

/** `Given Family`, the given names as a style shortens them. */
function naturalName(name: CitedName, shorten: (given: string) => string): string {
  if ('literal' in name) return name.literal
  const { family, given } = name
  if (isEastAsian(name)) return `${family}${given}`
  return wholeName({ ...name, given: hasCapitals(given) ? shorten(given) : given })
}

// Where writing has no capitals, names have no initials either.
function hasCapitals(given: string): boolean {
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u.test(given)
}

/**
 * Sentences one after the other: a period ends each that does not end in `.`, `?` or `!` of its
 * own, before a closing quotation mark too.
 */
function sentences(parts: readonly (string | undefined)[]): string {
  return present(parts)
    .map((part) => (/[.?!…][”’"'»]?$/u.test(part) ? part : closed(part, '.')))
    .join(' ')
}

/**
 * Parts with a comma between each two, but after a `?` or `!`; those that are not there are left
 * out.
 */
function commaList(parts: readonly (string | undefined)[]): string | undefined {
  const shown = present(parts)
  if (shown.length === 0) return undefined
  return shown.reduce((text, part) => `${text}${/[?!]$/.test(text) ? '' : ','} ${part}`)
}

/** The parts that are there. */
function present(parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part): part is string => part !== undefined && part !== '')
}

// American typography has periods and commas within quotation marks.
function closed(part: string, mark: string): string {
  return part.replace(/[”"]?$/, (quote) => mark + quote)
}

/** A title in quotation marks, those in it turned into single ones, with a mark before the last. */
function quoted(title: string, mark = ''): string {
  const inner = title
    .replaceAll('“', '‘')
    .replaceAll('”', '’')
    .replace(/"([^"]*)"/g, '‘$1’')
  return /[.?!]$/.test(inner) ? `“${inner}”` : `“${inner}${mark}”`
}

/** Pages with an en dash between the first and the last. */
function dashed(pages: string | undefined): string | undefined {
  return pages === undefined ? undefined : pagesText({ pages }, '–')
}

/** Pages with what a style has before one page and before several. */
function labelledPages(
  pages: string | undefined,
  one: string,
  several: string,
): string | undefined {
  const range = dashed(pages)
  if (range === undefined) return undefined
  return `${/[–,&]/.test(range) ? several : one} ${range}`
}

/** The months in English. */
const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** The address that a citation ends with: that of the DOI, if there is one, else the ARK's. */
function citedAddress({ metadata, url }: DescribedWork): string {
  return metadata.existing_doi === undefined ? url : doiUrl(metadata.existing_doi)
}

/** The version, in a reference to one version of a work. */
function versionText({ isPinned, version }: DescribedWork): string | undefined {
  return isPinned ? `Version ${version}` : undefined
}

/**
 * Where a work stands, as references say it: a work in a series is no part of it, and a talk none
 * of the event.
 */
function placeOf(work: DescribedWork) {
  const { volume, issue } = work.metadata
  const { kind, title } = containerOf(work)
  if (kind === 'series') return { series: title, number: volume ?? issue, issue }
  if (kind === 'event') return { event: title, volume, issue }
  return { container: title, volume, issue }
}

/** What a work is cited as a part of: a journal, a book or proceedings, or nothing. */
function containment(work: DescribedWork): 'journal' | 'book' | 'none' {
  const { work_type } = work.metadata
  if (workTypes[work_type].csl === 'article-journal') return 'journal'
  const isPart = ['book_chapter', 'conference_paper', 'peer_review'].includes(work_type)
  return placeOf(work).container !== undefined || isPart ? 'book' : 'none'
}

// Words that title case leaves small: articles, conjunctions, short prepositions.
const smallWords = new Set(
  (
    'a according across afore after against ahead along alongside amid amidst among amongst ' +
    'an and anenst apart apropos around as aside astride at athwart atop back barring ' +
    'because before behind below beneath beside besides between beyond but by c ca circa ' +
    'close d de despite down due during et except far for forenenst from given in inside ' +
    'instead into lest like modulo near next nor notwithstanding of off on onto or out over ' +
    'per plus pro qua regarding sans since so such than that the through thru throughout ' +
    'till to toward towards under unlike until up upon v van versus via vis-à-vis von vs ' +
    'with within without yet'
  ).split(' '),
)

/**
 * A title of English with capitals: on the first word, on one after a colon, and on all but small
 * words. Capitals that are there stay. Titles in other languages are as they are.
 */
function titleCase(title: string, language: string | undefined): string {
  if (language !== undefined && language !== 'en') return title
  const words = title.split(/(\s+)/)
  return words
    .map((word, index) => {
      const isFirst = index === 0 || /[:?!]$/.test(words[index - 2] ?? '')
      if (!isFirst && index < words.length - 1 && smallWords.has(word)) return word
      return /^[^\p{L}]*\p{Ll}[^\p{Lu}]*$/u.test(word) ? capitalized(word) : word
    })
    .join('')
}

function capitalized(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase('en'))
}

/** Authors beyond whom APA shows the first nineteen and the last. */
const apaAuthorsMax = 20

// What APA says in brackets of a work that is no text.
const media: Readonly<Record<string, string>> = {
  dataset: 'Dataset',
  graphic: 'Graphic',
  motion_picture: 'Video recording',
  song: 'Audio recording',
  software: 'Computer software',
}

/** A reference in the style of the American Psychological Association, 7th edition. */
export function formatApa(work: DescribedWork): string {
  const names = citedNames(work.authors)
  const titled = titleWithDetails(work)
  const head =
    names.length === 0
      ? [titled, apaDateText(work)]
      : [apaAuthorText(names), apaDateText(work), titled]
  return present([sentences([...head, ...apaSourceText(work)]), citedAddress(work)]).join(' ')
}

function formatName(name: CitedName): string {
  return invertedCitedName(name, (given) => initials(given, { after: '.', between: ' ' }))
}

function apaAuthorText(authors: readonly CitedName[]): string {
  const names = authors.map(formatName)
  if (names.length > apaAuthorsMax) {
    return `${names.slice(0, apaAuthorsMax - 1).join(', ')}, … ${names.at(-1)}`
  }
  // The comma parts initials from what follows; two names as they are need none.
  const isPair = authors.length === 2 && authors.every((name) => 'literal' in name)
  return listNames(names, { and: '&', comma: isPair ? 'never' : 'always' })
}

/** Works that are heard or seen on a day have that day, others their year. */
function apaDateText({ metadata }: DescribedWork): string {
  const { published_date, work_type } = metadata
  if (published_date === undefined) return '(n.d.)'
  const [year = '', month, day] = published_date.split('-')
  const type = workTypes[work_type].csl
  const isUnpublished = type === 'paper-conference' && !hasPlace(metadata)
  const isOfDay = isUnpublished || ['document', 'motion_picture', 'song', 'speech'].includes(type)
  if (!isOfDay || month === undefined) return `(${Number(year)})`
  const monthName = monthNames[Number(month) - 1] ?? ''
  return `(${Number(year)}, ${present([monthName, day && String(Number(day))]).join(' ')})`
}

function hasPlace({ volume, issue, pages }: DescribedWork['metadata']): boolean {
  return [volume, issue, pages].some((part) => part !== undefined)
}

/** Whether a work stands in a container as in a journal, and not as in a book. */
function isSerial(type: string): boolean {
  return ['article-journal', 'review', 'paper-conference'].includes(type)
}

function titleWithDetails(work: DescribedWork): string {
  const { metadata } = work
  const type = workTypes[metadata.work_type].csl
  const { work_title: title } = metadata
  const { container, volume } = placeOf(work)
  const ofVersion = versionText(work) && `(${versionText(work)})`
  if (type === 'review') return present([`[Review of ${title}]`, ofVersion]).join(' ')
  const isWhole = container === undefined && !isSerial(type)
  const named =
    isWhole && volume !== undefined && !isNumeric(volume) ? `${title}: ${volume}` : title
  const details = isWhole && hasDetails(type) && placeText(work)
  const kind = type === 'thesis' ? work.publisher : kindOf(type, container !== undefined)
  return present([named, details ? `(${details})` : '', ofVersion, kind && `[${kind}]`]).join(' ')
}

function hasDetails(type: string): boolean {
  return type !== 'patent' && type !== 'speech'
}

function kindOf(type: string, isContained: boolean): string | undefined {
  return isContained && type === 'software' ? undefined : media[type]
}

/** Where a work stands in what holds it, or which part of a whole it is. */
function placeText(work: DescribedWork): string | undefined {
  const { volume, issue } = placeOf(work)
  const isReport = workTypes[work.metadata.work_type].csl === 'report'
  const number = isReport && issue ? numbered(issue, 'No.', 'Nos.') : undefined
  return commaList([
    present([number, seriesText(work)]).join('; '),
    volume !== undefined && isNumeric(volume)
      ? `${severalOf(volume, 'Vol.', 'Vols.')} ${volume}`
      : '',
    issue && !isReport ? `${severalOf(issue, 'Issue', 'Issues')} ${issue}` : '',
    labelledPages(work.metadata.pages, 'p.', 'pp.'),
  ])
}

/** The series of a report or a standard, with the number in it; of books it is not told. */
function seriesText(work: DescribedWork): string | undefined {
  const { series } = placeOf(work)
  if (!['report', 'standard'].includes(workTypes[work.metadata.work_type].csl)) return undefined
  const { volume, language } = work.metadata
  return series && present([titleCase(series, language), volume]).join(' ')
}

/** A number with what a style has before one and before several; other texts as they are. */
function numbered(number: string, one: string, several: string): string {
  return isNumeric(number) ? `${severalOf(number, one, several)} ${number}` : number
}

function isNumeric(text: string): boolean {
  return /^\p{L}{0,3}\d+\p{L}{0,3}(?:\s*[-–,&]\s*\p{L}{0,3}\d+\p{L}{0,3})*$/u.test(text)
}

function severalOf(number: string, one: string, several: string): string {
  return isNumeric(number) && /[-–,&]/.test(number) ? several : one
}

function apaSourceText(work: DescribedWork): readonly (string | undefined)[] {
  const { metadata, publisher } = work
  const type = workTypes[metadata.work_type].csl
  const { container, volume = '', issue, event } = placeOf(work)
  const { pages } = metadata
  if (isSerial(type)) {
    const number = `${volume}${issue === undefined ? '' : `(${dashed(issue)})`}`
    const journal = container && titleCase(container, metadata.language)
    return [commaList([journal, number, dashed(pages)])]
  }
  const shownPublisher = type === 'thesis' ? undefined : publisher
  if (container === undefined) return [shownPublisher, event && capitalized(event)]
  const part = volume === '' || isNumeric(volume) ? '' : `: ${volume}`
  const place = hasDetails(type) ? placeText(work) : undefined
  const kind = type === 'software' ? media[type] : undefined
  const where = `${type === 'song' ? 'On' : 'In'} ${container}${part}`
  return [present([where, place && `(${place})`, kind && `[${kind}]`]).join(' '), shownPublisher]
}

/** Authors beyond whom Chicago shows the first seven. */
const chicagoAuthorsMax = 10
const authorsShown = 7

/** A reference in the author-date style of the Chicago Manual, 17th edition. */
function formatChicago(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const year = yearOf(metadata) ?? 'n.d.'
  const title = titleText(work)
  const head =
    authors.length === 0 ? [title, year] : [chicagoAuthorText(citedNames(authors)), year, title]
  const isJournal = containment(work) === 'journal'
  return sentences([
    ...head,
    chicagoSourceText(work),
    versionText(work),
    isJournal ? undefined : publisher,
    citedAddress(work),
  ])
}

/** The first author is found in an alphabetical list; the others have their own order. */
function chicagoAuthorText(authors: readonly CitedName[]): string {
  const full = (given: string) => given
  const names = authors.map((name, index) =>
    index === 0 ? invertedCitedName(name, full) : naturalName(name, full),
  )
  if (names.length > chicagoAuthorsMax) return `${names.slice(0, authorsShown).join(', ')}, et al.`
  return listNames(names, { and: 'and', comma: 'always' })
}

function titleText(work: DescribedWork): string {
  const title = work.metadata.work_title
  return containment(work) === 'none' ? title : quoted(title)
}

function chicagoSourceText(work: DescribedWork): string | undefined {
  const { container, volume, issue, series, number, event } = placeOf(work)
  const { pages } = work.metadata
  if (series !== undefined) return commaList([present([series, number]).join(' '), dashed(pages)])
  if (containment(work) !== 'journal') {
    const parts = [volume && `vol. ${volume}`, issue && `no. ${issue}`, dashed(pages)]
    const where = container && `In ${container}`
    return commaList([where ?? event, ...parts])
  }
  const inVolume = present([volume, issue && (volume ? `(${issue})` : `no. ${issue}`)]).join(' ')
  const place = present([container, inVolume]).join(' ')
  return pages === undefined ? place : place === '' ? dashed(pages) : `${place}: ${dashed(pages)}`
}

/** Authors beyond whom Harvard shows the first. */
const harvardAuthorsMax = 3

/** A reference in the style of Harvard, as “Cite Them Right” has it. */
function formatHarvard(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const { work_title, pages } = metadata
  const { container, volume = '', issue, series, event, number: inSeries } = placeOf(work)
  const names = citedNames(authors).map((name) =>
    invertedCitedName(name, (given) => initials(given, { after: '.', between: '' })),
  )
  const author =
    names.length > harvardAuthorsMax
      ? `${names[0]} et al.`
      : listNames(names, { and: 'and', comma: 'never' })
  const kind = containment(work)
  const year = `(${yearOf(metadata) ?? 'n.d.'})`
  const title = kind === 'none' ? work_title : `‘${work_title}’`
  const number = series ? '' : `${volume}${issue === undefined ? '' : `(${issue})`}`
  const where = container ? (kind === 'journal' ? container : `in ${container}`) : event
  const place = commaList([
    title,
    versionText(work),
    where,
    number,
    labelledPages(pages, 'p.', 'pp.'),
  ])
  const head = present([author, year, place]).join(' ')
  const ofSeries = series && `(${commaList([series, inSeries])})`
  const imprint = kind === 'journal' ? undefined : present([publisher, ofSeries]).join(' ')
  return sentences([head, imprint, `Available at: ${citedAddress(work)}`])
}

/** Authors beyond whom IEEE shows the first. */
const ieeeAuthorsMax = 6

// Months of five letters or less stand in full, but for those of the style's own list.
const months = monthNames.map((name) => {
  if (name.length <= 4) return name
  return `${name.slice(0, name === 'September' ? 4 : 3)}.`
})

/** A reference in the style of the Institute of Electrical and Electronics Engineers. */
function formatIeee(work: DescribedWork): string {
  const { metadata, authors, publisher, url } = work
  const { pages, existing_doi: doi } = metadata
  const { container, volume, issue, series, event, number } = placeOf(work)
  const kind = containment(work)
  const title = kind === 'none' ? metadata.work_title : quoted(metadata.work_title, ',')
  const source = commaList([
    versionText(work),
    container && (kind === 'journal' ? container : `in ${container}`),
    series && commaList([`in ${series}`, number && `no. ${number}`]),
    event,
    volume && `vol. ${volume}`,
    series === undefined ? issue && `no. ${issue}` : undefined,
    kind === 'journal' ? undefined : publisher,
    ieeeDateText(metadata.published_date),
    labelledPages(pages, 'p.', 'pp.'),
    doi && `doi: ${doi}`,
  ])
  const names = authors.length === 0 ? undefined : ieeeAuthorText(citedNames(authors))
  // The comma after a title in quotation marks stands within them.
  const titled = kind === 'none' ? commaList([title, source]) : present([title, source]).join(' ')
  const online = doi === undefined ? `[Online]. Available: ${url}` : undefined
  return present([sentences([commaList([names, titled])]), online]).join(' ')
}

function ieeeAuthorText(authors: readonly CitedName[]): string {
  const names = authors.map((name) =>
    naturalName(name, (given) => initials(given, { after: '.', between: ' ' })),
  )
  if (names.length > ieeeAuthorsMax) return `${names[0]} et al.`
  return listNames(names, { and: 'and', comma: 'more than two' })
}

function ieeeDateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const named = present([month && months[Number(month) - 1], day && String(Number(day))]).join(' ')
  return (
    commaList([day && named, day ? String(Number(year)) : `${named} ${Number(year)}`.trim()]) ?? ''
  )
}

/** A reference in the style of the Modern Language Association, 9th edition. */
function formatMla(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const { work_title, pages } = metadata
  const { container, volume, issue, series, number, event } = placeOf(work)
  const isWhole = containment(work) === 'none'
  const isJournal = containment(work) === 'journal'
  const source = commaList([
    versionText(work)?.toLowerCase(),
    container ?? event,
    series && present([series, number]).join(' '),
    volume && `vol. ${volume}`,
    series === undefined ? issue && `no. ${issue}` : undefined,
    isJournal ? undefined : publisher,
    mlaDateText(metadata.published_date),
    labelledPages(pages, 'p.', 'pp.'),
    citedAddress(work),
  ])
  const author = authors.length === 0 ? undefined : mlaAuthorText(citedNames(authors))
  return sentences([author, isWhole ? work_title : quoted(work_title), source])
}

function mlaAuthorText(names: readonly CitedName[]): string {
  const full = (given: string) => given
  const [first, second] = names
  const inverted = first === undefined ? '' : invertedCitedName(first, full)
  if (second === undefined) return inverted
  return names.length > 2 ? `${inverted}, et al.` : `${inverted}, and ${naturalName(second, full)}`
}

/** `28 Feb. 2024`, `Mar. 2024` or `2024`: months of more than four letters are shortened. */
function mlaDateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const name = month && monthNames[Number(month) - 1]
  const short = name && name.length > 4 ? `${name.slice(0, name === 'September' ? 4 : 3)}.` : name
  return present([day && String(Number(day)), short, year && String(Number(year))]).join(' ')
}

/** Authors beyond whom Vancouver says that there are others. */
const vancouverAuthorsMax = 6

/** A reference in the style of Vancouver, as the National Library of Medicine describes it. */
function formatVancouver(work: DescribedWork): string {
  const { metadata, authors } = work
  const names = citedNames(authors).map((name) =>
    invertedCitedName(ordinal(name), (given) => initials(given, { after: '', between: '' }), ' '),
  )
  const shown = names.slice(0, vancouverAuthorsMax).join(', ')
  const author = names.length > vancouverAuthorsMax ? `${shown}, et al.` : shown
  const title = `${metadata.work_title} [Internet]`
  return present([
    sentences([author, title, versionText(work), ...vancouverSourceText(work)]),
    `Available from: ${citedAddress(work)}`,
  ]).join(' ')
}

const ordinals: Readonly<Record<string, string>> = { II: '2nd', III: '3rd', IV: '4th', V: '5th' }

/** A name whose suffix has no period, and is an ordinal if it is a number. */
function ordinal(name: CitedName): CitedName {
  if ('literal' in name || name.suffix === undefined) return name
  const suffix = name.suffix.replace(/\.$/, '')
  return { ...name, suffix: ordinals[suffix] ?? suffix }
}

function vancouverSourceText(work: DescribedWork): readonly (string | undefined)[] {
  const { metadata, publisher } = work
  const { container, volume = '', issue, series, number: inSeries, event } = placeOf(work)
  const { pages } = metadata
  const date = vancouverDateText(metadata.published_date)
  const number = `${volume}${issue === undefined ? '' : `(${issue})`}`
  if (containment(work) === 'journal') {
    const place = number === '' ? '' : `;${number}`
    return [container, `${date}${place}${pages === undefined ? '' : `:${dashed(pages)}`}`]
  }
  const where = container === undefined ? event : `In: ${container}`
  const imprint = publisher === undefined ? date : `${publisher}; ${date}`
  const ofSeries = series && `(${series}${inSeries === undefined ? '' : `; no. ${inSeries}`})`
  const part = series === undefined && volume !== '' ? `Vol. ${number}` : ''
  return [where, imprint, ofSeries ?? part, pages && `p. ${dashed(pages)}`]
}

function vancouverDateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const name = month && monthNames[Number(month) - 1]?.slice(0, 3)
  return present([String(Number(year)), name, day && String(Number(day))]).join(' ')
}

type Style = { readonly label: string; readonly format: (work: DescribedWork) => string }

/** The styles of references, by name. */
export const citationStyles = {
  apa: { label: 'APA', format: formatApa },
  'chicago-author-date': { label: 'Chicago', format: formatChicago },
  mla: { label: 'MLA', format: formatMla },
  ieee: { label: 'IEEE', format: formatIeee },
  vancouver: { label: 'Vancouver', format: formatVancouver },
  harvard: { label: 'Harvard', format: formatHarvard },
} as const satisfies Record<string, Style>

export type CitationStyle = keyof typeof citationStyles

// The names that citation programs know the styles by.
const aliases = new Map<string, CitationStyle>([
  ['american-psychological-association', 'apa'],
  ['chicago', 'chicago-author-date'],
  ['modern-language-association', 'mla'],
  ['harvard1', 'harvard'],
  ['harvard-cite-them-right', 'harvard'],
])

/** The style of a name; APA if no style has it. */
export function citationStyle(name = ''): CitationStyle {
  const folded = name.toLowerCase()
  const isStyle = (text: string): text is CitationStyle => Object.hasOwn(citationStyles, text)
  return isStyle(folded) ? folded : (aliases.get(folded) ?? 'apa')
}

/** A reference to a work, a line of plain text; of a withdrawn one it ends with that. */
export function formatCitation(work: DescribedWork, style: CitationStyle): string {
  return `${present([citationStyles[style].format(work), withdrawalNote(work)]).join(' ')}\n`
}
