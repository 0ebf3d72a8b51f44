import { closedTable } from '#actors/values/lazy_table.ts'
import { type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { type Json, withValues, XmlSource } from '#src/discovery/citation_files/xml_source.ts'
import { abstractTypes, referenceParts } from '#src/discovery/formats/crossref_terms.ts'

// What a record is called by in the JSON of Crossref's API.
const types: Readonly<Record<string, string>> = closedTable({
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
})

/** Things of Crossref that are no work of a press: each is refused, by name. */
export const crossrefUnread: Readonly<Record<string, string>> = {
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
  'grant',
  ...Object.keys(crossrefUnread),
])

// What says nothing about a work, but of the deposit.
const silent: ReadonlySet<string> = new Set(['crossmark_version', 'timestamp', 'noisbn'])

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
 * A work with what an answer to a query tells beside it, in `crm-item`: who published it, where the
 * record itself does not say so, and what others say of it.
 */
export function withBeside(json: Json, items: readonly XmlElement[], notes: NoteList): Json {
  let { publisher } = json
  // Claims are names of others: none is found where it was not put.
  const relation = Object.create(null) as Record<string, Json[]>
  Object.assign(relation, json['relation'])
  const left: string[] = []
  for (const item of items) {
    const { name = '', claim, type = 'doi' } = item.attributes
    const text = textOf(item)
    if (text === undefined) continue
    if (name === 'publisher-name') publisher ??= text
    else if (name === 'relation' && claim !== undefined) {
      const list = (relation[kebab(claim)] ??= [])
      list.push({ 'id-type': type, id: text })
    } else left.push(name)
  }
  if (left.length > 0) {
    const names = [...new Set(left)].join(', ')
    const message = `Left out, because it is about the record alone: ${names}.`
    notes.add('left_out', 'crm-item', message, { isLoss: false })
  }
  return { ...json, publisher, relation }
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
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
  if (element.name === 'grant') return grantJson(source, element, notes)
  const metadata = metadataOf(element)
  const work = metadata ?? element
  const around = container && metadataOf(container)
  const json = withValues({
    ...typeOf(element, work),
    ...titlesOf(source, work),
    ...peopleOf(source, element, work, container, around),
    ...(container && containerJson(source, container, around)),
    ...datesOf(source, work, placesOfDates(container, around), notes),
    ...(work === element ? {} : numbersOf(source, work)),
    ...(work === element ? ownNumbersOf(source, work) : {}),
    ...pagesOf(source, work),
    ...abstractsOf(source, work, notes),
    ...publisherOf(source, work, around),
    language: work.attributes['language'] ?? element.attributes['language'] ?? languageOf(around),
    DOI: source.text(work, 'doi_data/doi'),
    resource: resourceOf(source, work),
    link: linksOf(source, work),
    license: licensesOf(source, work),
    'free-to-read': freeToRead(source, work),
    funder: fundersOf(source, work),
    relation: relationsOf(source, work, container, around),
    'update-to': updatesOf(source, work),
    ...crossmarkOf(source, work),
    reference: source.take(work, 'citation_list/citation').map(referenceOf),
    ...extrasOf(source, work, around),
    ...(element.name === 'conference' && conferenceOf(source, element, work)),
  })
  source.noteUnused(element, silent, notes)
  if (container !== undefined && !isContainerRead) {
    for (const each of elementsOf(around, 'doi_data')) source.use(each)
    source.noteUnused(container, silent, notes)
  }
  return json
}

/** A grant, of which the first project says what it is for. */
function grantJson(source: XmlSource, grant: XmlElement, notes: NoteList): Json {
  const json = withValues({
    type: 'grant',
    project: [projectOf(source, elementsOf(grant, 'project')[0])],
    award: source.text(grant, 'award-number'),
    'award-start': dateOf(source.text(grant, 'award-start-date')),
    relation: relationsOf(source, grant, undefined, undefined),
    DOI: source.text(grant, 'doi_data/doi'),
    resource: resourceOf(source, grant),
  })
  source.noteUnused(grant, silent, notes)
  return json
}

