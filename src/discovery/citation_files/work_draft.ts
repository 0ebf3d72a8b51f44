import { joinAuthors, mayBePersons, wholeName } from '#actors/values/author_name.ts'
import { isBuddhistYear } from '#actors/values/date.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { joinKeywords } from '#actors/values/text.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { WorkType } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import {
  type FieldNotes,
  type NoteList,
  quote,
  shorten,
} from '#src/discovery/citation_files/citation_file.ts'
import type { SourceDate } from '#src/discovery/citation_files/dates.ts'
import { namesInText, withInitialsLast } from '#src/discovery/citation_files/names.ts'
import { isGivenName } from '#src/discovery/formats/group_names.ts'

/** A name as files have it: a person's in parts, or anybody's whole. */
export type SourceAuthor = {
  readonly given?: string | undefined
  /** With its particles. */
  readonly family?: string | undefined
  /** `Jr.`, `III` */
  readonly suffix?: string | undefined
  readonly literal?: string | undefined
  readonly orcid?: string | undefined
  readonly affiliation?: string | undefined
  readonly ror?: string | undefined
  readonly orcid_authenticated?: boolean | undefined
  readonly prefix?: string | undefined
  readonly name_type?: 'person' | 'organization' | 'anonymous' | undefined
  readonly name_style?: string | undefined
  readonly credit_roles?: readonly string[] | undefined
  /** Those beside the ORCID iD. */
  readonly identifiers?: readonly unknown[] | undefined
  /** All of them, where there is more than the two fields above say. */
  readonly affiliations?: readonly SourceAffiliation[] | undefined
  /** Of the name of an organization. */
  readonly language?: string | undefined
  /** What a comma in the text that it was read from says. */
  readonly comma?: 'turns' | 'doubtful' | undefined
}

/** A place where somebody worked. */
export type SourceAffiliation = {
  readonly name?: string
  readonly identifier?: string
  readonly scheme?: string
  readonly scheme_uri?: string
  readonly department?: string
  readonly acronym?: string
  readonly place?: string
}

/** Fields of whole records that a file fills with lists, whose items are checked with the body. */
export const listFields = [
  'contributors',
  'titles',
  'descriptions',
  'further_dates',
  'subjects',
  'variables',
  'rights',
  'files',
  'sizes',
  'formats',
  'alternate_identifiers',
  'related_items',
  'geo_locations',
  'references',
  'issn',
  'isbn',
  'series_issn',
  'institutions',
  'update_notices',
  'archives',
  'clinical_trials',
  'assertions',
] as const

/** Those that hold one thing, which is checked with the body as well. */
const singleFields = [
  'work_title_markup',
  'description_markup',
  'work_title_language',
  'resource_type',
  'resource_version',
  'resource_version_note',
  'publisher_id',
  'publisher_language',
  'publisher_place',
  'event',
  'edition',
  'article_number',
  'chapter_number',
  'series_title',
  'series_number',
  'degree',
  'update_policy',
  'container_short_title',
  'access',
  'description_language',
  'review',
  'group_title',
  'issue_title',
  'content_domain',
] as const

type ListField = (typeof listFields)[number]
type SingleField = Exclude<(typeof singleFields)[number], 'article_number'>

/**
 * What a file says of a work. Of addresses and dates, the first ones that
 * can be read count.
 */
export type SourceWork = {
  readonly work_type: WorkType
  readonly work_title?: string
  readonly authors?: readonly SourceAuthor[]
  /** Who is taken for its authors where it names none. */
  readonly editors?: readonly SourceAuthor[]
  readonly description?: string
  /** Of these, the address of a file stands with the files, where the work has another one. */
  readonly urls?: readonly {
    readonly url: string
    readonly at: FieldNotes
    readonly isFile?: true
  }[]
  readonly existing_doi?: string
  readonly keywords?: readonly string[]
  readonly language?: string
  readonly license?: string
  readonly dates?: readonly (SourceDate & { readonly at: FieldNotes; readonly text: string })[]
  readonly publisher_name?: string
  readonly container_title?: string
  readonly volume?: string
  readonly issue?: string
  readonly pages?: string
  readonly first_page?: string
  readonly last_page?: string
  readonly article_number?: string
  readonly related_identifiers?: readonly RelatedIdentifier[]
  readonly funding?: readonly Funding[]
} & { readonly [Name in ListField]?: readonly unknown[] } & {
  readonly [Name in SingleField]?: unknown
}

