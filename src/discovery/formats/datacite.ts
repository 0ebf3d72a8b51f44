import { definedOf, someOf } from '#actors/values/serialization.ts'
import { workTypes } from '#actors/values/work_type.ts'
import { bibtexType } from '#src/discovery/formats/bibtex.ts'
import { degreeOf } from '#src/discovery/formats/cited_work.ts'
import type { GeoPoint } from '#actors/values/geo_location.ts'
import type { Funding } from '#actors/works/funding.ts'
import type { Subject } from '#actors/works/titles.ts'
import {
  type DataciteAffiliation,
  type DataciteContainer,
  type DataciteItem,
  type DataciteName,
  type DataciteRecord,
  dataciteRecord,
  type DataciteRights,
  type DataciteTitle,
  type Identified,
} from '#src/discovery/formats/datacite_model.ts'
import type {
  ContainerKind,
  DescribedMetadata,
  DescribedWork,
} from '#src/discovery/formats/described_work.ts'
import {
  anyUri,
  element,
  formatDocument,
  listElement,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The namespace of DataCite's schema, whose minor versions only add to it. */
export const dataciteNamespace = 'http://datacite.org/schema/kernel-4'

type Place = NonNullable<DescribedMetadata['geo_locations']>[number]

/** A work as DataCite's JSON (schema 4), identified by its ARK. */
export function formatDataciteJson(work: DescribedWork): string {
  const record = dataciteRecord(work)
  const { language, publisher, publicationYear, rights, files, container } = record
  const held = container === undefined ? [] : [containerItem(container)]
  return `${JSON.stringify(
    definedOf({
      id: work.ark,
      identifiers: [{ identifier: work.ark, identifierType: 'ARK' }],
      doi: work.metadata.existing_doi,
      url: work.url,
      contentUrl: listOf(files),
      types: typesOf(work, record),
      creators: record.creators.map(nameObject),
      titles: listOf(record.titles),
      publisher: publisherObject(publisher),
      container: container && containerObject(container),
      publicationYear: Number(publicationYear),
      subjects: listOf(record.subjects.map(subjectObject)),
      contributors: listOf(record.contributors.map(contributorObject)),
      dates: listOf(record.dates),
      language,
      alternateIdentifiers: listOf(
        record.alternateIdentifiers.map(({ type, value }) => {
          return { alternateIdentifier: value, alternateIdentifierType: type }
        }),
      ),
      relatedIdentifiers: record.relatedIdentifiers.map(relationObject),
      relatedItems: listOf([...held, ...record.relatedItems].map(itemObject)),
      sizes: listOf(record.sizes),
      formats: listOf(record.formats),
      version: record.version,
      rightsList: listOf(rights.map(rightsObject)),
      descriptions: listOf(record.descriptions),
      geoLocations: listOf(record.places.flatMap(placeObjects)),
      fundingReferences: listOf(record.funding.map(fundingObject)),
      schemaVersion: dataciteNamespace,
    }),
  )}\n`
}

/** A list has nothing twice, as the schema demands, and is left out where it has nothing. */
function listOf<T>(values: readonly T[]): readonly T[] | undefined {
  if (values.length < 2) return someOf(values)
  return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()]
}

function typesOf({ metadata }: DescribedWork, { resourceType }: DataciteRecord) {
  const { ris, csl, schemaOrg } = workTypes[metadata.work_type]
  const cited = { degree: degreeOf(metadata), type: metadata.work_type }
  return {
    resourceTypeGeneral: resourceType.general,
    resourceType: resourceType.own,
    ris,
    bibtex: bibtexType(cited),
    citeproc: csl,
    schemaOrg,
  }
}

function nameObject(person: DataciteName) {
  const { name, nameType, lang, givenName, familyName, identifiers, affiliations } = person
  return definedOf({
    name,
    nameType,
    lang,
    givenName,
    familyName,
    nameIdentifiers: identifiers && listOf(identifiers.map(nameIdentifierObject)),
    affiliation: affiliations && listOf(affiliations.map(affiliationObject)),
  })
}

function nameIdentifierObject({ id, scheme, uri }: Identified) {
  return definedOf({
    nameIdentifier: scheme === 'ORCID' ? orcidAddress(id) : id,
    nameIdentifierScheme: scheme,
    schemeUri: uri,
  })
}

function affiliationObject({ name, id, scheme, uri }: DataciteAffiliation) {
  return definedOf({
    name,
    affiliationIdentifier: id,
    affiliationIdentifierScheme: scheme,
    schemeUri: uri,
  })
}

function orcidAddress(orcid: string): string {
  return `https://orcid.org/${orcid}`
}

function contributorObject(name: DataciteName) {
  return { ...nameObject(name), contributorType: name.type }
}