function projectOf(source: XmlSource, project: XmlElement | undefined): Json {
  const people = source.take(project, 'investigators/person')
  const peopleIn = (role: string) => people.filter((each) => roleOf(each) === role).map(personOf)
  const markups = (name: string, member: string) =>
    source.take(project, name).map((each) => {
      return withValues({ [member]: markupOf(each), language: each.attributes['lang'] })
    })
  const days = source.take(project, 'award-dates')[0]?.attributes ?? {}
  const amount = source.take(project, 'award_amount')[0]
  return withValues({
    'project-title': markups('project-title', 'title'),
    'project-description': markups('description', 'description'),
    'lead-investigator': peopleIn('lead-investigator'),
    'co-lead-investigator': peopleIn('co-lead-investigator'),
    investigator: peopleIn('investigator'),
    funding: source.take(project, 'funding').map(grantFundingOf),
    'award-amount': amount && {
      amount: textOf(amount),
      currency: amount.attributes['currency'],
    },
    'award-start': dateOf(days['start-date']),
    'award-end': dateOf(days['end-date']),
    'award-planned-end': dateOf(days['planned-end-date']),
  })
}

function roleOf({ attributes }: XmlElement): string {
  const role = attributes['role']?.replaceAll('_', '-') ?? ''
  return role.endsWith('lead-investigator') ? role : 'investigator'
}

function personOf(person: XmlElement): Json {
  const texts = (name: string) => elementsOf(person, name).flatMap((each) => textOf(each) ?? [])
  return withValues({
    given: texts('givenName')[0],
    family: texts('familyName')[0],
    'alternate-name': texts('alternateName'),
    ORCID: texts('ORCID')[0],
    'role-start': dateOf(person.attributes['start-date']),
    'role-end': dateOf(person.attributes['end-date']),
    affiliation: elementsOf(person, 'affiliation').map((place) => {
      const [institution] = elementsOf(place, 'institution')
      return withValues({
        name: textOf(institution),
        country: institution?.attributes['country'],
        id: elementsOf(place, 'ROR').map((each) => ({ id: textOf(each), 'id-type': 'ROR' })),
      })
    }),
  })
}

function grantFundingOf(funding: XmlElement): Json {
  const { attributes } = funding
  const texts = (name: string) => elementsOf(funding, name).flatMap((each) => textOf(each) ?? [])
  const ids = [...texts('funder-id'), ...texts('ROR')]
  return withValues({
    type: attributes['funding-type'],
    scheme: texts('funding-scheme')[0],
    funder: withValues({ name: texts('funder-name')[0], id: ids.map((id) => ({ id })) }),
    'award-amount': withValues({
      amount: attributes['amount'],
      currency: attributes['currency'],
      percentage: attributes['funding-percentage'],
    }),
  })
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
  const kinds: Readonly<Record<string, string>> = closedTable({
    edited_book: 'edited-book',
    monograph: 'monograph',
    reference: 'reference-book',
    reference_entry: 'reference-entry',
    section: 'book-section',
    part: 'book-part',
    track: 'book-track',
  })
  const hasKind = element.name === 'book' || element.name === 'content_item'
  const kind = hasKind ? kinds[element.name === 'book' ? book : part] : undefined
  return { type: kind ?? types[element.name] ?? types[work.name] ?? 'other' }
}

/**
 * The titles of a work: further ones stand in blocks of their own. A subtitle that follows the
 * title in the original language is that one's.
 */
function titlesOf(source: XmlSource, work: XmlElement): Json {
  const found = Object.create(null) as Record<string, Json[]>
  const full = source.markup(work, 'full_title') ?? source.markup(work, 'proceedings_title')
  if (full !== undefined) found['title'] = [{ title: full }]
  for (const parts of source.take(work, 'titles').map((titles) => elementsOf(titles))) {
    let isOriginal = false
    for (const part of parts) {
      const title = markupOf(part)
      if (title === undefined) continue
      isOriginal ||= part.name === 'original_language_title'
      const member = titleMembers[part.name]
      if (member === undefined) continue
      const isOwn = isOriginal && member === 'subtitle'
      const list = (found[isOwn ? 'original-subtitle' : member] ??= [])
      const { language } = part.attributes
      list.push({ title, language: language ?? (isOriginal ? originalLanguage(parts) : undefined) })
    }
  }
  return found
}

const titleMembers: Readonly<Record<string, string>> = closedTable({
  title: 'title',
  subtitle: 'subtitle',
  original_language_title: 'original-title',
})

function originalLanguage(parts: readonly XmlElement[]): string | undefined {
  const original = parts.find(({ name }) => name === 'original_language_title')
  return original?.attributes['language']
}

