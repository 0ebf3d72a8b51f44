import type { NoteList } from '#src/discovery/citation_files/citation_file.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { type Json, withValues, XmlSource } from '#src/discovery/citation_files/xml_source.ts'

// What a record is called by in the JSON of Crossref's API.
const types: Readonly<Record<string, string>> = {
  journal: 'journal',
  journal_article: 'journal-article',
  conference: 'proceedings',
  conference_paper: 'proceedings-article',
  book: 'book',
  content_item: 'book-chapter',
  database: 'database',
  dataset: 'dataset',
  dissertation: 'dissertation',
  posted_content: 'posted-content',
  'report-paper': 'report',
  standard: 'standard',
  peer_review: 'peer-review',
  component: 'component',
}

/** Things of Crossref that are no work of a press: each is refused, by name. */
export const crossrefUnread: Readonly<Record<string, string>> = {
  grant: 'a grant',
  pending_publication: 'a work that has not appeared yet',
}

/** Elements that hold works. */
export const crossrefContainers: ReadonlySet<string> = new Set([
  'journal',
  'conference',
  'book',
  'database',
  'report-paper',
  'standard',
  'sa_component',
])

/** Works that stand in others. */
export const crossrefItems: ReadonlySet<string> = new Set([
  'journal_article',
  'conference_paper',
  'content_item',
  'dataset',
  'component',
])

/** Works that stand alone. */
export const crossrefRecords: ReadonlySet<string> = new Set([
  'dissertation',
  'posted_content',
  'peer_review',
  ...Object.keys(crossrefUnread),
])

// What says nothing about a work: of the deposit, or of who keeps copies.
const silent: ReadonlySet<string> = new Set([
  'archive_locations',
  'crossmark_version',
  'crossmark_domains',
  'crossmark_domain_exclusive',
  'timestamp',
  'resource',
])

/**
 * Whether what holds other works is deposited as a work, too: a book with its chapters. A journal
 * is none, and who made one must be known.
 */
export function isDepositedToo(element: XmlElement): boolean {
  const metadata = metadataOf(element)
  const people = [metadata, element].flatMap((each) => elementsOf(each, 'contributors'))
  return (
    element.name !== 'journal' &&
    people.length > 0 &&
    elementsAt(metadata, 'doi_data/doi').length > 0
  )
}

/**
 * A work of Crossref's XML, deposited or as it is given out, as the JSON of Crossref's API, which
 * is then read like any other. What has no member there is named by its path.
 */
export function crossrefJson(
  element: XmlElement,
  container: XmlElement | undefined,
  isContainerRead: boolean,
  notes: NoteList,
): Json {
  const source = new XmlSource()
  const metadata = metadataOf(element)
  const work = metadata ?? element
  const around = container && metadataOf(container)
  const json = withValues({
    ...typeOf(element, work),
    ...titlesOf(source, work),
    ...contributorsOf(source, [work, ...(work === element ? [] : [element])]),
    ...(container && containerJson(source, container, around)),
    ...datesOf(source, work, placesOfDates(container, around), notes),
    ...(work === element ? {} : numbersOf(source, work)),
    ...pagesOf(source, work),
    abstract: abstractOf(source, work),
    publisher: publisherOf(source, work) ?? publisherOf(source, around),
    language: work.attributes['language'] ?? element.attributes['language'] ?? languageOf(around),
    DOI: source.text(work, 'doi_data/doi'),
    resource: resourceOf(source, work),
    license: licensesOf(source, work),
    funder: fundersOf(source, work),
    relation: relationsOf(source, work, container),
    'update-to': updatesOf(source, work),
  })
  const references = source.take(work, 'citation_list/citation').length
  if (references > 0) {
    notes.add('left_out', 'citation_list', `Its references, ${references} of them, are left out.`)
  }
  source.noteUnused(element, silent, notes)
  if (container !== undefined && !isContainerRead) source.noteUnused(container, silent, notes)
  return json
}

function metadataOf(element: XmlElement): XmlElement | undefined {
  return elementsOf(element).find(({ name }) => {
    return name.endsWith('_metadata') && !/^(?:event|series)_/.test(name)
  })
}