function publisherObject({ name, lang, id }: DataciteRecord['publisher']) {
  return definedOf({
    name,
    publisherIdentifier: id?.id,
    publisherIdentifierScheme: id?.scheme,
    schemeUri: id?.uri,
    lang,
  })
}

function subjectObject(given: Subject) {
  if (!hasMore(given, 1)) return given
  const { subject, scheme, scheme_uri, uri, code, language } = given
  return definedOf({
    subject,
    subjectScheme: scheme,
    schemeUri: scheme_uri,
    valueUri: uri,
    classificationCode: code,
    lang: language,
  })
}

function relationObject(related: DataciteRecord['relatedIdentifiers'][number]) {
  const { identifier, scheme, relation, resource_type } = related
  const own = {
    relatedIdentifier: identifier,
    relatedIdentifierType: scheme,
    relationType: relation,
  }
  if (!hasMore(related, 3)) return own
  return definedOf({
    ...own,
    resourceTypeGeneral: resource_type && workTypes[resource_type].datacite,
    relationTypeInformation: related.note,
    ...metadataMembers(relation, related.metadata_scheme, related.scheme_uri, related.scheme_type),
  })
}

/** What a relation to metadata tells of their form; the members belong to no other relation. */
function metadataMembers(relation: string, scheme?: string, uri?: string, type?: string) {
  if (relation !== 'HasMetadata' && relation !== 'IsMetadataFor') return {}
  return { relatedMetadataScheme: scheme, schemeUri: uri, schemeType: type }
}

function itemObject(item: DataciteItem) {
  const { identifier, identifierType, creators, contributors } = item
  // The JSON has no identifier without a type; what has one can be called a number of another kind.
  const isUntyped = identifier !== undefined && identifierType === undefined
  const isNumber = isUntyped && item.number === undefined
  return definedOf({
    relatedItemType: item.type,
    relationType: item.relation,
    relationTypeInformation: item.information,
    relatedItemIdentifier:
      identifier === undefined || isUntyped
        ? undefined
        : { relatedItemIdentifier: identifier, relatedItemIdentifierType: identifierType },
    ...metadataMembers(item.relation, item.metadataScheme, item.schemeUri, item.schemeType),
    creators: creators?.map(nameObject),
    titles: listOf(item.titles),
    publicationYear: item.year,
    volume: item.volume,
    issue: item.issue,
    number: isNumber ? identifier : item.number,
    numberType: isNumber ? 'Other' : item.numberType,
    firstPage: item.firstPage,
    lastPage: item.lastPage,
    publisher: item.publisher,
    edition: item.edition,
    contributors: contributors?.map(contributorObject),
  })
}