/** The people of a work, and of the book or the conference that it is in, who have other roles. */
function peopleOf(
  source: XmlSource,
  element: XmlElement,
  work: XmlElement,
  container: XmlElement | undefined,
  around: XmlElement | undefined,
): Json {
  const own = contributorsOf(source, [work, ...(work === element ? [] : [element])])
  const issues = elementsOf(container, 'journal_issue')
  const places = [...issues, around, container].filter((each) => each !== undefined)
  const others = contributorsOf(source, places)
  const { author: _, ...more } = others
  return mergeLists([own, more])
}

function mergeLists(all: readonly Record<string, Json[]>[]): Record<string, Json[]> {
  const merged = Object.create(null) as Record<string, Json[]>
  for (const lists of all) {
    for (const [role, names] of Object.entries(lists)) (merged[role] ??= []).push(...names)
  }
  return merged
}

/** The people of a work by their roles, each in a list of its own. */
function contributorsOf(source: XmlSource, works: readonly XmlElement[]): Record<string, Json[]> {
  const lists = Object.create(null) as Record<string, Json[]>
  const people = works.flatMap((work) => [
    ...elementsAt(work, 'contributors').flatMap((each) => elementsOf(each)),
    // Dissertations have their author without a list around it.
    ...elementsOf(work, 'person_name'),
  ])
  for (const element of people) {
    const name = nameOf(source, element)
    if (name === undefined) continue
    // Since 5.5.0 a name may have several roles, of Crossref's list or of CRediT.
    const roles = source.take(element, 'role').map((role) => ({
      role: role.attributes['type'] ?? textOf(role),
      vocabulary: role.attributes['vocab'],
    }))
    const told = roles.find(({ vocabulary }) => vocabulary === 'crossref')?.role
    const role = element.attributes['contributor_role'] ?? told ?? 'author'
    const list = (lists[role] ??= [])
    list.push(withValues({ ...name, role: roles }))
  }
  return lists
}

function nameOf(source: XmlSource, element: XmlElement): Json | undefined {
  if (element.name === 'organization' || element.name === 'collab') {
    source.use(element)
    return { name: textOf(element) }
  }
  const affiliation = [
    ...source.texts(element, 'affiliation').map((name) => ({ name })),
    ...elementsAt(element, 'affiliations/institution').map((each) => institutionOf(source, each)),
  ]
  if (element.name === 'anonymous') {
    source.use(element)
    return withValues({ name: 'Anonymous', affiliation })
  }
  if (element.name !== 'person_name') return undefined
  const isAuthentic = elementsOf(element, 'ORCID')[0]?.attributes['authenticated'] === 'true'
  const name = withValues({
    given: source.text(element, 'given_name'),
    family: source.text(element, 'surname'),
    suffix: source.text(element, 'suffix'),
    ORCID: source.text(element, 'ORCID'),
    'name-style': element.attributes['name-style'],
    'authenticated-orcid': isAuthentic ? true : undefined,
    affiliation,
  })
  const whole = source.text(element, 'name')
  return whole === undefined || 'family' in name ? name : { ...name, literal: whole }
}

/** An institution with its identifier and what else is told of it. */
function institutionOf(source: XmlSource, institution: XmlElement): Json {
  source.use(institution)
  const ids = elementsOf(institution, 'institution_id').map((each) => ({
    id: textOf(each),
    'id-type': each.attributes['type']?.toUpperCase(),
  }))
  const texts = (name: string) =>
    elementsOf(institution, `institution_${name}`).flatMap((each) => textOf(each) ?? [])
  return withValues({
    name: texts('name')[0],
    id: ids,
    acronym: texts('acronym'),
    place: texts('place'),
    department: texts('department'),
  })
}