function languageOf(element: XmlElement | undefined): string | undefined {
  return element?.attributes['language']
}

function typeOf(element: XmlElement, work: XmlElement): Json {
  const { book_type: book = '', component_type: part = '', type: subtype } = element.attributes
  if (element.name === 'posted_content')
    return { type: 'posted-content', subtype: subtype ?? 'preprint' }
  const kinds: Readonly<Record<string, string>> = {
    edited_book: 'edited-book',
    monograph: 'monograph',
    reference: 'reference-book',
    reference_entry: 'reference-entry',
    section: 'book-section',
    part: 'book-part',
    track: 'book-track',
  }
  const hasKind = element.name === 'book' || element.name === 'content_item'
  const kind = hasKind ? kinds[element.name === 'book' ? book : part] : undefined
  return { type: kind ?? types[element.name] ?? types[work.name] ?? 'other' }
}

function titlesOf(source: XmlSource, work: XmlElement): Json {
  const title = source.markup(work, 'titles/title') ?? source.markup(work, 'full_title')
  const original = source.markup(work, 'titles/original_language_title')
  // A subtitle that follows the title in its original language is that one's.
  const parts = elementsAt(work, 'titles').flatMap((titles) => elementsOf(titles))
  const turn = parts.findIndex(({ name }) => name === 'original_language_title')
  const isOwn = parts.findIndex(({ name }) => name === 'subtitle') < (turn < 0 ? Infinity : turn)
  const subtitle = isOwn ? source.markup(work, 'titles/subtitle') : undefined
  return {
    title: title && [title],
    subtitle: subtitle && [subtitle],
    'original-title': original && original !== title ? [original] : undefined,
  }
}

// Who has written a review.
const reviewers = new Set(['reviewer', 'reviewer-external', 'stats-reviewer', 'reader'])

/** The people of a work by their roles, each in a list of its own. */
function contributorsOf(source: XmlSource, works: readonly XmlElement[]): Json {
  const lists: Record<string, Json[]> = {}
  const people = works.flatMap((work) => [
    ...elementsAt(work, 'contributors').flatMap((each) => elementsOf(each)),
    // Dissertations have their author without a list around it.
    ...elementsOf(work, 'person_name'),
  ])
  for (const element of people) {
    const name = nameOf(source, element)
    if (name === undefined) continue
    const given = element.attributes['contributor_role'] ?? 'author'
    const role = reviewers.has(given) ? 'author' : given
    const list = (lists[role] ??= [])
    list.push(name)
  }
  return lists
}

function nameOf(source: XmlSource, element: XmlElement): Json | undefined {
  if (element.name === 'organization' || element.name === 'collab') {
    source.use(element)
    return { name: textOf(element) }
  }
  if (element.name !== 'person_name') return undefined
  return withValues({
    given: source.text(element, 'given_name'),
    family: source.text(element, 'surname'),
    suffix: source.text(element, 'suffix'),
    ORCID: source.text(element, 'ORCID'),
    affiliation: [
      ...source.texts(element, 'affiliation').map((name) => ({ name })),
      ...elementsAt(element, 'affiliations/institution').map((each) => institutionOf(source, each)),
    ],
  })
}

function institutionOf(source: XmlSource, institution: XmlElement): Json {
  const ids = elementsOf(institution, 'institution_id')
  const ror = ids.find(({ attributes }) => attributes['type']?.toLowerCase() === 'ror')
  if (ror !== undefined) source.use(ror)
  const id = textOf(ror)
  return withValues({
    name: source.text(institution, 'institution_name'),
    id: id && [{ id, 'id-type': 'ROR' }],
  })
}

/** What holds a work: its title, its numbers, and where it can be told apart. */
function containerJson(
  source: XmlSource,
  container: XmlElement,
  around: XmlElement | undefined,
): Json {
  const issue = elementsOf(container, 'journal_issue')[0]
  const title =
    source.markup(around, 'full_title') ??
    source.markup(around, 'proceedings_title') ??
    source.markup(around, 'titles/title')
  return {
    'container-title': title && [title],
    ISSN: source.texts(around, 'issn'),
    ISBN: source.texts(around, 'isbn'),
    volume: source.text(issue, 'journal_volume/volume') ?? source.text(around, 'volume'),
    issue: source.text(issue, 'issue'),
    ...(container.name === 'conference' && {
      event: withValues({ name: source.text(container, 'event_metadata/conference_name') }),
    }),
  }
}