// DataCite's API tells what holds a work in a member of its own, with its place in it.
function containerObject(container: DataciteContainer) {
  const { kind, title, number, volume, issue, firstPage, lastPage } = container
  const [type] = containerTypes[kind]
  return definedOf({
    type,
    title,
    identifier: number?.issn ?? number?.isbn,
    identifierType: number?.issn === undefined ? number?.isbn && 'ISBN' : 'ISSN',
    volume,
    issue,
    number: container.articleNumber,
    chapterNumber: container.chapterNumber,
    firstPage,
    lastPage,
    edition: container.edition,
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

function rightsObject({ uri, identifier, scheme, schemeUri, name, lang }: DataciteRights) {
  return definedOf({
    rights: name,
    rightsUri: uri,
    // The API writes the identifiers of SPDX in small letters.
    rightsIdentifier: scheme === 'SPDX' ? identifier?.toLowerCase() : identifier,
    rightsIdentifierScheme: scheme,
    schemeUri,
    lang,
  })
}

function fundingObject(funding: Funding) {
  return definedOf({
    funderName: funding.funder,
    funderIdentifier: funding.identifier,
    funderIdentifierType: funding.identifier && (funding.identifier_type ?? 'Other'),
    schemeUri: funding.scheme_uri,
    awardNumber: funding.award,
    awardUri: funding.award_uri,
    awardTitle: funding.award_title,
  })
}

/** A place of the JSON has one polygon: further ones are places of their own, of the same name. */
function placeObjects({ place, point, box, polygons = [] }: Place) {
  const [first, ...others] = polygons.map(({ points, inside }) => [
    ...points.map((each) => ({ polygonPoint: pointObject(each) })),
    ...(inside === undefined ? [] : [{ inPolygonPoint: pointObject(inside) }]),
  ])
  const whole = {
    geoLocationPlace: place,
    geoLocationPoint: point && pointObject(point),
    geoLocationBox: box && {
      westBoundLongitude: box.west,
      eastBoundLongitude: box.east,
      southBoundLatitude: box.south,
      northBoundLatitude: box.north,
    },
    geoLocationPolygon: first,
  }
  const further = others.map((ring) => ({ geoLocationPlace: place, geoLocationPolygon: ring }))
  return [whole, ...further].map(definedOf)
}

function pointObject({ longitude, latitude }: GeoPoint) {
  return { pointLongitude: longitude, pointLatitude: latitude }
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
  const { publicationYear, resourceType, container } = record
  const attributes = {
    xmlns: dataciteNamespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${dataciteNamespace} ${dataciteSchema}`,
  }
  return element(
    'resource',
    attributes,
    textElement('identifier', work.ark, { identifierType: 'ARK' }),
    listElement('creators', record.creators.map(creatorElement)),
    listElement('titles', record.titles.map(titleElement)),
    publisherElement(record.publisher),
    textElement('publicationYear', publicationYear),
    textElement('resourceType', resourceType.own, { resourceTypeGeneral: resourceType.general }),
    listElement('subjects', record.subjects.map(subjectElement)),
    listElement('contributors', record.contributors.map(contributorElement)),
    listElement(
      'dates',
      record.dates.map(({ date, ...kind }) => textElement('date', date, kind)),
    ),
    textElement('language', record.language),
    listElement(
      'alternateIdentifiers',
      record.alternateIdentifiers.map(({ type, value }) =>
        textElement('alternateIdentifier', value, { alternateIdentifierType: type }),
      ),
    ),
    listElement('relatedIdentifiers', record.relatedIdentifiers.map(relationElement)),
    listElement(
      'sizes',
      record.sizes.map((size) => textElement('size', size)),
    ),
    listElement(
      'formats',
      record.formats.map((format) => textElement('format', format)),
    ),
    textElement('version', record.version),
    listElement('rightsList', record.rights.map(rightsElement)),
    listElement(
      'descriptions',
      record.descriptions.map(({ description, lang, descriptionType }) =>
        textElement('description', description, { 'xml:lang': lang, descriptionType }),
      ),
    ),
    listElement('geoLocations', record.places.map(placeElement)),
    listElement('fundingReferences', record.funding.map(fundingElement)),
    listElement('relatedItems', [
      container && itemElement(containerItem(container)),
      ...record.relatedItems.map(itemElement),
    ]),
  )
}

function titleElement({ title, titleType, lang }: DataciteTitle): XmlElement | undefined {
  return textElement('title', title, { 'xml:lang': lang, titleType })
}

function creatorElement(name: DataciteName): XmlElement {
  return element('creator', {}, ...nameElements('creatorName', name))
}

function contributorElement(name: DataciteName): XmlElement {
  const attributes = { contributorType: name.type }
  return element('contributor', attributes, ...nameElements('contributorName', name))
}

function nameElements(named: string, person: DataciteName): readonly (XmlElement | undefined)[] {
  const { name, nameType, lang, givenName, familyName, identifiers, affiliations } = person
  return [
    textElement(named, name, { nameType, 'xml:lang': lang }),
    textElement('givenName', givenName),
    textElement('familyName', familyName),
    ...(identifiers === undefined ? [] : identifiers.map(identifierElement)),
    ...(affiliations === undefined ? [] : affiliations.map(affiliationElement)),
  ]
}

function identifierElement({ id, scheme, uri }: NonNullable<DataciteName['identifiers']>[number]) {
  return textElement('nameIdentifier', id, { nameIdentifierScheme: scheme, schemeURI: anyUri(uri) })
}

function affiliationElement(place: NonNullable<DataciteName['affiliations']>[number]) {
  const { name, id, scheme, uri } = place
  return textElement('affiliation', name, {
    affiliationIdentifier: id,
    affiliationIdentifierScheme: scheme,
    schemeURI: anyUri(uri),
  })
}

function publisherElement({ name, lang, id }: DataciteRecord['publisher']) {
  if (id === undefined && lang === undefined) return textElement('publisher', name)
  return textElement('publisher', name, {
    publisherIdentifier: id?.id,
    publisherIdentifierScheme: id?.scheme,
    schemeURI: anyUri(id?.uri),
    'xml:lang': lang,
  })
}

/** Whether an object has more than what all of its kind have: most have not. */
function hasMore(value: object, usual: number): boolean {
  return Object.keys(value).length > usual
}

function subjectElement(given: Subject) {
  const { subject } = given
  if (!hasMore(given, 1)) return textElement('subject', subject)
  const { scheme, scheme_uri, uri, code, language } = given
  return textElement('subject', subject, {
    subjectScheme: scheme,
    schemeURI: anyUri(scheme_uri),
    valueURI: anyUri(uri),
    classificationCode: anyUri(code),
    'xml:lang': language,
  })
}

function relationElement(related: DataciteRecord['relatedIdentifiers'][number]) {
  const { identifier, scheme, relation, resource_type } = related
  const own = { relatedIdentifierType: scheme, relationType: relation }
  if (!hasMore(related, 3)) return textElement('relatedIdentifier', identifier, own)
  return textElement('relatedIdentifier', identifier, {
    ...own,
    resourceTypeGeneral: resource_type && workTypes[resource_type].datacite,
    relationTypeInformation: related.note,
    relatedMetadataScheme: related.metadata_scheme,
    schemeURI: anyUri(related.scheme_uri),
    schemeType: related.scheme_type,
  })
}

function rightsElement(rights: DataciteRights): XmlElement | undefined {
  const { uri, identifier, scheme, schemeUri, name, lang } = rights
  return textElement('rights', name ?? '', {
    rightsURI: anyUri(uri),
    rightsIdentifier: identifier,
    rightsIdentifierScheme: scheme,
    schemeURI: anyUri(schemeUri),
    'xml:lang': lang,
  })
}

function fundingElement(funding: Funding): XmlElement {
  const { funder, identifier, identifier_type: type = 'Other', scheme_uri } = funding
  const name = textElement('funderName', funder)
  if (identifier === undefined && funding.award_uri === undefined && !funding.award_title) {
    return element('fundingReference', {}, name, textElement('awardNumber', funding.award))
  }
  return element(
    'fundingReference',
    {},
    name,
    textElement('funderIdentifier', identifier, {
      funderIdentifierType: type,
      schemeURI: anyUri(scheme_uri),
    }),
    // The address of a grant without a number stands for it.
    textElement('awardNumber', funding.award ?? funding.award_uri, {
      awardURI: anyUri(funding.award_uri),
    }),
    textElement('awardTitle', funding.award_title),
  )
}

function placeElement({ place, point, box, polygons = [] }: Place): XmlElement {
  return element(
    'geoLocation',
    {},
    textElement('geoLocationPlace', place),
    point && element('geoLocationPoint', {}, ...pointElements(point)),
    box &&
      element(
        'geoLocationBox',
        {},
        textElement('westBoundLongitude', box.west),
        textElement('eastBoundLongitude', box.east),
        textElement('southBoundLatitude', box.south),
        textElement('northBoundLatitude', box.north),
      ),
    ...polygons.map(({ points, inside }) =>
      element(
        'geoLocationPolygon',
        {},
        ...points.map((each) => element('polygonPoint', {}, ...pointElements(each))),
        inside && element('inPolygonPoint', {}, ...pointElements(inside)),
      ),
    ),
  )
}

function pointElements({ longitude, latitude }: GeoPoint) {
  return [textElement('pointLongitude', longitude), textElement('pointLatitude', latitude)]
}

/** What holds a work, as the schema has it: a related item. */
function containerItem(container: DataciteContainer): DataciteItem {
  const { kind, title, number, volume, issue, firstPage, lastPage } = container
  const [, type] = containerTypes[kind]
  const [scheme, value] =
    number?.issn === undefined ? ['ISBN', number?.isbn] : ['ISSN', number.issn]
  return definedOf({
    type,
    relation: 'IsPublishedIn',
    titles: [{ title }],
    identifier: value,
    identifierType: scheme,
    volume,
    issue,
    number: container.articleNumber ?? container.chapterNumber,
    numberType: numberType(container),
    firstPage,
    lastPage,
    edition: container.edition,
  })
}

function numberType({ articleNumber, chapterNumber }: DataciteContainer): string | undefined {
  if (articleNumber !== undefined) return 'Article'
  return chapterNumber === undefined ? undefined : 'Chapter'
}

function itemElement(item: DataciteItem): XmlElement {
  // Of those of a related item, the schema has names alone.
  const names = (people: readonly DataciteName[] = []) =>
    people.map(({ identifiers: _ids, affiliations: _places, ...name }) => name)
  return element(
    'relatedItem',
    {
      relatedItemType: item.type,
      relationType: item.relation,
      relationTypeInformation: item.information,
    },
    textElement('relatedItemIdentifier', item.identifier, {
      relatedItemIdentifierType: item.identifierType,
      relatedMetadataScheme: item.metadataScheme,
      schemeURI: anyUri(item.schemeUri),
      schemeType: item.schemeType,
    }),
    listElement('creators', names(item.creators).map(creatorElement)),
    listElement('titles', item.titles.map(titleElement)),
    textElement('publicationYear', item.year),
    textElement('volume', item.volume),
    textElement('issue', item.issue),
    textElement('number', item.number, { numberType: item.numberType }),
    textElement('firstPage', item.firstPage),
    textElement('lastPage', item.lastPage),
    textElement('publisher', item.publisher),
    textElement('edition', item.edition),
    listElement('contributors', names(item.contributors).map(contributorElement)),
  )
}