/** What holds a work: its titles, its numbers, and where it can be told apart. */
function containerJson(
  source: XmlSource,
  container: XmlElement,
  around: XmlElement | undefined,
): Json {
  const issue = elementsOf(container, 'journal_issue')[0]
  const series = elementsOf(around, 'series_metadata')[0]
  const title =
    source.markup(around, 'full_title') ??
    source.markup(around, 'proceedings_title') ??
    source.markup(around, 'titles/title')
  const subtitle = source.markup(around, 'titles/subtitle')
  const whole = subtitle === undefined ? title : `${title ?? ''}: ${subtitle}`
  return {
    'container-title': whole && [whole],
    'collection-title': source.markup(series, 'titles/title'),
    'series-number': source.text(series, 'series_number'),
    'series-issn': issnsOf(source, series),
    'issue-title': source.markup(issue, 'titles/title'),
    'short-container-title': source.text(around, 'abbrev_title'),
    ...typedNumbers(source, around),
    volume: source.text(issue, 'journal_volume/volume') ?? source.text(around, 'volume'),
    issue: source.text(issue, 'issue'),
    special_numbering: source.text(issue, 'special_numbering'),
    'edition-number': source.text(around, 'edition_number'),
    'proceedings-subject': source.text(around, 'proceedings_subject'),
    ...(container.name === 'conference' && { event: eventOf(source, container) }),
  }
}

/** Proceedings as a work of their own. */
function conferenceOf(source: XmlSource, element: XmlElement, work: XmlElement): Json {
  return {
    event: eventOf(source, element),
    'proceedings-subject': source.text(work, 'proceedings_subject'),
  }
}

function eventOf(source: XmlSource, container: XmlElement): Json {
  const event = elementsOf(container, 'event_metadata')[0]
  // Without attributes it is words alone.
  const [dated] = elementsOf(event, 'conference_date').filter(({ attributes }) => {
    return attributes['start_year'] !== undefined || attributes['end_year'] !== undefined
  })
  if (dated !== undefined) source.use(dated)
  const date = dated?.attributes ?? {}
  const at = (end: string) => {
    const parts = ['year', 'month', 'day'].map((name) => date[`${end}_${name}`])
    const known = parts.slice(0, parts.includes(undefined) ? parts.indexOf(undefined) : 3)
    return known.length === 0 ? undefined : { 'date-parts': [known.map(Number)] }
  }
  return withValues({
    name: source.text(event, 'conference_name'),
    theme: source.text(event, 'conference_theme'),
    acronym: source.text(event, 'conference_acronym'),
    sponsor: source.texts(event, 'conference_sponsor'),
    number: source.text(event, 'conference_number'),
    location: source.text(event, 'conference_location'),
    start: at('start'),
    end: at('end'),
  })
}

/** ISSNs and ISBNs with their media. */
function typedNumbers(source: XmlSource, parent: XmlElement | undefined): Json {
  const [issns, isbns] = [issnsOf(source, parent), issnsOf(source, parent, 'isbn')]
  return withValues({
    ISSN: issns.map(({ value }) => value),
    'issn-type': issns.filter(({ type }) => type !== undefined),
    ISBN: isbns.map(({ value }) => value),
    'isbn-type': isbns.filter(({ type }) => type !== undefined),
  })
}

function issnsOf(source: XmlSource, parent: XmlElement | undefined, name = 'issn') {
  return source.take(parent, name).flatMap((each) => {
    const value = textOf(each)
    return value === undefined ? [] : [{ value, type: each.attributes['media_type'] }]
  })
}

/** The numbers of a work that is no part of another: a book, a report, a standard. */
function numbersOf(source: XmlSource, metadata: XmlElement): Json {
  const series = elementsOf(metadata, 'series_metadata')[0]
  return withValues({
    ...typedNumbers(source, metadata),
    'series-issn': issnsOf(source, series),
    volume: source.text(metadata, 'volume'),
    'edition-number': source.text(metadata, 'edition_number'),
    'collection-title': source.markup(series, 'titles/title'),
    'series-number': source.text(series, 'series_number'),
  })
}

/** Those of a thesis, a report or a part of a book. */
function ownNumbersOf(source: XmlSource, work: XmlElement): Json {
  const isbn = typedNumbers(source, work)
  return withValues({
    ...isbn,
    'component-number': source.text(work, 'component_number'),
    'edition-number': source.text(work, 'edition_number'),
    degree: source.texts(work, 'degree'),
    'group-title': source.text(work, 'group_title'),
  })
}

