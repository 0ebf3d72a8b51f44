import { workTypes } from '#actors/values/work_type.ts'
import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import {
  commaList,
  dashed,
  initials,
  invertedCitedName,
  labelledPages,
  listNames,
  present,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import { citedAddress, monthNames } from '#src/discovery/formats/citation_facts.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { titleCase } from '#src/discovery/formats/title_case.ts'

/** Authors beyond whom APA shows the first nineteen and the last. */
const authorsMax = 20

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
    names.length === 0 ? [titled, dateText(work)] : [authorText(names), dateText(work), titled]
  return present([sentences([...head, ...sourceText(work)]), citedAddress(work)]).join(' ')
}

function formatName(name: CitedName): string {
  return invertedCitedName(name, (given) => initials(given, { after: '.', between: ' ' }))
}

function authorText(authors: readonly CitedName[]): string {
  const names = authors.map(formatName)
  if (names.length > authorsMax) {
    return `${names.slice(0, authorsMax - 1).join(', ')}, … ${names.at(-1)}`
  }
  // The comma parts initials from what follows; two names as they are need none.
  const isPair = authors.length === 2 && authors.every((name) => 'literal' in name)
  return listNames(names, { and: '&', comma: isPair ? 'never' : 'always' })
}

/** Works that are heard or seen on a day have that day, others their year. */
function dateText({ metadata }: DescribedWork): string {
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
  const { work_title: title, container_title: container, volume } = metadata
  if (type === 'review') return `[Review of ${title}]`
  const isWhole = container === undefined && !isSerial(type)
  const named =
    isWhole && volume !== undefined && !isNumeric(volume) ? `${title}: ${volume}` : title
  const details = isWhole && hasDetails(type) && placeText(work)
  const kind = type === 'thesis' ? work.publisher : kindOf(type, container !== undefined)
  return present([named, details ? `(${details})` : '', kind && `[${kind}]`]).join(' ')
}

function hasDetails(type: string): boolean {
  return type !== 'patent' && type !== 'speech'
}

function kindOf(type: string, isContained: boolean): string | undefined {
  return isContained && type === 'software' ? undefined : media[type]
}

/** Where a work stands in what holds it, or which part of a whole it is. */
function placeText({ metadata }: DescribedWork): string | undefined {
  const { volume, issue, pages } = metadata
  return commaList([
    volume !== undefined && isNumeric(volume)
      ? `${severalOf(volume, 'Vol.', 'Vols.')} ${volume}`
      : '',
    issue && `${severalOf(issue, 'Issue', 'Issues')} ${issue}`,
    labelledPages(pages, 'p.', 'pp.'),
  ])
}

function isNumeric(text: string): boolean {
  return /^\p{L}{0,3}\d+\p{L}{0,3}(?:\s*[-–,&]\s*\p{L}{0,3}\d+\p{L}{0,3})*$/u.test(text)
}

function severalOf(number: string, one: string, several: string): string {
  return isNumeric(number) && /[-–,&]/.test(number) ? several : one
}

function sourceText(work: DescribedWork): readonly (string | undefined)[] {
  const { metadata, publisher } = work
  const type = workTypes[metadata.work_type].csl
  const { container_title: container, volume = '', issue, pages } = metadata
  if (isSerial(type)) {
    const number = `${volume}${issue === undefined ? '' : `(${dashed(issue)})`}`
    const journal = container && titleCase(container, metadata.language)
    return [commaList([journal, number, dashed(pages)])]
  }
  const shownPublisher = type === 'thesis' ? undefined : publisher
  if (container === undefined) return [shownPublisher]
  const part = volume === '' || isNumeric(volume) ? '' : `: ${volume}`
  const place = hasDetails(type) ? placeText(work) : undefined
  const kind = type === 'software' ? media[type] : undefined
  const where = `${type === 'song' ? 'On' : 'In'} ${container}${part}`
  return [present([where, place && `(${place})`, kind && `[${kind}]`]).join(' '), shownPublisher]
}
