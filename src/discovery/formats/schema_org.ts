import { wholeName } from '#actors/values/author_name.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import { type WorkType, workTypes } from '#actors/values/work_type.ts'
import type { GeoLocation } from '#actors/values/geo_location.ts'
import type { Funding } from '#actors/works/funding.ts'
import type { Affiliation } from '#actors/works/names.ts'
import type { Subject } from '#actors/works/titles.ts'
import { knownAuthor } from '#src/discovery/formats/author_names.ts'
import {
  type ContainerKind,
  containerOf,
  type DescribedAuthor,
  type DescribedMetadata,
  type DescribedWork,
  hasPages,
  isOpen,
  keywordsOf,
  openAccess,
  pageRange,
  relatedUrl,
  standingNote,
  withoutUndefined,
} from '#src/discovery/formats/described_work.ts'

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
  const thing = { '@context': 'https://schema.org', ...schemaOrgThing(work) }
  return `${JSON.stringify(thing).replaceAll('<', '\\u003c')}\n`
}

/** A work as a thing, without its context. */
export function schemaOrgThing(work: DescribedWork): Thing {
  const { metadata, authors, url, publisher, registry } = work
  const { origin } = new URL(url)
  const { work_title, work_type, license } = metadata
  return withoutUndefined({
    '@type': workTypes[work_type].schemaOrg,
    '@id': url,
    identifier: identifiersOf(work),
    name: work_title,
    headline: work_title,
    alternateName: metadata.titles?.map(({ title }) => title),
    author: listOf(authors.map(authorThing)),
    ...contributorThings(metadata),
    description: metadata.description,
    datePublished: metadata.published_date,
    dateModified: work.version === 1 ? undefined : work.updatedAt,
    version: metadata.resource_version ?? String(work.version),
    inLanguage: metadata.language,
    keywords: listOf(keywordsOf(metadata)),
    about: metadata.subjects?.map(subjectThing),
    ...whenAndWhere(metadata),
    license: license === undefined ? undefined : licenseNames(license).address,
    ...noticeThings(metadata),
    url,
    sameAs: listOf(sameAddresses(work)),
    publisher:
      publisher === undefined
        ? undefined
        : withoutUndefined({
            '@type': 'Organization',
            '@id': metadata.publisher_id?.identifier,
            name: publisher,
          }),
    ...placeOf(work),
    ...mergedThings([
      ...containersOf(work).map((thing) => ['isPartOf', thing] as const),
      ['subjectOf', receiptThing(work, origin)],
      ...versionThings(work),
      ...relatedThings(work),
      ...referenceThings(metadata),
    ]),
    funding: listOf((metadata.funding ?? []).map(fundingThing)),
    ...contentOf(work),
    ...(isOpen(work) && { conditionsOfAccess: openAccess, isAccessibleForFree: true }),
    creativeWorkStatus: standingNote(work),
    sdDatePublished: work.createdAt,
    sdPublisher: { '@type': 'Organization', '@id': origin, name: registry, url: origin },
    [`${provNamespace}wasAttributedTo`]: listOf(attributions(work)),
  })
}

function listOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

/** Who had a part in a work beside its authors; roles without a property are named. */
function contributorThings({ contributors }: DescribedMetadata): Thing {
  if (contributors === undefined) return {}
  const things = contributors.map(({ role, ...person }) => {
    const thing = authorThing({ ...person, name: person.name ?? person.family ?? '' })
    const property = roleProperties[role]
    if (property !== undefined) return [property, thing] as const
    const roleName = role.replaceAll('_', ' ')
    return ['contributor', { '@type': 'Role', roleName, contributor: thing }] as const
  })
  return mergedThings(things)
}

const roleProperties: Readonly<Record<string, string>> = {
  editor: 'editor',
  translator: 'translator',
  producer: 'producer',
  sponsor: 'sponsor',
  rights_holder: 'copyrightHolder',
}

function subjectThing({ subject, scheme, uri, code }: Subject): Thing {
  return withoutUndefined({
    '@type': 'DefinedTerm',
    '@id': uri,
    name: subject,
    termCode: code,
    inDefinedTermSet: scheme,
  })
}

/** The dates that schema.org has properties for, and the places that a work is about. */
function whenAndWhere({ dates, geo_locations }: DescribedMetadata): Thing {
  if (dates === undefined && geo_locations === undefined) return {}
  const of = (kind: string) => dates?.filter((each) => each.kind === kind).map(({ date }) => date)
  return withoutUndefined({
    dateCreated: of('created')?.[0],
    copyrightYear: of('copyrighted')?.[0],
    temporalCoverage: listOf([...(of('coverage') ?? []), ...(of('collected') ?? [])]),
    spatialCoverage: geo_locations?.map(placeThing),
  })
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
  return withoutUndefined({ '@type': 'Place', name: place, geo: listOf(shapes) })
}