/** The pages, and the other numbers by which the publisher knows the work. */
function pagesOf(source: XmlSource, work: XmlElement): Json {
  const first = source.text(work, 'pages/first_page')
  const last = source.text(work, 'pages/last_page')
  const others = source.text(work, 'pages/other_pages')
  const range = first && last ? `${first}-${last}` : first
  const numbers = [
    ...source.take(work, 'publisher_item/item_number'),
    ...source.take(work, 'item_number'),
  ]
  const isArticle = ({ attributes }: XmlElement) =>
    /^article[_-]?number$/.test(attributes['item_number_type'] ?? '')
  const ids = source.take(work, 'publisher_item/identifier').map((each) => ({
    identifier: textOf(each),
    type: (each.attributes['id_type'] ?? 'other').toUpperCase(),
  }))
  const items = numbers
    .filter((each) => !isArticle(each))
    .map((each) => ({
      identifier: textOf(each),
      type: each.attributes['item_number_type'] ?? 'Item number',
    }))
  return {
    page: [range, others].filter((each) => each !== undefined).join(', ') || undefined,
    'article-number': textOf(numbers.find(isArticle)),
    'alternative-id': [
      ...ids,
      ...items,
      ...designatorsOf(source, work),
      ...source.texts(work, 'contract_number').map((identifier) => {
        return { identifier, type: 'Contract number' }
      }),
    ],
  }
}

// What a standard is called by: as it was published, and with what it belongs to.
const designators: Readonly<Record<string, string>> = closedTable({
  std_designator: 'Standard designator',
  std_as_published: 'Standard designator',
  std_alt_as_published: 'Alternative standard designator',
  std_family_designator: 'Standard family designator',
  std_set_designator: 'Standard set designator',
  std_undated_designator: 'Undated standard designator',
})

function designatorsOf(source: XmlSource, standard: XmlElement): readonly Json[] {
  return Object.entries(designators).flatMap(([name, type]) =>
    source.take(standard, `designators/${name}`).flatMap((element) => {
      const { family, set, undated } = element.attributes
      const inside = elementsOf(element)
      const texts = inside.length === 0 ? [textOf(element)] : inside.map(textOf)
      return [
        ...texts.map((identifier) => ({ identifier, type })),
        { identifier: family, type: designators['std_family_designator'] },
        { identifier: set, type: designators['std_set_designator'] },
        { identifier: undated, type: designators['std_undated_designator'] },
      ].filter(({ identifier }) => identifier !== undefined)
    }),
  )
}

// Standards that a standard comes from, and how Crossref calls the same between other works.
const standardRelations: Readonly<Record<string, string>> = closedTable({
  std_supersedes: 'replaces',
  std_adopted_from: 'isDerivedFrom',
  std_revision_of: 'isVersionOf',
})

// The date in the JSON that an element is for; of publication it depends on the medium.
const dateMembers: Readonly<Record<string, string>> = closedTable({
  posted_date: 'posted',
  acceptance_date: 'accepted',
  approval_date: 'approved',
  creation_date: 'content-created',
  update_date: 'content-updated',
})

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
  if (place === undefined) return own
  const held = datesIn(source, place, notes)
  if (!own['issued']) return { ...held, ...own }
  const { issued: _, ...days } = held
  const [medium = '', day] = Object.entries(days)[0] ?? []
  const text = (value: unknown) => JSON.stringify(value).replace(/[\]}]+$/, '')
  const isSame = [own[medium], own['issued']].some((each) => {
    return each !== undefined && text(each).startsWith(text(day))
  })
  return isSame || place.name !== 'journal_issue' ? own : { ...own, 'issue-date': day }
}

function datesIn(source: XmlSource, work: XmlElement, notes: NoteList): Json {
  const dates = Object.create(null) as Record<string, Json>
  const published: (readonly number[])[] = []
  const elements = [
    ...elementsOf(work),
    ...elementsAt(work, 'database_date').flatMap((each) => elementsOf(each)),
  ]
  for (const element of elements) {
    const isPublished = element.name === 'publication_date' || element.name === 'review_date'
    const medium = element.attributes['media_type']
    const publishedAs = medium === undefined ? 'published' : `published-${medium}`
    const member = isPublished ? publishedAs : dateMembers[element.name]
    if (member === undefined) continue
    source.use(element)
    const parts = datePartsOf(element, notes)
    if (parts === undefined) continue
    if (dates[member] !== undefined) {
      const message = `There are several dates of this kind: ${parts.join('-')} is left out.`
      notes.add('repeated', element.name, message, { line: element.line })
      continue
    }
    const edtf = seasonOf(element)
    dates[member] = { 'date-parts': [parts], ...(edtf !== undefined && { edtf }) }
    if (isPublished || member === 'posted') published.push(parts)
  }
  // Theses and standards that say nothing else appeared when they were approved.
  const approved = dates['approved']?.['date-parts'] as readonly (readonly number[])[] | undefined
  if (published.length === 0 && approved?.[0] !== undefined) published.push(approved[0])
  const [issued] = published.toSorted(compareDates)
  return withValues({ ...dates, issued: issued && { 'date-parts': [issued] } })
}