/** Several readings as one: their lists follow one another. */
export function mergeReadings(all: readonly Partial<SourceWork>[]): Partial<SourceWork> {
  const merged: Record<string, unknown> = {}
  for (const parts of all) {
    for (const [name, value] of Object.entries(parts)) {
      const known = merged[name]
      if (value === undefined) continue
      const isJoined = Array.isArray(known) && Array.isArray(value)
      merged[name] = isJoined ? [known, value].flat(1) : value
    }
  }
  return merged
}

/** The body of a creation, unchecked, of what a file says of a work. */
export function draftBody(work: SourceWork, notes: NoteList): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = { work_type: work.work_type }
  const set = (name: string, value: unknown) => {
    if (value !== undefined) body[name] = value
  }
  setAuthors(work, set, notes)
  const files = setAddress(work, set)
  set('published_date', chooseDate(work.dates ?? []))
  set('pages', pagesOf(work))
  // What most files do not say is not asked for by its name.
  for (const name in work) {
    const value: unknown = work[name as keyof SourceWork]
    if (plainFields.has(name)) set(name, value)
    else if (namedLists.has(name)) set(name, someOf(distinct(value as readonly unknown[])))
  }
  if (work.keywords !== undefined) {
    set('keywords', joinKeywords([...new Set(work.keywords)]) || undefined)
  }
  if (files.length > 0) set('files', distinct([...(work.files ?? []), ...files]))
  if (work.further_dates !== undefined) set('dates', someOf(distinct(work.further_dates)))
  return body
}

type SetField = (name: string, value: unknown) => void

const plainFields: ReadonlySet<string> = new Set([
  'work_title',
  'description',
  'language',
  'license',
  'publisher_name',
  'container_title',
  'volume',
  'issue',
  ...singleFields,
])
const namedLists: ReadonlySet<string> = new Set([
  'related_identifiers',
  'funding',
  ...listFields.filter((name) => name !== 'further_dates' && name !== 'contributors'),
])

/**
 * Somebody who had a part in a work, as a field of ours has them; with what a comma in the name may
 * say, until the names of the work are looked at together.
 */
export function contributorOf(role: string, name: SourceAuthor): Record<string, unknown> {
  const isDoubtful = name.comma === 'doubtful'
  return { role, ...describe(name), ...(isDoubtful && { comma: name.comma }) }
}

function someOf<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values
}

/** Members by which things of one list are told apart, as a rule. */
const labels = ['identifier', 'name', 'title', 'subject', 'date', 'award', 'url', 'text'] as const

/** A text of a thing that is the same of what is the same; most others have another one. */
function labelOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = value as Readonly<Record<string, unknown>>
  for (const label of labels) {
    const text = members[label]
    if (typeof text === 'string') return text
  }
  return undefined
}

/** What both sides of a relation tell stands in some files twice. */
function distinct<T>(values: readonly T[]): readonly T[] {
  if (values.length < 2 || new Set(values.map(labelOf)).size === values.length) return values
  return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()]
}

/** Those who edited a work that has authors are contributors; of another one, they are authors. */
function setAuthors(work: SourceWork, set: SetField, notes: NoteList): void {
  const { authors = [], contributors = [], editors = [] } = work
  const isEdited = authors.length === 0
  const named = turned(isEdited ? editors : authors)
    .map(describe)
    .filter(({ name }) => name !== '')
  noteJoined([...authors, ...editors, ...(contributors as readonly SourceAuthor[])], notes)
  if (named.length > 0) {
    if (isEdited) notes.add('taken_as', '', 'Its editors are taken for its authors.')
    set('authors', joinAuthors(named.map(({ name }) => name)))
    set('author_details', named)
  }
  if (editors.length + contributors.length === 0) return
  const edited = isEdited ? [] : editors.map((name) => contributorOf('editor', name))
  const others = [...edited, ...(contributors as readonly SourceAuthor[])]
  const isMarked = others.some((each) => 'comma' in each)
  set('contributors', someOf(distinct(isMarked ? others.map(withoutComma) : others)))
}