/** What corrects a work, and that it was retracted. */
function noticeThings({ update_notices = [] }: DescribedMetadata): Thing {
  const own = update_notices.filter(({ direction }) => direction === 'of_this')
  const corrections = own.flatMap(({ doi }) => (doi === undefined ? [] : [doiUrl(doi)]))
  return corrections.length === 0 ? {} : { correction: [...new Set(corrections)] }
}

/** What a work cites, by address where it has one. */
function referenceThings({ references = [] }: DescribedMetadata): readonly Statement[] {
  return references.map((reference) => {
    const { doi, url, text, title, volume_title } = reference
    const id = doi === undefined ? url : doiUrl(doi)
    const name = title ?? volume_title ?? text ?? reference.standard_designator
    return ['citation', withoutUndefined({ '@type': 'CreativeWork', '@id': id, name })] as const
  })
}

function identifiersOf({ ark, metadata }: DescribedWork): readonly Thing[] {
  const doi = metadata.existing_doi
  const others = metadata.alternate_identifiers ?? []
  return [
    ...others.map(({ identifier: value, type }) => {
      return { '@type': 'PropertyValue', propertyID: type, value }
    }),
    { '@type': 'PropertyValue', propertyID: 'ARK', value: ark },
    ...(doi === undefined
      ? []
      : [{ '@type': 'PropertyValue', propertyID: 'DOI', value: doi, url: doiUrl(doi) }]),
  ]
}

function authorThing(author: DescribedAuthor): Thing {
  const { name, orcid, affiliation, ror, name_type } = author
  const { parts, kind } = knownAuthor(author)
  const isGroup = name_type === undefined ? kind === 'group' : name_type === 'organization'
  const further = author.affiliations?.slice(1) ?? []
  const first = withoutUndefined({ '@type': 'Organization', '@id': ror, name: affiliation })
  return withoutUndefined({
    '@type': isGroup ? 'Organization' : 'Person',
    '@id': orcid === undefined ? undefined : `https://orcid.org/${orcid}`,
    name: parts === undefined ? name : wholeName(parts),
    givenName: parts?.given === '' ? undefined : parts?.given,
    familyName: parts?.family,
    honorificSuffix: parts?.suffix,
    identifier: author.identifiers?.map(({ identifier, scheme }) => {
      return { '@type': 'PropertyValue', propertyID: scheme, value: identifier }
    }),
    affiliation: affiliationThing(
      affiliation === undefined && ror === undefined ? [] : [first],
      further,
    ),
  })
}