// Of two dates of one year or month, the one with its day says more.
function compareDates(one: readonly number[], other: readonly number[]): number {
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at === undefined ? 0 : (one[at] ?? Infinity) - (other[at] ?? Infinity)
}

/** A season, or the months of a quarter, as EDTF has them. */
function seasonOf(element: XmlElement): string | undefined {
  const [year = '', month = ''] = ['year', 'month'].map((name) => {
    return textOf(elementsOf(element, name)[0])
  })
  if (!/^\d{4}$/.test(year) || !/^[23][1-4]$/.test(month)) return undefined
  if (month.startsWith('2')) return `${year}-${month}`
  const end = 3 * Number(month.slice(1))
  const months = [end - 2, end].map((each) => `${year}-${String(each).padStart(2, '0')}`)
  return months.join('/')
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
    const isLoss = seasonOf(element) === undefined
    notes.add('taken_as', element.name, message, { line: element.line, isLoss })
    return [year]
  }
  return day === undefined ? [year, month] : [year, month, day]
}

const abstractKinds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(abstractTypes).map(([kind, type]) => [type, kind]),
)

/** The abstract, and others in another language or of another kind. */
function abstractsOf(source: XmlSource, work: XmlElement, notes: NoteList): Json {
  const abstracts = elementsOf(work, 'abstract')
  const own = abstracts.find(({ attributes }) => attributes['abstract-type'] === undefined)
  const chosen = own ?? abstracts[0]
  if (chosen === undefined) {
    const [description] = source.take(work, 'description')
    return {
      abstract: textOf(description),
      'abstract-language': description?.attributes['language'],
    }
  }
  for (const each of abstracts) {
    source.use(each)
    const type = each.attributes['abstract-type']
    if (type === undefined || (each !== chosen && Object.hasOwn(abstractKinds, type))) continue
    const message = `abstract-type "${quote(type)}": it is taken as an abstract.`
    notes.add('taken_as', 'abstract', message, { line: each.line, isLoss: true })
  }
  const others = abstracts
    .filter((each) => each !== chosen)
    .map((each) => ({
      text: markupOf(each),
      kind: abstractKinds[each.attributes['abstract-type'] ?? ''] ?? 'abstract',
      language: each.attributes['lang'],
    }))
  const { language } = work.attributes
  const spoken = chosen.attributes['lang']
  return {
    abstract: markupOf(chosen),
    'abstract-language': spoken !== language ? spoken : undefined,
    'further-abstract': others,
  }
}

/** Who published a work, and the institutions behind it. */
function publisherOf(source: XmlSource, work: XmlElement, around: XmlElement | undefined): Json {
  const bodies = source.take(work, 'standards_body').map((body) => ({
    name: textOf(elementsOf(body, 'standards_body_name')[0]),
    acronym: elementsOf(body, 'standards_body_acronym').map(textOf),
  }))
  const publisher = source.text(work, 'publisher/publisher_name')
  const own = source.take(work, 'institution')
  const institutions = own.length > 0 ? own : source.take(around, 'institution')
  const held = own.length > 0 ? undefined : source.text(around, 'publisher/publisher_name')
  return {
    publisher: publisher ?? held,
    'publisher-location':
      source.text(work, 'publisher/publisher_place') ??
      source.text(around, 'publisher/publisher_place'),
    institution: institutions.map((each) => institutionOf(source, each)),
    'standards-body': bodies,
  }
}

const otherHosts = 'doi_data/collection'

/** The addresses of the work's page, here and with other hosts; files have others. */
function resourceOf(source: XmlSource, work: XmlElement): Json | undefined {
  const URL = source.text(work, 'doi_data/resource')
  const secondary = elementsAt(work, otherHosts).flatMap((collection) => {
    if (collection.attributes['property'] !== 'list-based') return []
    return source.take(collection, 'item').map((item) => {
      return withValues({
        URL: textOf(elementsOf(item, 'resource')[0]),
        label: item.attributes['label'],
      })
    })
  })
  return URL === undefined ? undefined : withValues({ primary: { URL }, secondary })
}

