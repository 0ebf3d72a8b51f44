import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import { type WorkTypeNames, workTypes } from '#actors/values/work_type.ts'
import { invertedName } from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedWork,
  isOpen,
  keywordsOf,
  relatedUrl,
  withdrawalNote,
} from '#src/discovery/formats/described_work.ts'
import {
  element,
  formatDocument,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'

/** The container of Dublin Core's elements that OAI-PMH has made. */
export const dublinCoreNamespace = 'http://www.openarchives.org/OAI/2.0/oai_dc/'
export const dublinCoreSchema = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd'

const rootAttributes = {
  'xmlns:oai_dc': dublinCoreNamespace,
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xsi:schemaLocation': `${dublinCoreNamespace} ${dublinCoreSchema}`,
}

/** A work in the fifteen elements of Dublin Core, as XML. */
export function formatDublinCore(work: DescribedWork): string {
  return formatDocument(dublinCoreElement(work))
}

/** The element `oai_dc:dc` of a work, for other XML to hold. */
export function dublinCoreElement(work: DescribedWork): XmlElement {
  return element('oai_dc:dc', rootAttributes, ...termsOf(work))
}

function termsOf(work: DescribedWork): readonly (XmlElement | undefined)[] {
  const { metadata, authors, publisher } = work
  return [
    ...terms('identifier', identifiersOf(work)),
    textElement('dc:title', metadata.work_title),
    ...terms('creator', authors.map(invertedName)),
    ...terms('subject', keywordsOf(metadata)),
    textElement('dc:description', metadata.description),
    textElement('dc:description', withdrawalNote(work)),
    textElement('dc:publisher', publisher),
    textElement('dc:source', metadata.container_title),
    ...terms('source', numbersOf(work)),
    textElement('dc:date', metadata.published_date ?? work.createdAt.slice(0, 10)),
    ...terms('type', typesOf(metadata.work_type)),
    textElement('dc:format', work.content?.mediaType ?? undefined),
    textElement('dc:language', metadata.language),
    ...terms('relation', relationsOf(work)),
    ...terms('rights', rightsOf(work)),
  ]
}

function numbersOf(work: DescribedWork): readonly string[] {
  const { issn, isbn } = containerOf(work)
  return [...(issn === undefined ? [] : [`ISSN ${issn}`]), ...(isbn ? [`ISBN ${isbn}`] : [])]
}

function terms(name: string, values: readonly string[]): readonly XmlElement[] {
  return [...new Set(values)].map((value) => element(`dc:${name}`, {}, value))
}

function identifiersOf({ ark, url, metadata, content }: DescribedWork): readonly string[] {
  const { existing_doi: doi, work_url } = metadata
  const own = content === undefined || work_url === undefined ? [] : [work_url]
  return [ark, ...(doi === undefined ? [] : [doiUrl(doi), `doi:${doi}`]), url, ...own]
}

/** What people call the type, and its names in OpenAIRE's and COAR's vocabularies. */
function typesOf(type: DescribedWork['metadata']['work_type']): readonly string[] {
  const { euRepo, coar }: WorkTypeNames = workTypes[type]
  return [
    type.replaceAll('_', ' '),
    // OpenAIRE's names of theses say of which degree they are, which is not known here.
    ...(type === 'thesis' ? [] : [`info:eu-repo/semantics/${euRepo}`]),
    ...(coar === '' ? [] : [`http://purl.org/coar/resource_type/${coar}`]),
  ]
}

function relationsOf({ metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, related_identifiers = [] } = metadata
  const others = related_identifiers.map((related) => relatedUrl(related) ?? related.identifier)
  return [...(doi === undefined ? [] : [doiUrl(doi)]), ...others]
}

/** The licence, and whether everybody can read the content (OpenAIRE's access rights). */
function rightsOf(work: DescribedWork): readonly string[] {
  const { license } = work.metadata
  return [
    ...(license === undefined ? [] : rightsText(license)),
    ...(isOpen(work) ? ['info:eu-repo/semantics/openAccess'] : []),
  ]
}

function rightsText(license: string): readonly string[] {
  const { address, name } = licenseNames(license)
  return [address, name]
}