/** Authors in their parts, where each is a text with the initials behind the family name. */
function turned(names: readonly SourceAuthor[]): readonly SourceAuthor[] {
  const texts = names.flatMap(({ literal, name_type }) => {
    return literal === undefined || name_type !== undefined ? [] : literal
  })
  if (texts.length < 2 || texts.length < names.length) return names
  const parts = withInitialsLast(texts)
  return parts === undefined
    ? names
    : names.map((name, index) => ({ ...name, literal: undefined, ...parts[index] }))
}

/**
 * Tells of names that may be those of several. Where a comma turns another name of the work round,
 * as in `Doe, Jane`, it does so in all that do not begin with given names on both sides.
 */
export function noteJoined(names: readonly SourceAuthor[], notes: NoteList): void {
  const isTurned = names.some(({ comma }) => comma === 'turns')
  const isOfTwo = ({ family = '', given = '', comma }: SourceAuthor) =>
    comma === 'doubtful' ? !isTurned || areGiven(family, given) : areWhole(family, given)
  const odd = names.filter((name) => {
    const { family = '', given = '', literal = '' } = name
    const isList =
      literal.includes(',') &&
      /,.*,/.test(literal) &&
      !mayBePersons(literal) &&
      namesInText(literal).names.length > 1
    return isList || isOfTwo(name) || hasJoin(family) || hasJoin(given)
  })
  for (const name of odd.slice(0, joinedMax)) {
    const { family = '', given = '', literal = wholeName({ family, given }) } = name
    const isTaken = isOfTwo(name)
    const shown = shorten(isTaken ? `${family}, ${given}` : literal, shownMax)
    const message = isTaken
      ? `${shown} is taken as one name, of which ${family} is the family name.`
      : `${shown} seems to be several names, and is taken as one.`
    notes.add('taken_as', '', message, { isLoss: !isTaken })
  }
  if (odd.length > joinedMax) {
    notes.add('taken_as', '', 'The same is true of more of its names.', { isLoss: true })
  }
}

/** Whether a part of a name has what stands between two: `Ann and Bob` is no given name. */
function hasJoin(part: string): boolean {
  if (part.includes(',') || part.includes(';')) return true
  return part.includes(' ') && / (?:and|und|og|och|&) /.test(part)
}

// Sentences about the names of one work, at most.
const joinedMax = 10

/** Whether both parts of a name begin with a given name. */
function areGiven(...parts: readonly string[]): boolean {
  return parts.every((part) => isGivenName(part.split(' ')[0] ?? ''))
}

/** Whether each part is a whole name: `Ann Alpha` and `Bob Beta`, not `Martin Roe` and `Ann`. */
function areWhole(...parts: readonly string[]): boolean {
  return (
    parts.every((part) => part.includes(' ')) &&
    areGiven(...parts) &&
    mayBePersons(parts.join(', ')) &&
    !parts.some((part) => isGivenName(part.split(' ').at(-1) ?? ''))
  )
}

/** Characters of a name in a sentence, at most. */
const shownMax = 60

/** A name as it is kept: without what a comma in it may mean. */
function withoutComma<Name extends { readonly comma?: unknown }>(
  author: Name,
): Omit<Name, 'comma'> {
  const { comma: _, ...name } = author
  return name
}

