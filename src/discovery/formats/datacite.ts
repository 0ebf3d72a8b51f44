import { doiUrl } from '#actors/values/identifier.ts'
import { isLicenseAddress, licenseNames } from '#actors/values/license.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { invertedParts, knownAuthor } from '#src/discovery/formats/author_names.ts'
import {
  type Container,
  containerOf,
  type ContainerKind,
  type DescribedAuthor,
  type DescribedWork,
  isOpen,
  keywordsOf,
  openAccess,
  pageRange,
  withoutUndefined,
  yearOf,
} from '#src/discovery/formats/described_work.ts'
import {
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The namespace of DataCite's schema, whose minor versions only add to it. */
export const dataciteNamespace = 'http://datacite.org/schema/kernel-4'

/** What DataCite demands and nobody told: its standard value for that. */
const unavailable = ':unav'

type Creator = {
  /** `Family, Given` where the parts are known. */
  readonly name: string
  readonly nameType?: 'Personal' | 'Organizational'
  readonly givenName?: string
  readonly familyName?: string
  readonly orcid?: string
  readonly affiliation?: { readonly name?: string; readonly ror?: string }
}

type Rights = { readonly uri: string; readonly spdx?: string; readonly name: string }

/** A work in the terms of DataCite's metadata schema 4, before it is JSON or XML. */
type DataciteRecord = {
  readonly creators: readonly Creator[]
  readonly title: string
  readonly publisher: string
  readonly publicationYear: string
  readonly resourceType: { readonly general: string; readonly own: string }
  readonly language?: string
  readonly subjects: readonly string[]
  readonly dates: readonly {
    readonly date: string
    readonly dateType: string
    readonly dateInformation?: string
  }[]
  /** Beside the ARK. */
  readonly alternateIdentifiers: readonly { readonly type: string; readonly value: string }[]
  readonly relatedIdentifiers: readonly {
    readonly identifier: string
    readonly scheme: string
    readonly relation: string
  }[]
  readonly container?: {
    readonly kind: ContainerKind
    readonly title: string
    readonly number?: Pick<Container, 'issn' | 'isbn'>
    readonly volume?: string
    readonly issue?: string
    readonly firstPage?: string
    readonly lastPage?: string
  }
  readonly size?: string
  readonly format?: string
  readonly version: string
  readonly rights: readonly Rights[]
  readonly description?: string
  readonly funding: readonly { readonly funder: string; readonly award?: string }[]
}

/**
 * A work as DataCite describes it. The year of publication must be there: where it is not known it
 * is the year of the registration, when the work was made available here.
 */
function dataciteRecord(work: DescribedWork): DataciteRecord {
  const { metadata, authors, content, publisher = unavailable } = work
  const { work_title, work_type, language, description, funding = [] } = metadata
  const creators = authors.length === 0 ? [{ name: unavailable }] : authors.map(creatorOf)
  return withoutUndefined({
    creators,
    title: work_title,
    publisher,
    publicationYear: yearOf(metadata) ?? work.createdAt.slice(0, 4),
    resourceType: { general: workTypes[work_type].datacite, own: work_type.replaceAll('_', ' ') },
    language,
    subjects: keywordsOf(metadata),
    dates: datesOf(work),
    alternateIdentifiers: alternatesOf(work),
    relatedIdentifiers: [
      ...(metadata.related_identifiers ?? []),
      { identifier: work.receiptUrl, scheme: 'URL', relation: 'HasMetadata' },
    ],
    container: placeOf(work),
    size: typeof content?.size === 'number' ? `${content.size} bytes` : undefined,
    format: content?.mediaType ?? undefined,
    version: String(work.version),
    rights: rightsOf(work),
    description,
    funding,
  })
}

const nameTypes = { person: 'Personal', group: 'Organizational' } as const

function creatorOf(author: DescribedAuthor): Creator {
  const { name, orcid, affiliation, ror } = author
  const { parts, kind } = knownAuthor(author)
  return withoutUndefined({
    name: parts === undefined ? name : invertedParts(parts),
    nameType: kind && nameTypes[kind],
    givenName: parts?.given === '' ? undefined : parts?.given,
    familyName: parts?.family,
    orcid,
    affiliation: affiliationOf(affiliation, ror),
  })
}

function affiliationOf(name: string | undefined, ror: string | undefined): Creator['affiliation'] {
  return name === undefined && ror === undefined ? undefined : withoutUndefined({ name, ror })
}

function datesOf(work: DescribedWork): DataciteRecord['dates'] {
  const { metadata, createdAt, updatedAt, withdrawal } = work
  const dates: DataciteRecord['dates'][number][] = []
  if (metadata.published_date !== undefined) {
    dates.push({ date: metadata.published_date, dateType: 'Issued' })
  }
  dates.push({ date: createdAt, dateType: 'Other', dateInformation: 'Registered' })
  if (withdrawal !== undefined) {
    const { at, reason } = withdrawal
    dates.push({ date: at, dateType: 'Withdrawn', dateInformation: reason.replaceAll('_', ' ') })
  } else if (updatedAt !== createdAt) dates.push({ date: updatedAt, dateType: 'Updated' })
  return dates
}

function alternatesOf({ metadata, url, content }: DescribedWork) {
  const doi = metadata.existing_doi
  const isDoi = doi !== undefined && content?.url === doiUrl(doi)
  return [
    ...(doi === undefined ? [] : [{ type: 'DOI', value: doi }]),
    { type: 'URL', value: url },
    ...(content === undefined || isDoi ? [] : [{ type: 'Content URL', value: content.url }]),
  ]
}

function placeOf(work: DescribedWork): DataciteRecord['container'] {
  const { volume, issue } = work.metadata
  const { kind, title, issn, isbn } = containerOf(work)
  if (title === undefined) return undefined
  const { first: firstPage, last: lastPage } = pageRange(work.metadata)
  const number = withoutUndefined({ issn, isbn })
  return withoutUndefined({ kind, title, number, volume, issue, firstPage, lastPage })
}

/** The licence, and that everybody can read the content, in the words of COAR. */
function rightsOf(work: DescribedWork): readonly Rights[] {
  const { license } = work.metadata
  const rights: Rights[] = []
  if (license !== undefined) {
    const { address: uri, name } = licenseNames(license)
    rights.push(isLicenseAddress(license) ? { uri, name } : { uri, spdx: license, name })
  }
  if (isOpen(work)) rights.push({ uri: openAccess, name: 'open access' })
  return rights
}

/** A work as DataCite's JSON (schema 4), identified by its ARK. */
export function formatDataciteJson(work: DescribedWork): string {
  const record = dataciteRecord(work)
  const { title, language: lang, publisher, publicationYear, description, rights } = record
  return `${JSON.stringify(
    withoutUndefined({
      id: work.ark,
      identifiers: [{ identifier: work.ark, identifierType: 'ARK' }],
      doi: work.metadata.existing_doi,
      url: work.url,
      types: typesOf(work, record),
      creators: record.creators.map(creatorObject),
      titles: [withoutUndefined({ title, lang })],
      publisher: { name: publisher },
      container: record.container && containerObject(record.container),
      publicationYear: Number(publicationYear),
      subjects: listOf(record.subjects.map((subject) => ({ subject }))),
      dates: record.dates,
      language: lang,
      alternateIdentifiers: record.alternateIdentifiers.map(({ type, value }) => {
        return { alternateIdentifier: value, alternateIdentifierType: type }
      }),
      relatedIdentifiers: record.relatedIdentifiers.map(({ identifier, scheme, relation }) => {
        return {
          relatedIdentifier: identifier,
          relatedIdentifierType: scheme,
          relationType: relation,
        }
      }),
      sizes: record.size && [record.size],
      formats: record.format && [record.format],
      version: record.version,
      rightsList: listOf(rights.map(rightsObject)),
      descriptions: description && [
        withoutUndefined({ description, descriptionType: 'Abstract', lang }),
      ],
      fundingReferences: listOf(record.funding.map(fundingObject)),
      schemaVersion: dataciteNamespace,
    }),
  )}\n`
}

function listOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

function typesOf({ metadata }: DescribedWork, { resourceType }: DataciteRecord) {
  const { ris, bibtex, csl, schemaOrg } = workTypes[metadata.work_type]
  return {
    resourceTypeGeneral: resourceType.general,
    resourceType: resourceType.own,
    ris,
    bibtex,
    citeproc: csl,
    schemaOrg,
  }
}

function creatorObject({ orcid, affiliation, ...creator }: Creator): Record<string, unknown> {
  return withoutUndefined({
    ...creator,
    nameIdentifiers: orcid && [
      {
        nameIdentifier: `https://orcid.org/${orcid}`,
        nameIdentifierScheme: 'ORCID',
        schemeUri: 'https://orcid.org',
      },
    ],
    affiliation: affiliation && [affiliationObject(affiliation)],
  })
}

function affiliationObject({ name, ror }: NonNullable<Creator['affiliation']>) {
  return withoutUndefined({
    name: name ?? ror,
    ...(ror !== undefined && {
      affiliationIdentifier: ror,
      affiliationIdentifierScheme: 'ROR',
      schemeUri: 'https://ror.org',
    }),
  })
}

// DataCite's API tells what holds a work in a member of its own, with its place in it.
function containerObject(container: NonNullable<DataciteRecord['container']>) {
  const { kind, title, number, volume, issue, firstPage, lastPage } = container
  const [type] = containerTypes[kind]
  return withoutUndefined({
    type,
    title,
    identifier: number?.issn ?? number?.isbn,
    identifierType: number?.issn === undefined ? number?.isbn && 'ISBN' : 'ISSN',
    volume,
    issue,
    firstPage,
    lastPage,
  })
}

/** What holds a work, as the API has it and as a related item of the schema. */
const containerTypes: Readonly<Record<ContainerKind, readonly [api: string, item: string]>> = {
  journal: ['Journal', 'Journal'],
  book: ['Book', 'Book'],
  proceedings: ['Proceedings', 'ConferenceProceeding'],
  series: ['Series', 'Collection'],
  event: ['Event', 'Event'],
  other: ['Other', 'Other'],
}

function rightsObject({ uri, spdx, name }: Rights) {
  return withoutUndefined({
    rights: name,
    rightsUri: uri,
    ...(spdx !== undefined && {
      rightsIdentifier: spdx.toLowerCase(),
      rightsIdentifierScheme: 'SPDX',
      schemeUri: 'https://spdx.org/licenses/',
    }),
  })
}

function fundingObject({ funder, award }: DataciteRecord['funding'][number]) {
  return withoutUndefined({ funderName: funder, awardNumber: award })
}

/** Where the newest schema of the namespace is. */
const dataciteSchema = 'https://schema.datacite.org/meta/kernel-4/metadata.xsd'

/** A work as DataCite's XML (schema 4), identified by its ARK. */
export function formatDataciteXml(work: DescribedWork): string {
  return formatDocument(dataciteElement(work))
}

/** The element `resource` of a work, for other XML to hold. */
export function dataciteElement(work: DescribedWork): XmlElement {
  const record = dataciteRecord(work)
  const { title, language, publisher, publicationYear, resourceType, rights } = record
  const attributes = {
    xmlns: dataciteNamespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${dataciteNamespace} ${dataciteSchema}`,
  }
  const inLanguage = { 'xml:lang': language }
  return element(
    'resource',
    attributes,
    textElement('identifier', work.ark, { identifierType: 'ARK' }),
    listElement('creators', record.creators.map(creatorElement)),
    listElement('titles', [textElement('title', title, inLanguage)]),
    textElement('publisher', publisher),
    textElement('publicationYear', publicationYear),
    textElement('resourceType', resourceType.own, { resourceTypeGeneral: resourceType.general }),
    listElement(
      'subjects',
      record.subjects.map((subject) => textElement('subject', subject)),
    ),
    listElement(
      'dates',
      record.dates.map(({ date, ...kind }) => textElement('date', date, kind)),
    ),
    textElement('language', language),
    listElement(
      'alternateIdentifiers',
      record.alternateIdentifiers.map(({ type, value }) =>
        textElement('alternateIdentifier', value, { alternateIdentifierType: type }),
      ),
    ),
    listElement(
      'relatedIdentifiers',
      record.relatedIdentifiers.map(({ identifier, scheme, relation }) =>
        textElement('relatedIdentifier', identifier, {
          relatedIdentifierType: scheme,
          relationType: relation,
        }),
      ),
    ),
    listElement('sizes', [textElement('size', record.size)]),
    listElement('formats', [textElement('format', record.format)]),
    textElement('version', record.version),
    listElement('rightsList', rights.map(rightsElement)),
    listElement('descriptions', [
      textElement('description', record.description, {
        ...inLanguage,
        descriptionType: 'Abstract',
      }),
    ]),
    listElement('fundingReferences', record.funding.map(fundingElement)),
    listElement('relatedItems', [record.container && containerElement(record.container)]),
  )
}

function creatorElement(creator: Creator): XmlElement {
  const { name, nameType, givenName, familyName, orcid, affiliation } = creator
  const iD = { nameIdentifierScheme: 'ORCID', schemeURI: 'https://orcid.org' }
  const ror = affiliation?.ror
  const institution = ror !== undefined && {
    affiliationIdentifier: ror,
    affiliationIdentifierScheme: 'ROR',
    schemeURI: 'https://ror.org',
  }
  return element(
    'creator',
    {},
    textElement('creatorName', name, { nameType }),
    textElement('givenName', givenName),
    textElement('familyName', familyName),
    textElement('nameIdentifier', orcid, iD),
    // The schema wants a name, and the address of an institution is one.
    textElement('affiliation', affiliation?.name ?? ror, { ...institution }),
  )
}

function rightsElement({ uri, spdx, name }: Rights): XmlElement | undefined {
  return textElement('rights', name, {
    rightsURI: uri,
    ...(spdx !== undefined && {
      rightsIdentifier: spdx,
      rightsIdentifierScheme: 'SPDX',
      schemeURI: 'https://spdx.org/licenses/',
    }),
  })
}

function fundingElement({ funder, award }: DataciteRecord['funding'][number]): XmlElement {
  return element(
    'fundingReference',
    {},
    textElement('funderName', funder),
    textElement('awardNumber', award),
  )
}

function containerElement(container: NonNullable<DataciteRecord['container']>): XmlElement {
  const { kind, title, number, volume, issue, firstPage, lastPage } = container
  const [, type] = containerTypes[kind]
  const [scheme, value] =
    number?.issn === undefined ? ['ISBN', number?.isbn] : ['ISSN', number.issn]
  return element(
    'relatedItem',
    { relatedItemType: type, relationType: 'IsPublishedIn' },
    textElement('relatedItemIdentifier', value, { relatedItemIdentifierType: scheme }),
    listElement('titles', [textElement('title', title)]),
    textElement('volume', volume),
    textElement('issue', issue),
    textElement('firstPage', firstPage),
    textElement('lastPage', lastPage),
  )
}