// What is told of access, and where it may stand.
const accessPaths = ['program', 'crossmark/custom_metadata/program']

function licensesOf(source: XmlSource, work: XmlElement): readonly Json[] {
  return accessPaths.flatMap((path) => {
    const licenses = source.take(work, `${path}/license_ref`).map((element) => {
      const { applies_to: version = 'unspecified', start_date: start } = element.attributes
      return withValues({
        URL: textOf(element),
        'content-version': version,
        start: dateOf(start),
      })
    })
    const policies = source.take(work, 'scn_policies/scn_policy_set').flatMap((set) => {
      const start = dateOf(set.attributes['start_date'])
      return elementsOf(set, 'scn_policy_ref').map((ref) => {
        return withValues({ URL: textOf(ref), 'content-version': 'stm-asf', start })
      })
    })
    return path === 'program' ? [...licenses, ...policies] : licenses
  })
}

function dateOf(text: string | undefined): Json | undefined {
  const parts = text?.split('-').map(Number)
  return parts === undefined || parts.includes(Number.NaN) ? undefined : { 'date-parts': [parts] }
}

function freeToRead(source: XmlSource, work: XmlElement): Json | undefined {
  const [free] = accessPaths.flatMap((path) => source.take(work, `${path}/free_to_read`))
  if (free === undefined) return undefined
  const { start_date: start, end_date: end } = free.attributes
  return withValues({ 'start-date': dateOf(start), 'end-date': dateOf(end) })
}

/** Files of a work beside its page: for text mining, checks of similarity and the like. */
function linksOf(source: XmlSource, work: XmlElement): readonly Json[] {
  return source.take(work, otherHosts).flatMap((collection) => {
    const { property } = collection.attributes
    if (property === 'list-based') return []
    return elementsOf(collection, 'item').flatMap((item) =>
      elementsOf(item, 'resource').map((resource) => {
        const { crawler } = item.attributes
        const use = crawler === 'similarity-check' ? 'similarity-checking' : property
        return withValues({
          URL: textOf(resource),
          'content-type': resource.attributes['mime_type'],
          'content-version': resource.attributes['content_version'],
          'intended-application': use,
        })
      }),
    )
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
    name: own === '' ? undefined : own,
    DOI: id,
    id: ror && [{ id: ror, 'id-type': 'ROR' }],
    award: named('award_number').flatMap((each) => textOf(each) ?? []),
  })
}

/** Relations by their names in the JSON, such as `is-supplemented-by`. */
function relationsOf(
  source: XmlSource,
  work: XmlElement,
  container: XmlElement | undefined,
  around: XmlElement | undefined,
): Json | undefined {
  const relations = Object.create(null) as Record<string, Json[]>
  const add = (type: string, relation: Json) => {
    const list = (relations[kebab(type)] ??= [])
    list.push(withValues(relation))
  }
  const { parent_doi: whole } = container?.attributes ?? {}
  // A journal is told by its numbers; a book, proceedings and a database are works.
  const held = container?.name === 'journal' ? undefined : source.text(around, 'doi_data/doi')
  const { parent_relation: parentRelation = 'isPartOf' } = work.attributes
  if (whole !== undefined) add(parentRelation, { 'id-type': 'doi', id: whole })
  if (held !== undefined && held !== whole) add('isPartOf', { 'id-type': 'doi', id: held })
  for (const item of programPaths.flatMap((path) => elementsAt(work, `${path}/related_item`))) {
    source.use(item)
    const description = textOf(elementsOf(item, 'description')[0])
    for (const element of elementsOf(item)) {
      const { attributes } = element
      const { 'relationship-type': type, 'identifier-type': idType = '', namespace } = attributes
      const id = textOf(element)
      if (type !== undefined && id !== undefined) {
        add(type, { 'id-type': idType, id, description, namespace })
      }
    }
  }
  for (const component of elementsAt(work, 'component_list/component')) {
    const id = source.text(component, 'doi_data/doi')
    const words = ['titles/title', 'description'].map((path) => source.text(component, path))
    const description = words.filter((text) => text !== undefined).join('. ') || undefined
    if (id !== undefined) add('hasComponent', { 'id-type': 'doi', id, description })
  }
  for (const [name, type] of Object.entries(standardRelations)) {
    for (const id of source.texts(work, `designators/${name}`)) {
      add(type, { 'id-type': 'standard designator', id })
    }
  }
  return Object.keys(relations).length === 0 ? undefined : relations
}

