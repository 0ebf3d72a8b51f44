import { closedTable } from '#actors/values/lazy_table.ts'
import { isLicenseAddress, licenseNames } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { workTypes } from '#actors/values/work_type.ts'
import type { WorkDate } from '#actors/works/publication.ts'
import type { Funding } from '#actors/works/funding.ts'
import type { Affiliation, AuthorDetail, Contributor } from '#actors/works/names.ts'
import type { RelatedItem } from '#actors/works/related_items.ts'
import type { Rights } from '#actors/works/rights.ts'
import type { Subject, Title } from '#actors/works/titles.ts'
import { isGrave, noticeNames } from '#actors/works/update_notices.ts'
import { invertedParts, knownAuthor, nameParts } from '#src/discovery/formats/author_names.ts'
import {
  contributorTypes,
  dateTypes,
  descriptionTypes,
  titleTypes,
} from '#src/discovery/formats/datacite_terms.ts'
import {
  containerOf,
  type ContainerKind,
  type DescribedAuthor,
  type DescribedMetadata,
  type DescribedWork,
  isOpen,
  keywordsOf,
  openAccess,
  pageRange,
  yearOf,
} from '#src/discovery/formats/described_work.ts'
import { unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

/** What DataCite demands and nobody told: its standard value for that. */
const unavailable = ':unav'

/** An identifier of a person, an organization or a place, in a scheme. */
export type Identified = { readonly id: string; readonly scheme: string; readonly uri?: string }

export type DataciteAffiliation = Partial<Identified> & { readonly name: string }

export type DataciteName = {
  /** `Family, Given` where the parts are known. */
  readonly name: string
  readonly nameType?: 'Personal' | 'Organizational'
  readonly lang?: string
  readonly givenName?: string
  readonly familyName?: string
  readonly identifiers?: readonly Identified[]
  readonly affiliations?: readonly DataciteAffiliation[]
  /** Of a contributor. */
  readonly type?: string
}

export type DataciteTitle = {
  readonly title: string
  readonly titleType?: string
  readonly lang?: string
}

export type DataciteRights = {
  readonly name?: string
  readonly uri?: string
  readonly identifier?: string
  readonly scheme?: string
  readonly schemeUri?: string
  readonly lang?: string
}

export type DataciteItem = {
  readonly type: string
  readonly relation: string
  readonly information?: string
  readonly identifier?: string
  readonly identifierType?: string
  readonly metadataScheme?: string
  readonly schemeUri?: string
  readonly schemeType?: string
  readonly creators?: readonly DataciteName[]
  readonly titles: readonly DataciteTitle[]
  readonly year?: string
  readonly volume?: string
  readonly issue?: string
  readonly number?: string
  readonly numberType?: string
  readonly firstPage?: string
  readonly lastPage?: string
  readonly publisher?: string
  readonly edition?: string
  readonly contributors?: readonly DataciteName[]
}

/** A work in the terms of DataCite's metadata schema 4.7, before it is JSON or XML. */
export type DataciteRecord = {
  readonly creators: readonly DataciteName[]
  readonly titles: readonly DataciteTitle[]
  readonly publisher: { readonly name: string; readonly lang?: string; readonly id?: Identified }
  readonly publicationYear: string
  readonly resourceType: { readonly general: string; readonly own: string }
  readonly language?: string
  readonly subjects: readonly Subject[]
  readonly contributors: readonly DataciteName[]
  readonly dates: readonly {
    readonly date: string
    readonly dateType: string
    readonly dateInformation?: string
  }[]
  /** Beside the ARK. */
  readonly alternateIdentifiers: readonly { readonly type: string; readonly value: string }[]
  readonly relatedIdentifiers: readonly RelatedIdentifier[]
  readonly container?: DataciteContainer
  readonly relatedItems: readonly DataciteItem[]
  readonly sizes: readonly string[]
  readonly formats: readonly string[]
  /** Of the content: the number of the record says nothing of it. */
  readonly version?: string
  readonly rights: readonly DataciteRights[]
  readonly descriptions: readonly {
    readonly description: string
    readonly descriptionType: string
    readonly lang?: string
  }[]
  readonly places: NonNullable<DescribedMetadata['geo_locations']>
  readonly funding: readonly Funding[]
  readonly files: readonly string[]
}

export type DataciteContainer = {
  readonly kind: ContainerKind
  readonly title: string
  readonly number?: { readonly issn?: string; readonly isbn?: string }
  readonly volume?: string
  readonly issue?: string
  readonly articleNumber?: string
  readonly chapterNumber?: string
  readonly firstPage?: string
  readonly lastPage?: string
  readonly edition?: string
}

/**
 * A work as DataCite describes it. The year of publication must be there: where it is not known it
 * is the year of the registration, when the work was made available here.
 */
export function dataciteRecord(work: DescribedWork): DataciteRecord {
  const { metadata, authors, content } = work
  const { work_type, language, funding = [], sizes, formats } = metadata
  const creators = authors.length === 0 ? [{ name: unavailable }] : authors.map(creatorOf)
  const size = typeof content?.size === 'number' ? [`${content.size} bytes`] : []
  const format = typeof content?.mediaType === 'string' ? [content.mediaType] : []
  return definedOf({
    creators,
    titles: titlesOf(metadata),
    publisher: publisherOf(work),
    publicationYear: yearOf(metadata) ?? work.createdAt.slice(0, 4),
    resourceType: {
      general: workTypes[work_type].datacite,
      own: metadata.resource_type ?? work_type.replaceAll('_', ' '),
    },
    language,
    subjects: subjectsOf(metadata),
    contributors: contributorsOf(work),
    dates: datesOf(work),
    alternateIdentifiers: alternatesOf(work),
    relatedIdentifiers: relationsOf(work),
    container: placeOf(work),
    relatedItems: itemsOf(metadata),
    sizes: sizes ?? size,
    formats: formats ?? format,
    version: metadata.resource_version,
    rights: rightsOf(work),
    descriptions: descriptionsOf(metadata),
    places: metadata.geo_locations ?? [],
    funding,
    files: (metadata.files ?? []).flatMap(({ url, kind }) => {
      return kind === undefined || kind === 'content' ? [url] : []
    }),
  })
}

function titlesOf(metadata: DescribedMetadata): readonly DataciteTitle[] {
  const { work_title, work_title_language, work_title_markup, language, titles } = metadata
  const title = unmarkedTitle(work_title, work_title_markup)
  const main = definedOf({ title, lang: work_title_language ?? language })
  return titles === undefined ? [main] : [main, ...titles.map(furtherTitle)]
}

function furtherTitle({ title: own, kind, language: lang, markup }: Title): DataciteTitle {
  const title = unmarkedTitle(own, markup)
  const titleType = kind === undefined ? undefined : titleTypes[kind]
  return definedOf({ title, titleType, lang })
}

function publisherOf({ metadata, publisher }: DescribedWork): DataciteRecord['publisher'] {
  const { publisher_id, publisher_language: lang } = metadata
  const id = publisher_id && {
    id: publisher_id.identifier,
    scheme: publisher_id.scheme,
    uri: publisher_id.scheme_uri,
  }
  return definedOf({
    name: publisher ?? unavailable,
    lang,
    id: id && definedOf(id),
  })
}

const nameTypes = {
  person: 'Personal',
  group: 'Organizational',
  organization: 'Organizational',
} as const

function creatorOf(author: DescribedAuthor): DataciteName {
  const { name_type: given } = author
  const isGroup = given === 'organization' || given === 'anonymous'
  const { parts, kind } = isGroup ? { parts: undefined, kind: undefined } : knownAuthor(author)
  return nameOf(author, parts, given === 'anonymous' ? undefined : (given ?? kind))
}

/** A name of whose owner nothing is guessed. */
function givenName(author: AuthorDetail): DataciteName {
  const { name = author.family ?? author.given ?? '', name_type: given } = author
  const isPerson = given !== 'organization' && author.family !== undefined
  const parts = isPerson ? nameParts({ ...author, name }) : undefined
  const kind = given === 'anonymous' ? undefined : (given ?? (isPerson ? 'person' : undefined))
  return nameOf({ ...author, name }, parts, kind)
}

function nameOf(
  author: DescribedAuthor,
  parts: ReturnType<typeof nameParts>,
  kind: keyof typeof nameTypes | undefined,
): DataciteName {
  return definedOf({
    name: parts === undefined ? author.name : invertedParts(parts),
    nameType: kind && nameTypes[kind],
    lang: kind === 'person' ? undefined : author.language,
    givenName: parts?.given === '' ? undefined : parts?.given,
    familyName: parts?.family,
    identifiers: identifiersOf(author),
    affiliations: affiliationsOf(author),
  })
}

// Where the schemes are that most identifiers are of.
const schemeUris: Readonly<Record<string, string>> = closedTable({
  ORCID: 'https://orcid.org',
  ROR: 'https://ror.org',
  ISNI: 'https://isni.org',
})

function identifiersOf({ orcid, identifiers = [] }: AuthorDetail): DataciteName['identifiers'] {
  const others = identifiers.map(({ identifier: id, scheme, scheme_uri }) => {
    return definedOf({ id, scheme, uri: scheme_uri ?? schemeUris[scheme] })
  })
  if (orcid === undefined) return others.length === 0 ? undefined : others
  return [{ id: orcid, scheme: 'ORCID', uri: 'https://orcid.org' }, ...others]
}

function affiliationsOf(author: AuthorDetail): DataciteName['affiliations'] {
  const { affiliation: name, ror, affiliations } = author
  if (affiliations !== undefined) return affiliations.map(affiliationOf)
  if (name === undefined && ror === undefined) return undefined
  return [
    // The schema wants a name, and the address of an institution is one.
    affiliationOf(
      definedOf({ name, identifier: ror, scheme: ror === undefined ? undefined : 'ROR' }),
    ),
  ]
}

function affiliationOf({ name, identifier: id, scheme, scheme_uri }: Affiliation) {
  return definedOf({
    name: name ?? id ?? '',
    id,
    scheme,
    uri: scheme_uri ?? schemeUris[scheme ?? ''],
  })
}

function subjectsOf(metadata: DescribedMetadata): readonly Subject[] {
  const words = keywordsOf(metadata).map((subject) => ({ subject }))
  const { subjects, group_title } = metadata
  const group = group_title === undefined ? [] : [{ subject: group_title, scheme: 'group title' }]
  return subjects === undefined ? [...words, ...group] : [...words, ...subjects, ...group]
}

function contributorsOf({ metadata, publisher }: DescribedWork): readonly DataciteName[] {
  const { contributors = [], institutions = [] } = metadata
  const behind = institutions.filter(({ name }) => name !== undefined && name !== publisher)
  return [
    ...contributors.map(contributorOf),
    ...behind.map((place) => {
      const { name, id, scheme, uri } = affiliationOf(place)
      const identifiers = id === undefined ? undefined : [{ id, scheme: scheme ?? 'Other', uri }]
      return {
        ...definedOf({ name, identifiers: identifiers?.map(definedOf) }),
        nameType: 'Organizational',
        type: 'HostingInstitution',
      } as const
    }),
  ]
}

/** The role of a contributor; one that DataCite has not is `Other`. */
function contributorOf({ role, ...person }: Contributor): DataciteName {
  const types: Readonly<Record<string, string>> = contributorTypes
  return { ...givenName(person), type: types[role] ?? 'Other' }
}

function datesOf(work: DescribedWork): DataciteRecord['dates'] {
  const { metadata, createdAt, updatedAt, withdrawal } = work
  const dates: DataciteRecord['dates'][number][] = []
  if (metadata.published_date !== undefined) {
    dates.push({ date: metadata.published_date, dateType: 'Issued' })
  }
  if (metadata.dates !== undefined) dates.push(...metadata.dates.map(dateOf))
  if (metadata.update_notices !== undefined) dates.push(...noticeDates(metadata.update_notices))
  if (metadata.access !== undefined) dates.push(...accessDates(metadata.access))
  dates.push({ date: createdAt, dateType: 'Other', dateInformation: 'Registered' })
  if (withdrawal !== undefined) {
    const { at, reason } = withdrawal
    dates.push({ date: at, dateType: 'Withdrawn', dateInformation: reason.replaceAll('_', ' ') })
  } else if (updatedAt !== createdAt) dates.push({ date: updatedAt, dateType: 'Updated' })
  return dates
}

function dateOf({ date, kind, note }: WorkDate): DataciteRecord['dates'][number] {
  const types: Readonly<Record<string, string>> = dateTypes
  const dateType = types[kind]
  if (dateType !== undefined) return definedOf({ date, dateType, dateInformation: note })
  const dateInformation = note === undefined ? kind : `${kind}: ${note}`
  return { date, dateType: 'Other', dateInformation }
}

/** From when, and until when, everybody can read a work. */
function accessDates({ start_date, end_date }: NonNullable<DescribedMetadata['access']>) {
  if (start_date === undefined && end_date === undefined) return []
  const date = end_date === undefined ? start_date : `${start_date ?? '..'}/${end_date}`
  return [{ date: date ?? '', dateType: 'Available', dateInformation: 'free to read' }]
}

type Notices = NonNullable<DescribedMetadata['update_notices']>

// Kinds of notices after which a work is not to be relied on.
const withdrawing: ReadonlySet<string> = new Set(['retraction', 'removal', 'withdrawal'])

/** When a work was retracted, removed or withdrawn, or concern was expressed, and why. */
function noticeDates(notices: Notices): DataciteRecord['dates'] {
  return notices.flatMap(({ kind, direction, date, reason }) => {
    if (direction !== 'of_this' || date === undefined || !isGrave(kind)) return []
    const dateInformation = reason === undefined ? kind : `${kind}: ${reason}`
    return [{ date, dateType: withdrawing.has(kind) ? 'Withdrawn' : 'Other', dateInformation }]
  })
}

/** What no date tells: that a work was retracted, nobody knows when. */
function undatedNotices(notices: Notices): DataciteRecord['descriptions'] {
  const undated = notices.filter(({ kind, direction, date }) => {
    return direction === 'of_this' && date === undefined && isGrave(kind)
  })
  return undated.map(({ kind, reason }) => {
    const description = [noticeNames[kind], reason].filter(Boolean).join(': ')
    return { description, descriptionType: 'Other' }
  })
}

function alternatesOf({ metadata, url, content }: DescribedWork) {
  const { existing_doi: doi, alternate_identifiers, work_url } = metadata
  const others =
    alternate_identifiers?.map(({ identifier: value, type }) => ({ type, value })) ?? []
  return [
    ...(doi === undefined ? [] : [{ type: 'DOI', value: doi }]),
    { type: 'URL', value: url },
    ...(content && work_url !== undefined ? [{ type: 'Content URL', value: work_url }] : []),
    ...others,
    ...ownNumbers(metadata),
  ]
}

// Works that have an ISBN of their own, and not that of the book that they are in.
const bound: ReadonlySet<string> = new Set(['book', 'proceedings', 'thesis', 'report'])

function ownNumbers({ work_type, isbn = [] }: DescribedMetadata) {
  return bound.has(work_type) ? isbn.map(({ value }) => ({ type: 'ISBN', value })) : []
}

const issnSchemes = { print: 'ISSN', electronic: 'EISSN', linking: 'LISSN' } as const

function numberedBy(relation: 'IsPublishedIn' | 'IsPartOf') {
  return ({ value, kind = 'print' }: NonNullable<DescribedMetadata['issn']>[number]) => {
    return { identifier: value, scheme: issnSchemes[kind], relation }
  }
}

function relationsOf({ metadata, receiptUrl }: DescribedWork): readonly RelatedIdentifier[] {
  const { related_identifiers = [], references, update_notices, issn, isbn, series_issn } = metadata
  const own = { identifier: receiptUrl, scheme: 'URL', relation: 'HasMetadata' } as const
  const hasMore = references ?? update_notices ?? issn ?? isbn ?? series_issn
  if (hasMore === undefined) return [...related_identifiers, own]
  const cited = (references ?? []).flatMap(({ doi }) => {
    return doi === undefined
      ? []
      : [{ identifier: doi, scheme: 'DOI', relation: 'References' } as const]
  })
  const told = (update_notices ?? []).flatMap(({ kind, direction, doi, ark }) => {
    const words = kind.replaceAll('_', ' ')
    const note = direction === 'of_this' ? `has ${words}` : `is ${words} of`
    const identifier = doi ?? ark
    const scheme = doi === undefined ? 'ARK' : 'DOI'
    return identifier === undefined
      ? []
      : [{ identifier, scheme, relation: 'Other', note } as const]
  })
  // The first number of what holds the work stands with its title, where that has one.
  const { number: first } = placeOf({ metadata }) ?? {}
  const stands = ({ value }: { readonly value: string }) =>
    value === first?.issn || (first?.issn === undefined && value === first?.isbn)
  const issns = [
    ...(issn ?? []).filter((each) => !stands(each)).map(numberedBy('IsPublishedIn')),
    ...(series_issn ?? [])
      .slice(metadata.series_title === undefined ? 0 : 1)
      .map(numberedBy('IsPartOf')),
  ]
  const isbns = (bound.has(metadata.work_type) ? [] : (isbn ?? []))
    .filter((each) => !stands(each))
    .map(({ value }) => {
      return { identifier: value, scheme: 'ISBN', relation: 'IsPublishedIn' } as const
    })
  const all = [...related_identifiers, ...cited, ...told, ...issns, ...isbns, own]
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}

function placeOf({ metadata }: Pick<DescribedWork, 'metadata'>): DataciteContainer | undefined {
  const { volume, issue, related_items, article_number, chapter_number, edition } = metadata
  const { kind, title, issn, isbn } = containerOf({ metadata })
  if (title === undefined) return undefined
  // What is described as a whole is not described again.
  if (related_items?.some((item) => isHolding(item, title))) return undefined
  const { first: firstPage, last: lastPage } = pageRange(metadata)
  const number = definedOf({ issn, isbn })
  const isPage = article_number !== undefined && firstPage === article_number
  return definedOf({
    kind,
    title,
    number,
    volume,
    issue,
    articleNumber: article_number,
    chapterNumber: chapter_number,
    firstPage: isPage ? undefined : firstPage,
    lastPage,
    edition,
  })
}

function isHolding({ relation, titles = [] }: RelatedItem, title: string): boolean {
  return relation === 'IsPublishedIn' && titles.some((each) => each.title === title)
}

function itemsOf(metadata: DescribedMetadata): readonly DataciteItem[] {
  const { related_items, references, event, series_title } = metadata
  if ((related_items ?? references ?? event ?? series_title) === undefined) return []
  const { series_number: volume, series_issn: [issn] = [] } = metadata
  return [
    ...(related_items ?? []).map(itemOf),
    ...(series_title === undefined
      ? []
      : [
          definedOf({
            type: 'Collection',
            relation: 'IsPartOf',
            identifier: issn?.value,
            identifierType: issn && issnSchemes[issn.kind ?? 'print'],
            titles: [{ title: series_title }],
            volume,
          }),
        ]),
    ...(event === undefined ? [] : [eventItem(event)]),
    ...(references ?? []).flatMap(referenceItem),
  ]
}

function itemOf(item: RelatedItem): DataciteItem {
  const { number_type, authors, contributors, identifier, issn, isbn } = item
  const number = issn ?? isbn
  const type = number_type && `${number_type.charAt(0).toUpperCase()}${number_type.slice(1)}`
  return definedOf({
    type: workTypes[item.type ?? 'other'].datacite,
    relation: item.relation,
    information: item.note,
    identifier: identifier ?? number,
    identifierType:
      identifier === undefined ? number && (issn ? 'ISSN' : 'ISBN') : itemScheme(item),
    metadataScheme: item.metadata_scheme,
    schemeUri: item.scheme_uri,
    schemeType: item.scheme_type,
    creators: authors?.map(givenName),
    // What has no title is called by its identifier.
    titles: item.titles?.map(furtherTitle) ?? [{ title: identifier ?? '' }],
    year: /^\d{4}$/.test(item.year ?? '') ? item.year : undefined,
    volume: item.volume,
    issue: item.issue,
    number: item.number,
    numberType: type,
    firstPage: item.first_page,
    lastPage: item.last_page,
    publisher: item.publisher,
    edition: item.edition,
    contributors: contributors?.map(contributorOf),
  })
}

const schemeNames: ReadonlySet<string> = new Set(
  (
    'ARK arXiv bibcode CSTR DOI EAN13 EISSN Handle IGSN ISBN ISSN ISTC LISSN LSID PMID PURL RAiD ' +
    'RRID SWHID UPC URL URN w3id'
  ).split(' '),
)

/** The scheme of an identifier, if the schema has it. */
function itemScheme({ identifier_type = '' }: RelatedItem): string | undefined {
  return schemeNames.has(identifier_type) ? identifier_type : undefined
}

function eventItem(event: NonNullable<DescribedMetadata['event']>): DataciteItem {
  const { name, acronym, number, start_date } = event
  const titles = [{ title: name }, ...(acronym ? [{ title: acronym, titleType: 'Other' }] : [])]
  return definedOf({
    type: 'Event',
    relation: 'Other',
    information: 'was made for',
    titles,
    year: start_date?.slice(0, 4),
    number,
    numberType: number === undefined ? undefined : 'Other',
  })
}

type Reference = NonNullable<DescribedMetadata['references']>[number]

/** A reference without a DOI, which is told among the related identifiers. */
function referenceItem(reference: Reference): readonly DataciteItem[] {
  const { doi, text, title, volume_title, container_title, year, author } = reference
  const named = title ?? volume_title ?? text ?? reference.standard_designator ?? container_title
  if (doi !== undefined || named === undefined) return []
  const number = reference.isbn ?? reference.issn
  return [
    definedOf({
      type: reference.isbn === undefined ? 'Other' : 'Book',
      relation: 'References',
      identifier: number,
      identifierType: number && (reference.isbn === undefined ? 'ISSN' : 'ISBN'),
      creators: author === undefined ? undefined : [{ name: author }],
      titles: [{ title: named }],
      year: /^\d{4}$/.test(year ?? '') ? year : undefined,
      volume: reference.volume,
      issue: reference.issue,
      firstPage: reference.first_page,
      lastPage: reference.last_page,
      edition: reference.edition,
    }),
  ]
}

/** The licence, and that everybody can read the content, in the words of COAR. */
function rightsOf(work: DescribedWork): readonly DataciteRights[] {
  const { license, rights: further } = work.metadata
  const rights: DataciteRights[] = license === undefined ? [] : [licenseRights(license)]
  if (further !== undefined) rights.push(...further.map(rightOf))
  if (isOpen(work)) rights.push({ uri: openAccess, name: 'open access' })
  return rights
}

function licenseRights(license: string): DataciteRights {
  const { address: uri, name } = licenseNames(license)
  if (isLicenseAddress(license)) return { uri, name }
  return {
    uri,
    identifier: license,
    scheme: 'SPDX',
    schemeUri: 'https://spdx.org/licenses/',
    name,
  }
}

/** Rights of another stage of the text name it. */
function rightOf({ license, text, applies_to, start_date, ...more }: Rights): DataciteRights {
  const known = license === undefined ? undefined : licenseRights(license)
  const from = start_date === undefined ? undefined : `from ${start_date}`
  const about = [applies_to?.replaceAll('_', ' '), from].filter(Boolean).join(', ')
  const name = text ?? known?.name ?? more.identifier ?? more.uri ?? ''
  return definedOf({
    uri: more.uri ?? known?.uri,
    identifier: more.identifier ?? known?.identifier,
    scheme: more.scheme ?? known?.scheme,
    schemeUri: more.scheme_uri ?? known?.schemeUri,
    lang: more.language,
    name: about === '' ? name : `${name} (${about})`,
  })
}

function descriptionsOf(metadata: DescribedMetadata): DataciteRecord['descriptions'] {
  const { description, description_language, descriptions, resource_version_note: news } = metadata
  const { update_notices: notices } = metadata
  const lang = description_language ?? metadata.language
  const main = description === undefined ? [] : [definedOf({ description, lang })]
  const told = main.map((each) => ({ ...each, descriptionType: 'Abstract' }))
  if ((descriptions ?? news ?? notices) === undefined) return told
  const others = (descriptions ?? []).map(({ description: text, kind, language }) => {
    return definedOf({
      description: text,
      descriptionType: descriptionTypes[kind],
      lang: language,
    })
  })
  const version =
    news === undefined ? [] : [{ description: news, descriptionType: 'TechnicalInfo' }]
  return [...told, ...others, ...version, ...undatedNotices(notices ?? [])]
}