function describe(author: SourceAuthor): { readonly name: string } {
  const { literal, given = '', family = '', suffix } = author
  const whole = literal ?? wholeName({ given, family, ...(suffix !== undefined && { suffix }) })
  // A semicolon would part a name in two.
  const detail: Record<string, unknown> & { name: string } = {
    name: whole.replaceAll(';', ',').trim(),
  }
  for (const name in author) {
    const value: unknown = author[name as keyof SourceAuthor]
    if (value !== undefined && name !== 'literal' && name !== 'comma') detail[name] = value
  }
  return detail
}

/**
 * An address that is a DOI says what the work is called, and not where it is. Gives the files that
 * have an address beside that of the work.
 */
function setAddress({ urls = [], existing_doi }: SourceWork, set: SetField): readonly unknown[] {
  let doi = existing_doi
  let url: string | undefined
  const files: unknown[] = []
  for (const each of urls) {
    const named = isDoiAddress(each.url) ? readDoi(each.url) : undefined
    if (named === undefined) {
      if (url === undefined) url = each.url
      else if (url === each.url) continue
      else if (each.isFile === true) files.push(fileAt(each))
      else noteOther(each.at, each.url)
    } else if (doi === undefined) doi = named
    else if (doi.toLowerCase() !== named) noteOther(each.at, doiUrl(named))
  }
  set('work_url', url)
  set('existing_doi', doi)
  return files
}

function fileAt({ at, url }: NonNullable<SourceWork['urls']>[number]): unknown {
  const isPdf = at.field === 'pdf' || /\.pdf(?:[?#]|$)/i.test(url)
  return isPdf ? { url, media_type: 'application/pdf' } : { url }
}

function isDoiAddress(url: string): boolean {
  return /^https?:\/\/(?:www\.|dx\.)?doi\.org\//i.test(url)
}

function noteOther(at: FieldNotes, url: string): void {
  at.add('repeated', `${at.field}: ${quote(url)} is left out; the first address counts.`)
}

/** The first date that can be read; one that says more of the same year, month and day counts. */
function chooseDate(given: NonNullable<SourceWork['dates']>): string | undefined {
  const dates = given.map(inCommonEra)
  const first = dates.find(({ date }) => date !== undefined)
  const chosen = dates.reduce((best, each) => {
    return best?.date !== undefined && each.date?.startsWith(best.date) ? each : best
  }, first)
  for (const each of dates) noteDate(each, chosen)
  return chosen?.date
}

const buddhistYearsAhead = 543

/** A date whose year is one of the Buddhist calendar, as 2563 is, in years of the common era. */
function inCommonEra(read: NonNullable<SourceWork['dates']>[number]): typeof read {
  const { date } = read
  if (date === undefined || !isBuddhistYear(date)) return read
  const year = Number(date.slice(0, 4)) - buddhistYearsAhead
  const remark = 'its year is one of the Buddhist calendar'
  return { ...read, date: `${year}${date.slice(4)}`, remark }
}

function noteDate(
  { date, remark, at, text }: NonNullable<SourceWork['dates']>[number],
  chosen: SourceDate | undefined,
): void {
  const shown = quote(text)
  if (date === undefined) {
    if (remark !== undefined && chosen?.date === undefined) at.notRead(text, remark)
    else if (remark !== undefined)
      at.add('not_read', `${at.field} "${shown}" is left out: ${remark}.`)
  } else if (!chosen?.date?.startsWith(date)) {
    at.add('repeated', `${at.field} "${shown}" is left out: ${chosen?.date} counts.`)
  } else if (remark !== undefined && chosen.date === date) {
    at.add('taken_as', `${at.field} "${shown}" is taken as ${date}: ${remark}.`, true)
  } else if (date < '1450') {
    at.add('taken_as', `${at.field} "${shown}" is taken as ${date}: a year before 1450.`)
  }
}

function pagesOf({ pages, first_page, last_page, article_number }: SourceWork): string | undefined {
  if (pages !== undefined) return pages
  if (first_page === undefined) return last_page ?? article_number
  // Some programs write both pages in the first one.
  const isRange = last_page === undefined || /[-–,]/.test(first_page)
  return isRange ? first_page : `${first_page}-${last_page}`
}
