import {
  type Creator,
  dataciteNamespace,
  type DataciteRecord,
  dataciteRecord,
} from '#src/discovery/formats/datacite.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { element, formatDocument, listElement, textElement } from '#src/discovery/formats/xml.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'

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
    rights && element('rightsList', {}, rightsElement(rights)),
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

function rightsElement({
  uri,
  spdx,
  name,
}: NonNullable<DataciteRecord['rights']>): XmlElement | undefined {
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
  const { type, title, volume, issue, firstPage, lastPage } = container
  return element(
    'relatedItem',
    { relatedItemType: type, relationType: 'IsPublishedIn' },
    listElement('titles', [textElement('title', title)]),
    textElement('volume', volume),
    textElement('issue', issue),
    textElement('firstPage', firstPage),
    textElement('lastPage', lastPage),
  )
}