function numbersOf(source: XmlSource, metadata: XmlElement): Json {
  return {
    ISSN: source.texts(metadata, 'issn'),
    ISBN: source.texts(metadata, 'isbn'),
    volume: source.text(metadata, 'volume'),
  }
}

function pagesOf(source: XmlSource, work: XmlElement): Json {
  const first = source.text(work, 'pages/first_page')
  const last = source.text(work, 'pages/last_page')
  const numbers = elementsAt(work, 'publisher_item/item_number')
  const number = numbers.find(({ attributes }) => {
    return /^article[_-]?number$/.test(attributes['item_number_type'] ?? '')
  })
  if (number !== undefined) source.use(number)
  return { page: first && last ? `${first}-${last}` : first, 'article-number': textOf(number) }
}

// The date in the JSON that an element is for; of publication it depends on the medium.
const dateMembers: Readonly<Record<string, string>> = {
  posted_date: 'posted',
  acceptance_date: 'accepted',
  creation_date: 'content-created',
  update_date: 'content-updated',
}

/** Where else the day of a work may stand: it appeared with the issue or the book that has it. */
function placesOfDates(
  container: XmlElement | undefined,
  around: XmlElement | undefined,
): readonly XmlElement[] {
  if (container === undefined || container.name === 'database') return []
  return [...elementsOf(container, 'journal_issue'), ...(around === undefined ? [] : [around])]
}

/** The dates of a work; of what it stands in, if it has no day of its own. */
function datesOf(
  source: XmlSource,
  work: XmlElement,
  places: readonly XmlElement[],
  notes: NoteList,
): Json {
  const own = datesIn(source, work, notes)
  const place = places.find((each) => elementsOf(each, 'publication_date').length > 0)
  return own['issued'] || place === undefined ? own : { ...datesIn(source, place, notes), ...own }
}

function datesIn(source: XmlSource, work: XmlElement, notes: NoteList): Json {
  const dates: Record<string, Json> = {}
  const published: (readonly number[])[] = []
  const elements = [
    ...elementsOf(work),
    ...elementsAt(work, 'database_date').flatMap((each) => elementsOf(each)),
  ]
  for (const element of elements) {
    const isPublished = element.name === 'publication_date' || element.name === 'review_date'
    const medium = element.attributes['media_type'] ?? 'online'
    const member = isPublished ? `published-${medium}` : dateMembers[element.name]
    if (member === undefined) continue
    source.use(element)
    const parts = datePartsOf(element, notes)
    if (parts === undefined || dates[member] !== undefined) continue
    dates[member] = { 'date-parts': [parts] }
    if (isPublished || member === 'posted') published.push(parts)
  }
  if (published.length === 0) published.push(...approvalOf(source, work, notes))
  const [issued] = published.toSorted(compareDates)
  return withValues({ ...dates, issued: issued && { 'date-parts': [issued] } })
}

/** Theses and standards that say nothing else appeared when they were approved. */
function approvalOf(source: XmlSource, work: XmlElement, notes: NoteList) {
  return source.take(work, 'approval_date').flatMap((each) => {
    const parts = datePartsOf(each, notes)
    return parts === undefined ? [] : [parts]
  })
}

// Of two dates of one year or month, the one with its day says more.
function compareDates(one: readonly number[], other: readonly number[]): number {
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at === undefined ? 0 : (one[at] ?? Infinity) - (other[at] ?? Infinity)
}

function datePartsOf(element: XmlElement, notes: NoteList): readonly number[] | undefined {
  const [year, month, day] = ['year', 'month', 'day'].map((name) => {
    const text = textOf(elementsOf(element, name)[0])
    return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined
  })
  if (year === undefined) return undefined
  if (month === undefined) return [year]
  if (month > 12) {
    const message = `The month ${month} is a season or a quarter: only the year ${year} is taken.`
    notes.add('taken_as', element.name, message, { line: element.line, isLoss: true })
    return [year]
  }
  return day === undefined ? [year, month] : [year, month, day]
}

