import { workTypes } from '#actors/work_types.ts'
import { invertedName } from '#src/formats/author_names.ts'
import { type DescribedWork, doiUrl, keywordsOf, licenseUrl } from '#src/formats/described_work.ts'
import { element, textElement, type XmlElement } from '#src/formats/xml.ts'
import { type RecordFormat, schemaAttributes } from '#src/oai/record_format.ts'

const namespace = 'http://www.openarchives.org/OAI/2.0/oai_dc/'
const schema = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd'

const rootAttributes = {
  'xmlns:oai_dc': namespace,
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  ...schemaAttributes(namespace, schema),
}

/** Dublin Core, which every repository has (OAI-PMH 2.0, section 2.5). */
export const oaiDc: RecordFormat = {
  prefix: 'oai_dc',
  schema,
  namespace,
  metadata: ({ described }) => element('oai_dc:dc', rootAttributes, ...termsOf(described)),
}

function termsOf(work: DescribedWork): readonly (XmlElement | undefined)[] {
  const { metadata, authors, publisher } = work
  return [
    ...terms('identifier', identifiersOf(work)),
    textElement('dc:title', metadata.work_title),
    ...terms('creator', authors.map(invertedName)),
    ...terms('subject', keywordsOf(metadata)),
    textElement('dc:description', metadata.description),
    textElement('dc:publisher', publisher),
    textElement('dc:source', metadata.container_title),
    textElement('dc:date', metadata.published_date ?? work.createdAt.slice(0, 10)),
    ...terms('type', typesOf(metadata.work_type)),
    textElement('dc:format', work.content?.mediaType ?? undefined),
    textElement('dc:language', metadata.language),
    ...terms('relation', relationsOf(work)),
    ...terms('rights', rightsOf(metadata.license)),
  ]
}

function terms(name: string, values: readonly string[]): readonly XmlElement[] {
  return [...new Set(values)].map((value) => element(`dc:${name}`, {}, value))
}

function identifiersOf({ ark, url, metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, work_url } = metadata
  return [ark, ...(doi === undefined ? [] : [doiUrl(doi)]), url, ...(work_url ? [work_url] : [])]
}

/** What people call the type, and OpenAIRE's name of it. */
function typesOf(type: DescribedWork['metadata']['work_type']): readonly string[] {
  return [type.replaceAll('_', ' '), `info:eu-repo/semantics/${workTypes[type].euRepo}`]
}

function relationsOf({ metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, related_identifiers = [] } = metadata
  const others = related_identifiers.map(({ scheme, identifier }) =>
    scheme === 'DOI' ? doiUrl(identifier) : identifier,
  )
  return [...(doi === undefined ? [] : [doiUrl(doi)]), ...others]
}

const openLicense = /^(?:CC-|CC0-)|^https?:\/\/(?:www\.)?creativecommons\.org\//

/** The licence, and whether it lets everybody read (OpenAIRE's access rights). */
function rightsOf(license: string | undefined): readonly string[] {
  if (license === undefined) return []
  const isOpen = openLicense.test(license)
  return [licenseUrl(license), ...(isOpen ? ['info:eu-repo/semantics/openAccess'] : [])]
}