function affiliationThing(first: readonly Thing[], further: readonly Affiliation[]) {
  const others = further.map(({ identifier, name }) => {
    return withoutUndefined({ '@type': 'Organization', '@id': identifier, name })
  })
  const all = [...first, ...others]
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

/** Pages, and the number in a series, which has no volumes and issues of its own here. */
function placeOf(work: DescribedWork): Thing {
  const { volume, issue } = work.metadata
  const { first: pageStart, last: pageEnd } = hasPages(work) ? pageRange(work.metadata) : {}
  const numbers = hasVolumes(work) ? [] : [volume, issue].filter((number) => number !== undefined)
  return { position: numbers.join(', ') || undefined, pageStart, pageEnd }
}

function hasVolumes(work: DescribedWork): boolean {
  return ['journal', 'book', 'proceedings'].includes(containerOf(work).kind)
}

/** What holds the work: an issue of a volume of the whole, the whole, or nothing. */
function containersOf(work: DescribedWork): readonly Thing[] {
  const { volume, issue, work_type } = work.metadata
  const { kind, title: name, issn, isbn } = containerOf(work)
  const type = bookTypes.has(work_type) ? 'BookSeries' : containerTypes[kind]
  let held: Thing | undefined
  if ([name, issn, isbn].some((known) => known !== undefined)) {
    held = withoutUndefined({ '@type': type, name, issn, isbn })
  }
  if (!hasVolumes(work)) return held === undefined ? [] : [held]
  if (volume !== undefined) {
    held = withoutUndefined({ '@type': 'PublicationVolume', volumeNumber: volume, isPartOf: held })
  }
  if (issue !== undefined) {
    held = withoutUndefined({ '@type': 'PublicationIssue', issueNumber: issue, isPartOf: held })
  }
  return held === undefined ? [] : [held]
}

/** A property with one of its values; `^` before it says that it is one of the other thing. */
type Statement = readonly [property: string, value: unknown]

/** Statements as members: a property with several values has a list of them. */
function mergedThings(statements: readonly Statement[]): Thing {
  const values = new Map<string, unknown[]>()
  for (const [property, value] of statements) {
    values.set(property, [...(values.get(property) ?? []), value])
  }
  const members = [...values].map(
    ([name, some]) => [name, some.length > 1 ? some : some[0]] as const,
  )
  const reversed = members.filter(([name]) => name.startsWith('^'))
  const reverse = Object.fromEntries(reversed.map(([name, value]) => [name.slice(1), value]))
  return {
    ...Object.fromEntries(members.filter(([name]) => !name.startsWith('^'))),
    ...(reversed.length > 0 && { '@reverse': reverse }),
  }
}

function receiptThing({ receiptUrl }: DescribedWork, origin: string): Thing {
  return {
    '@type': 'DigitalDocument',
    name: 'Receipt',
    url: receiptUrl,
    [`${provNamespace}wasAttributedTo`]: { '@id': origin },
  }
}

/** The other versions: the work of which this is one, its own address, the one before it. */
function versionThings(work: DescribedWork): readonly Statement[] {
  const { version, latestVersion, isPinned, workUrl } = work
  const at = (number: number) => ({ '@id': `${workUrl}/v${number}`, version: String(number) })
  const before = version === 1 ? [] : [at(version - 1)]
  return [
    ...(isPinned ? [['exampleOfWork', { '@id': workUrl }] as const] : []),
    ...(!isPinned && latestVersion > 1 ? [['workExample', at(version)] as const] : []),
    ...before.map((thing) => ['isBasedOn', thing] as const),
    ...before.map((thing) => [`${provNamespace}wasRevisionOf`, { '@id': thing['@id'] }] as const),
  ]
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
function relatedThings(work: DescribedWork): readonly Statement[] {
  const { issn, isbn } = containerOf(work)
  const isNamed = ({ identifier, scheme }: RelatedIdentifier) =>
    scheme.endsWith('ISSN') ? isOneNumber(identifier, issn) : isOneNumber(identifier, isbn)
  return (work.metadata.related_identifiers ?? [])
    .filter((related) => !isNamed(related) && related.relation !== 'IsIdenticalTo')
    .map((related) => {
      const { relation, scheme, identifier } = related
      const id = { '@type': 'PropertyValue', propertyID: scheme, value: identifier }
      const thing = { '@type': 'CreativeWork', '@id': relatedUrl(related), identifier: id }
      const property = relationProperties[relation] ?? `${termsNamespace}relation`
      return [property, withoutUndefined(thing)] as const
    })
}

function isOneNumber(identifier: string, number: string | undefined): boolean {
  const bare = (text: string) => text.replaceAll('-', '').toUpperCase()
  return number !== undefined && bare(identifier) === bare(number)
}

/** Addresses of the same work: of its DOI, and of what is said to be identical. */
function sameAddresses({ metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, related_identifiers = [] } = metadata
  const identical = related_identifiers.filter(({ relation }) => relation === 'IsIdenticalTo')
  const others = identical.flatMap((related) => relatedUrl(related) ?? [])
  return [...new Set([...(doi === undefined ? [] : [doiUrl(doi)]), ...others])]
}

function fundingThing(funding: Funding) {
  const { funder, award, award_title: name, award_uri: url, identifier } = funding
  const isDoi = identifier !== undefined && /^10\.\d/.test(identifier)
  const id = isDoi ? doiUrl(identifier) : identifier
  return withoutUndefined({
    '@type': 'Grant',
    identifier: award,
    name,
    url,
    funder: withoutUndefined({ '@type': 'Organization', '@id': id, name: funder }),
  })
}

/** Where the content is: of a dataset a `distribution`, of all else an `encoding`. */
function contentOf({ content, metadata }: DescribedWork): Thing {
  if (content === undefined) return {}
  const isDataset = workTypes[metadata.work_type].schemaOrg === 'Dataset'
  const file = withoutUndefined({
    '@type': isDataset ? 'DataDownload' : 'MediaObject',
    contentUrl: content.url,
    encodingFormat: content.mediaType ?? undefined,
    contentSize: typeof content.size === 'number' ? `${content.size} B` : undefined,
    sha256: content.hash?.replace(/^sha256:/, ''),
  })
  return isDataset ? { distribution: file } : { encoding: file }
}