function updatesOf(source: XmlSource, work: XmlElement): readonly Json[] {
  return source.take(work, 'crossmark/updates/update').map((element) => {
    const { type, date } = element.attributes
    const { label } = element.attributes
    return withValues({
      DOI: textOf(element),
      type,
      label,
      updated: dateOf(date),
      source: 'publisher',
    })
  })
}

/** What Crossmark tells of a work, and the trials that it is about. */
function crossmarkOf(source: XmlSource, work: XmlElement): Json {
  const domains = source.texts(work, 'crossmark/crossmark_domains/crossmark_domain/domain')
  const restricted = source.text(work, 'crossmark/crossmark_domain_exclusive')
  const trials = programPaths.flatMap((path) => source.take(work, `${path}/clinical-trial-number`))
  const assertions = source.take(work, 'crossmark/custom_metadata/assertion').map((element) => {
    const { attributes } = element
    const { name, label, group_name, group_label, order, href, explanation } = attributes
    return withValues({
      name,
      label,
      value: markupOf(element),
      order: order === undefined ? undefined : Number(order),
      URL: href,
      explanation: explanation && { URL: explanation },
      group: group_name && withValues({ name: group_name, label: group_label }),
    })
  })
  return withValues({
    'update-policy': source.text(work, 'crossmark/crossmark_policy'),
    'content-domain':
      domains.length === 0
        ? undefined
        : { domain: domains, 'crossmark-restriction': restricted === 'true' },
    assertion: assertions,
    'clinical-trial-number': trials.map((each) => ({
      'clinical-trial-number': textOf(each),
      registry: each.attributes['registry'],
      type: each.attributes['type'],
    })),
  })
}

// Elements of a reference by the members of the JSON.
const citationMembers: Readonly<Record<string, string>> = Object.fromEntries(
  referenceParts.flatMap(([, member, ...elements]) => {
    return elements.map((name) => [name, member] as const)
  }),
)

function referenceOf(citation: XmlElement): Json {
  const members: Record<string, unknown> = {
    key: citation.attributes['key'],
    type: citation.attributes['type']?.replaceAll('_', '-'),
  }
  for (const each of elementsOf(citation)) {
    const member = citationMembers[each.name]
    if (each.name === 'standards_body') {
      members['standards-body'] = textOf(elementsOf(each, 'standards_body_name')[0] ?? each)
      members['standards-body-acronym'] = textOf(elementsOf(each, 'standards_body_acronym')[0])
    } else members[member ?? each.name] ??= markupOf(each)
  }
  return withValues(members)
}

/** Versions, states, copies in archives, formats, and what a review says of itself. */
function extrasOf(source: XmlSource, work: XmlElement, around: XmlElement | undefined): Json {
  const info = source.take(work, 'version_info')[0]
  const [status] = source.take(work, 'status')
  const standing = status?.attributes['type'] ?? work.attributes['publication_status']
  const format = source.take(work, 'format')[0]
  // Of an article the archives are those of its journal, unless it has its own.
  const own = source.take(work, 'archive_locations/archive')
  const archives = own.length > 0 ? own : source.take(around, 'archive_locations/archive')
  const words = textOf(elementsOf(status, 'description')[0])
  const { stage, type, recommendation } = work.attributes
  const { 'revision-round': round, language } = work.attributes
  const running = source.text(work, 'running_number')
  const statement = source.text(work, 'competing_interest_statement')
  return withValues({
    version: info && {
      version: textOf(elementsOf(info, 'version')[0]),
      description: elementsOf(info, 'description').map(textOf).join('; ') || undefined,
    },
    status: standing && {
      type: standing,
      update: dateOf(status?.attributes['date']),
      'status-description': words && [{ description: words }],
    },
    archive: archives.flatMap(({ attributes }) => attributes['name'] ?? []),
    format: format && [format.attributes['mime_type'], textOf(format)],
    review:
      work.name === 'peer_review'
        ? withValues({
            type,
            stage,
            recommendation,
            'revision-round': round,
            'running-number': running,
            'competing-interest-statement': statement,
            language,
          })
        : undefined,
  })
}