function abstractOf(source: XmlSource, work: XmlElement): string | undefined {
  const abstracts = elementsOf(work, 'abstract')
  const own = abstracts.find(({ attributes }) => attributes['abstract-type'] === undefined)
  const chosen = own ?? abstracts[0]
  if (chosen === undefined) return source.text(work, 'description')
  source.use(chosen)
  return markupOf(chosen)
}

function publisherOf(source: XmlSource, work: XmlElement | undefined): string | undefined {
  return (
    source.text(work, 'publisher/publisher_name') ??
    source.text(work, 'institution/institution_name') ??
    source.text(work, 'standards_body/standards_body_name')
  )
}

/** The address of the work's page; others, such as those for text mining, are not the work's. */
function resourceOf(source: XmlSource, work: XmlElement): Json | undefined {
  const URL = source.text(work, 'doi_data/resource')
  return URL === undefined ? undefined : { primary: { URL } }
}

const accessPaths = ['program/license_ref', 'crossmark/custom_metadata/program/license_ref']

function licensesOf(source: XmlSource, work: XmlElement): readonly Json[] {
  return accessPaths.flatMap((path) => {
    return source.take(work, path).map((element) => {
      const version = element.attributes['applies_to'] ?? 'unspecified'
      return { URL: textOf(element), 'content-version': version }
    })
  })
}

const programPaths = ['program', 'crossmark/custom_metadata/program']

/** Funders, in groups or with their numbers after them. */
function fundersOf(source: XmlSource, work: XmlElement): readonly Json[] {
  const programs = programPaths
    .flatMap((path) => elementsAt(work, path))
    .filter((program) => elementsOf(program, 'assertion').length > 0)
  return programs.flatMap((program) => {
    source.use(program)
    const groups = elementsOf(program, 'assertion').filter((each) => isAssertion(each, 'fundgroup'))
    return (groups.length === 0 ? [program] : groups).map(funderOf)
  })
}

function isAssertion({ attributes }: XmlElement, name: string): boolean {
  return attributes['name'] === name
}

function funderOf(group: XmlElement): Json {
  const named = (name: string) =>
    elementsOf(group, 'assertion').filter((each) => isAssertion(each, name))
  const funder = named('funder_name')[0]
  const id =
    textOf(
      elementsOf(funder, 'assertion').find((each) => isAssertion(each, 'funder_identifier')),
    ) ?? textOf(named('funder_identifier')[0])
  const ror = textOf(named('ror')[0])
  // The identifier stands in the element of the name.
  const texts = funder?.children.filter((child) => typeof child === 'string') ?? []
  const own = texts.join('').replaceAll(/\s+/g, ' ').trim()
  return withValues({
    name: own === '' ? ror : own,
    DOI: id,
    award: named('award_number').flatMap((each) => textOf(each) ?? []),
  })
}

/** Relations by their names in the JSON, such as `is-supplemented-by`. */
function relationsOf(
  source: XmlSource,
  work: XmlElement,
  container: XmlElement | undefined,
): Json | undefined {
  const relations: Record<string, Json[]> = {}
  const { parent_doi: whole } = container?.attributes ?? {}
  if (whole !== undefined) relations['is-part-of'] = [{ 'id-type': 'doi', id: whole }]
  for (const item of programPaths.flatMap((path) => elementsAt(work, `${path}/related_item`))) {
    for (const element of elementsOf(item)) {
      const { 'relationship-type': type, 'identifier-type': idType = '' } = element.attributes
      const id = textOf(element)
      if (type === undefined || id === undefined) continue
      source.use(element)
      const name = type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const list = (relations[name] ??= [])
      list.push({ 'id-type': idType, id, 'asserted-by': 'subject' })
    }
  }
  return Object.keys(relations).length === 0 ? undefined : relations
}

function updatesOf(source: XmlSource, work: XmlElement): readonly Json[] {
  return source.take(work, 'crossmark/updates/update').map((element) => {
    return { DOI: textOf(element), type: element.attributes['type'] }
  })
}
