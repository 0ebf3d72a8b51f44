import { wholeName } from '#actors/values/author_name.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { definedOf, someOf } from '#actors/values/serialization.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import type { GeoLocation } from '#actors/values/geo_location.ts'
import type { Funding } from '#actors/works/funding.ts'
import type { Reference } from '#actors/works/related_items.ts'
import type { Subject, Variable } from '#actors/works/titles.ts'
import { knownAuthor } from '#src/discovery/formats/author_names.ts'
import {
  codeRepositoryNote,
  type Container,
  type ContainerKind,
  containerOf,
  type DescribedAuthor,
  type DescribedMetadata,
  type DescribedWork,
  hasPages,
  isOpen,
  keywordsOf,
  locationsOf,
  openAccess,
  pageCountOf,
  pageRange,
  readContributor,
  relatedUrl,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import { plainTitle, unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

/** A thing in the vocabulary of schema.org, with things within it. */
export type Thing = Readonly<Record<string, unknown>>

/** Vocabularies beside schema.org, whose terms are written in full: how a thing came about … */
export const provNamespace = 'http://www.w3.org/ns/prov#'

/** … and that two things have to do with each other. */
export const termsNamespace = 'http://purl.org/dc/terms/'

/**
 * A work in the vocabulary of schema.org (JSON-LD). The text may stand in a `<script>` element of a
 * page as it is: no `<` is in it.
 */
export function formatSchemaOrg(work: DescribedWork): string {
  const thing = JSON.stringify(schemaOrgThing(work)).replaceAll('<', '\\u003c')
  return `{"@context":"https://schema.org",${thing.slice(1)}\n`
}

/** A work as a thing, without its context; members without a value are undefined. */
export function schemaOrgThing(work: DescribedWork): Thing {
  const { metadata, authors, url, publisher, registry, operator } = work
  const origin = url.slice(0, url.indexOf('/', 'https://'.length))
  const { work_type, license } = metadata
  const title = plainTitle(metadata)
  const container = containerOf(work)
  const isWithin = volumeContainers.has(container.kind)
  const isInBook = isWithin && container.kind !== 'journal'
  const { first: pageStart, last: pageEnd } = hasPages(work) ? pageRange(metadata) : {}
  const isOpenToAll = isOpen(work)
  const thing: Record<string, unknown> = {
    '@type': workTypes[work_type].schemaOrg,
    '@id': url,
    identifier: identifiersOf(work),
    name: title,
    headline: title,
    alternateName: metadata.titles?.map((each) => unmarkedTitle(each.title, each.markup)),
    author: someOf(authors.map(authorThing)),
    description: metadata.description,
    datePublished: metadata.published_date,
    dateModified: work.version === 1 ? undefined : work.updatedAt,
    // Of the content: the number of the record says nothing of it, but where that version is meant.
    version: metadata.resource_version ?? (work.isPinned ? String(work.version) : undefined),
    genre: metadata.resource_type,
    encodingFormat: metadata.formats,
    bookEdition: bookTypes.has(work_type) ? metadata.edition : undefined,
    numberOfPages: bookTypes.has(work_type) ? pageCountOf(metadata) : undefined,
    isbn: isInBook ? undefined : isbnsOf(work),
    issn: work_type === 'journal' ? issnsOf(work) : undefined,
    inSupportOf: work_type === 'thesis' ? metadata.degree : undefined,
    inLanguage: metadata.language,
    keywords: someOf(keywordsOf(metadata)),
    about: metadata.subjects?.map(subjectThing),
    variableMeasured: metadata.variables?.map(variableThing),
    spatialCoverage: metadata.geo_locations?.map(placeThing),
    license: license === undefined ? undefined : licenseNames(license).address,
    correction: correctionsOf(metadata),
    url,
    sameAs: someOf(sameAddresses(work)),
    publisher: publisher === undefined ? undefined : publisherThing(publisher, metadata),
    // The number in a series, which has no volumes and issues of its own here.
    position: isWithin ? undefined : positionOf(metadata),
    pageStart,
    pageEnd,
    funding: metadata.funding?.map(fundingThing),
    conditionsOfAccess: isOpenToAll ? openAccess : undefined,
    isAccessibleForFree: isOpenToAll ? true : undefined,
    creativeWorkStatus: standingNote(work),
    sdDatePublished: work.createdAt,
    sdPublisher: {
      '@type': 'Organization',
      '@id': origin,
      name: operator?.name ?? registry,
      url: origin,
    },
    [wasAttributedTo]: someOf(attributions(work)),
  }
  sayContributors(thing, metadata)
  if (metadata.dates !== undefined) sayDates(thing, metadata.dates)
  sayContent(thing, work)
  const held = heldIn(work, isInBook ? isbnsOf(work) : undefined)
  if (held !== undefined) say(thing, 'isPartOf', held)
  say(thing, 'subjectOf', receiptThing(work, origin))
  sayVersions(thing, work)
  sayRelated(thing, metadata, container)
  for (const reference of metadata.references ?? []) say(thing, 'citation', cited(reference))
  return thing
}

const wasAttributedTo = `${provNamespace}wasAttributedTo`

/** Says one thing more of another: what is said twice is a list. */
function say(thing: Record<string, unknown>, property: string, value: unknown): void {
  const said = thing[property]
  if (said === undefined) thing[property] = value
  else if (Array.isArray(said)) said.push(value)
  else thing[property] = [said, value]
}

function publisherThing(
  name: string,
  { publisher_id, publisher_place: location }: DescribedMetadata,
): Thing {
  return { '@type': 'Organization', '@id': publisher_id?.identifier, name, location }
}

function positionOf({ volume, issue }: DescribedMetadata): string | undefined {
  if (volume === undefined) return issue
  return issue === undefined ? volume : `${volume}, ${issue}`
}

/** Who had a part in a work beside its authors; roles without a property are named. */
function sayContributors(thing: Record<string, unknown>, { contributors }: DescribedMetadata) {
  for (const contributor of contributors ?? []) {
    const { role } = contributor
    const person = authorThing(readContributor(contributor))
    const property = roleProperties[role]
    if (property !== undefined) {
      say(thing, property, person)
      continue
    }
    const roleName = role.replaceAll('_', ' ')
    say(thing, 'contributor', { '@type': 'Role', roleName, contributor: person })
  }
}

const roleProperties: Readonly<Record<string, string>> = {
  editor: 'editor',
  translator: 'translator',
  producer: 'producer',
  sponsor: 'sponsor',
  rights_holder: 'copyrightHolder',
}

function subjectThing({ subject, scheme, uri, code }: Subject): Thing {
  return {
    '@type': 'DefinedTerm',
    '@id': uri,
    name: subject,
    termCode: code,
    inDefinedTermSet: scheme,
  }
}

function variableThing({ name, description, unit: unitText, uri: propertyID }: Variable): Thing {
  return { '@type': 'PropertyValue', name, description, unitText, propertyID }
}

/** The dates that schema.org has properties for. */
function sayDates(thing: Record<string, unknown>, dates: NonNullable<DescribedMetadata['dates']>) {
  for (const { kind, date } of dates) {
    if (kind === 'created') thing['dateCreated'] ??= date
    else if (kind === 'copyrighted') thing['copyrightYear'] ??= date
  }
  const covered = ['coverage', 'collected'].flatMap((kind) =>
    dates.filter((each) => each.kind === kind).map(({ date }) => date),
  )
  thing['temporalCoverage'] = someOf(covered)
}

function placeThing({ place, point, box, polygons }: GeoLocation): Thing {
  const shapes = [
    ...(point === undefined
      ? []
      : [{ '@type': 'GeoCoordinates', latitude: point.latitude, longitude: point.longitude }]),
    ...(box === undefined
      ? []
      : [{ '@type': 'GeoShape', box: `${box.south} ${box.west} ${box.north} ${box.east}` }]),
    ...(polygons ?? []).map(({ points }) => ({
      '@type': 'GeoShape',
      polygon: points.map(({ latitude, longitude }) => `${latitude} ${longitude}`).join(' '),
    })),
  ]
  return { '@type': 'Place', name: place, geo: someOf(shapes) }
}

/** What corrects a work, and that it was retracted. */
function correctionsOf({ update_notices }: DescribedMetadata): readonly string[] | undefined {
  if (update_notices === undefined) return undefined
  const own = update_notices.filter(({ direction }) => direction === 'of_this')
  const corrections = own.flatMap(({ doi }) => (doi === undefined ? [] : [doiUrl(doi)]))
  return someOf([...new Set(corrections)])
}

/** What a work cites, by address where it has one. */
function cited(reference: Reference): Thing {
  const { doi, url, text, title, volume_title } = reference
  const id = doi === undefined ? url : doiUrl(doi)
  const name = title ?? volume_title ?? text ?? reference.standard_designator
  return { '@type': 'CreativeWork', '@id': id, name }
}

function identifiersOf({ ark, metadata }: DescribedWork): readonly Thing[] {
  const { existing_doi: doi, alternate_identifiers: others } = metadata
  const all: Thing[] = []
  for (const { identifier, type } of others ?? []) all.push(identifierThing(type, identifier))
  all.push(identifierThing('ARK', ark))
  if (doi !== undefined) all.push({ ...identifierThing('DOI', doi), url: doiUrl(doi) })
  return all
}

function identifierThing(propertyID: string, value: string): Thing {
  return { '@type': 'PropertyValue', propertyID, value }
}

function authorThing(author: DescribedAuthor): Thing {
  const { name, orcid, name_type } = author
  const { parts, kind } = knownAuthor(author)
  const isGroup = name_type === undefined ? kind === 'group' : name_type === 'organization'
  return {
    '@type': isGroup ? 'Organization' : 'Person',
    '@id': orcid === undefined ? undefined : `https://orcid.org/${orcid}`,
    name: parts === undefined ? name : wholeName(parts),
    givenName: parts?.given === '' ? undefined : parts?.given,
    familyName: parts?.family,
    honorificSuffix: parts?.suffix,
    identifier: author.identifiers?.map(({ identifier, scheme }) =>
      identifierThing(scheme, identifier),
    ),
    affiliation: affiliationOf(author),
  }
}

function affiliationOf({ affiliation, ror, affiliations }: DescribedAuthor): unknown {
  const isNamed = affiliation !== undefined || ror !== undefined
  if (!isNamed && affiliations === undefined) return undefined
  const others = affiliations?.slice(1).map(({ identifier, name }) => {
    return { '@type': 'Organization', '@id': identifier, name }
  })
  const first = { '@type': 'Organization', '@id': ror, name: affiliation }
  const all = isNamed ? [first, ...(others ?? [])] : (others ?? [])
  return all.length > 1 ? all : all[0]
}

const containerTypes: Readonly<Record<ContainerKind, string>> = {
  journal: 'Periodical',
  book: 'Book',
  proceedings: 'Book',
  series: 'CreativeWorkSeries',
  event: 'CreativeWork',
  other: 'CreativeWork',
}

/** The types whose series is one of books. */
const bookTypes: ReadonlySet<WorkType> = new Set<WorkType>(['book', 'proceedings'])

/** The kinds of containers that have volumes and issues. */
const volumeContainers: ReadonlySet<ContainerKind> = new Set(['journal', 'book', 'proceedings'])

type NumbersOf = (work: DescribedWork) => string | readonly string[] | undefined

/** The ISBNs of a work, or of the book that holds it. */
const isbnsOf: NumbersOf = (work) => {
  return oneOf(work.metadata.isbn) ?? containerOf(work).isbn
}

/** The ISSNs of what holds a work; of a journal, its own. */
const issnsOf: NumbersOf = (work) => {
  return oneOf(work.metadata.issn) ?? containerOf(work).issn
}

function oneOf(numbers: readonly { readonly value: string }[] = []) {
  return numbers.length > 1 ? numbers.map(({ value }) => value) : numbers[0]?.value
}

/** What holds the work: an issue of a volume of the whole, the whole, or nothing. */
function heldIn(work: DescribedWork, isbn: ReturnType<NumbersOf>): Thing | undefined {
  const { metadata } = work
  const { volume, issue, issue_title, series_title, work_type } = metadata
  const { kind, title: name } = containerOf(work)
  const isInSeries = kind === 'series' && name === undefined && series_title !== undefined
  const issn = work_type === 'journal' ? undefined : issnsOf(work)
  if (isInSeries) return { issn, ...definedOf(seriesThing(series_title, metadata)) }
  const hasVolumes = volumeContainers.has(kind)
  const type = bookTypes.has(work_type) ? 'BookSeries' : containerTypes[kind]
  const isNamed = name !== undefined || issn !== undefined || isbn !== undefined
  let held: Thing | undefined = isNamed ? { '@type': type, name, issn, isbn } : undefined
  if (!hasVolumes) return held
  if (type === 'Book' && held !== undefined && series_title !== undefined) {
    held = { ...held, isPartOf: seriesThing(series_title, metadata) }
  }
  if (volume !== undefined) {
    held = { '@type': 'PublicationVolume', volumeNumber: volume, isPartOf: held }
  }
  if (issue !== undefined) {
    const title = issue_title
    held = { '@type': 'PublicationIssue', issueNumber: issue, name: title, isPartOf: held }
  }
  return held
}

/** The series that a book is in, with its number there. */
function seriesThing(name: string, { series_issn, series_number }: DescribedMetadata): Thing {
  const issn = series_issn?.map(({ value }) => value)
  return { '@type': 'BookSeries', name, issn, position: series_number }
}

function receiptThing({ receiptUrl }: DescribedWork, origin: string): Thing {
  return {
    '@type': 'DigitalDocument',
    name: 'Receipt',
    url: receiptUrl,
    [wasAttributedTo]: { '@id': origin },
  }
}

/** The other versions: the work of which this is one, its own address, the one before it. */
function sayVersions(thing: Record<string, unknown>, work: DescribedWork): void {
  const { version, latestVersion, isPinned, workUrl } = work
  const addressOf = (number: number) => `${workUrl}/v${number}`
  if (isPinned) say(thing, 'exampleOfWork', { '@id': workUrl })
  else if (latestVersion > 1) {
    say(thing, 'workExample', { '@id': addressOf(version), version: String(version) })
  }
  if (version === 1) return
  const before = addressOf(version - 1)
  say(thing, 'isBasedOn', { '@id': before, version: String(version - 1) })
  say(thing, `${provNamespace}wasRevisionOf`, { '@id': before })
}

function attributions({ authors }: DescribedWork): readonly Thing[] {
  return authors.flatMap(({ orcid }) => (orcid ? [{ '@id': `https://orcid.org/${orcid}` }] : []))
}

type Relation = RelatedIdentifier['relation']

/**
 * The properties that say what DataCite's relations say, `^` before those of the other thing. Those
 * of a supplement are the ones that DataCite gives out itself.
 */
const relationProperties: { readonly [R in Relation]?: string } = {
  IsPartOf: 'isPartOf',
  IsPublishedIn: 'isPartOf',
  HasPart: 'hasPart',
  Cites: 'citation',
  References: 'citation',
  IsCitedBy: '^citation',
  IsReferencedBy: '^citation',
  IsDerivedFrom: 'isBasedOn',
  IsNewVersionOf: 'isBasedOn',
  IsSupplementedBy: 'isBasedOn',
  IsSourceOf: '^isBasedOn',
  IsPreviousVersionOf: '^isBasedOn',
  IsSupplementTo: '^isBasedOn',
  IsVersionOf: 'exampleOfWork',
  HasVersion: 'workExample',
  IsTranslationOf: 'translationOfWork',
  HasTranslation: 'workTranslation',
  IsDescribedBy: 'subjectOf',
  IsDocumentedBy: 'subjectOf',
  IsReviewedBy: 'subjectOf',
  HasMetadata: 'subjectOf',
  Describes: 'about',
  Documents: 'about',
  Reviews: 'about',
}

/** What the work has to do with other things; relations without a property only say that it has. */
function sayRelated(
  thing: Record<string, unknown>,
  { related_identifiers = [] }: DescribedMetadata,
  { issn, isbn }: Container,
): void {
  for (const related of related_identifiers) {
    const { identifier, note, relation, scheme } = related
    if (note === codeRepositoryNote) {
      say(thing, codeRepositoryNote, identifier)
      continue
    }
    const isNamed = isOneNumber(identifier, scheme.endsWith('ISSN') ? issn : isbn)
    if (isNamed || relation === 'IsIdenticalTo') continue
    const id = identifierThing(scheme, identifier)
    const other = { '@type': 'CreativeWork', '@id': relatedUrl(related), identifier: id }
    const property = relationProperties[relation] ?? `${termsNamespace}relation`
    if (!property.startsWith('^')) {
      say(thing, property, other)
      continue
    }
    const reverse = (thing['@reverse'] ??= {}) as Record<string, unknown>
    say(reverse, property.slice(1), other)
  }
}

function isOneNumber(identifier: string, number: string | undefined): boolean {
  if (number === undefined) return false
  const bare = (text: string) => text.replaceAll('-', '').toUpperCase()
  return bare(identifier) === bare(number)
}

/** Addresses of the same work: of its DOI, and of what is said to be identical. */
function sameAddresses({ metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, related_identifiers = [] } = metadata
  const identical = related_identifiers.filter(({ relation }) => relation === 'IsIdenticalTo')
  const others = identical.flatMap((related) => relatedUrl(related) ?? [])
  return [...new Set([...(doi === undefined ? [] : [doiUrl(doi)]), ...others])]
}

function fundingThing(funding: Funding): Thing {
  const { funder, award, award_title: name, award_uri: url, identifier } = funding
  const isDoi = identifier !== undefined && /^10\.\d/.test(identifier)
  const id = isDoi ? doiUrl(identifier) : identifier
  return {
    '@type': 'Grant',
    identifier: award,
    name,
    url,
    funder: { '@type': 'Organization', '@id': id, name: funder },
  }
}

/** Where the content is: of a dataset a `distribution`, of all else an `encoding`. */
function sayContent(thing: Record<string, unknown>, work: DescribedWork): void {
  const isDataset = workTypes[work.metadata.work_type].schemaOrg === 'Dataset'
  const property = isDataset ? 'distribution' : 'encoding'
  const type = isDataset ? 'DataDownload' : 'MediaObject'
  for (const { url: contentUrl, name, media_type: encodingFormat, found } of locationsOf(work)) {
    say(thing, property, {
      '@type': type,
      name,
      contentUrl,
      encodingFormat,
      contentSize: typeof found?.size === 'number' ? `${found.size} B` : undefined,
      sha256: found?.hash?.replace(/^sha256:/, ''),
    })
  }
}
