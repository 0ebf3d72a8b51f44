import { doiUrl } from '#actors/values/identifier.ts'
import { licenseNames } from '#actors/values/license.ts'
import { thesisKinds, type WorkTypeNames, workTypes } from '#actors/values/work_type.ts'
import { invertedName } from '#src/discovery/formats/author_names.ts'
import { degreeOf } from '#src/discovery/formats/cited_work.ts'
import {
  containerOf,
  type DescribedMetadata,
  type DescribedWork,
  isOpen,
  keywordsOf,
  markedTitle,
  readContributor,
  relatedUrl,
  standingNote,
} from '#src/discovery/formats/described_work.ts'
import {
  element,
  formatDocument,
  textElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'
import { plainTitle, unmarkedTitle } from '#src/discovery/formats/title_marks.ts'

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
    textElement('dc:title', markedTitle(plainTitle(metadata), metadata)),
    ...terms(
      'title',
      metadata.titles?.map(({ title, markup }) => unmarkedTitle(title, markup)),
    ),
    ...terms('creator', authors.map(invertedName)),
    ...terms('contributor', contributorsOf(metadata)),
    ...terms('subject', subjectsOf(metadata)),
    textElement('dc:description', metadata.description),
    ...terms(
      'description',
      metadata.descriptions?.map(({ description }) => description),
    ),
    textElement('dc:description', standingNote(work)),
    textElement('dc:publisher', publisher),
    textElement('dc:source', metadata.container_title),
    ...terms('source', numbersOf(work)),
    textElement('dc:date', metadata.published_date ?? work.createdAt.slice(0, 10)),
    ...terms('type', typesOf(metadata)),
    ...terms('format', formatsOf(work)),
    textElement('dc:language', metadata.language),
    ...terms('relation', relationsOf(work)),
    ...terms('coverage', coverageOf(metadata)),
    ...terms('rights', rightsOf(work)),
  ]
}

function contributorsOf({ contributors }: DescribedWork['metadata']) {
  return contributors?.map((each) => invertedName(readContributor(each)))
}

function subjectsOf(metadata: DescribedWork['metadata']): readonly string[] {
  const words = keywordsOf(metadata)
  const { subjects } = metadata
  return subjects === undefined ? words : [...words, ...subjects.map(({ subject }) => subject)]
}

/** The formats that its makers tell, else that of what was read at its address. */
function formatsOf({ metadata, content }: DescribedWork): readonly string[] {
  const { formats, sizes = [] } = metadata
  const read = typeof content?.mediaType === 'string' ? [content.mediaType] : []
  return [...(formats ?? read), ...sizes]
}

/** What places and times the work is about. */
function coverageOf(metadata: DescribedWork['metadata']): readonly string[] {
  const { geo_locations = [], dates = [] } = metadata
  if (geo_locations.length === 0 && dates.length === 0) return []
  const places = geo_locations.flatMap(({ place, point, box }) => [
    ...(place === undefined ? [] : [place]),
    ...(point === undefined ? [] : [`east=${point.longitude}; north=${point.latitude}`]),
    ...(box === undefined
      ? []
      : [
          `northlimit=${box.north}; southlimit=${box.south}; ` +
            `westlimit=${box.west}; eastlimit=${box.east}`,
        ]),
  ])
  const times = dates.filter(({ kind }) => kind === 'coverage').map(({ date }) => date)
  return [...places, ...times]
}

function numbersOf(work: DescribedWork): readonly string[] {
  const { issn, isbn } = containerOf(work)
  return [...(issn === undefined ? [] : [`ISSN ${issn}`]), ...(isbn ? [`ISBN ${isbn}`] : [])]
}

function terms(name: string, values: readonly string[] = []): readonly XmlElement[] {
  if (values.length === 0) return []
  return [...new Set(values)].map((value) => element(`dc:${name}`, {}, value))
}

function identifiersOf({ ark, url, metadata, content }: DescribedWork): readonly string[] {
  const { existing_doi: doi, work_url } = metadata
  const own = content === undefined || work_url === undefined ? [] : [work_url]
  const others = (metadata.alternate_identifiers ?? []).map(({ identifier }) => identifier)
  return [ark, ...(doi === undefined ? [] : [doiUrl(doi), `doi:${doi}`]), url, ...own, ...others]
}

/** What people call the type, and its names in OpenAIRE's and COAR's vocabularies. */
function typesOf(metadata: DescribedMetadata): readonly string[] {
  const { work_type: type } = metadata
  const degree = degreeOf(metadata)
  const names: WorkTypeNames = workTypes[type]
  const { euRepo, coar } = degree === undefined ? names : thesisKinds[degree]
  return [
    type.replaceAll('_', ' '),
    // OpenAIRE's names of theses say of which degree they are.
    ...(type === 'thesis' && degree === undefined ? [] : [`info:eu-repo/semantics/${euRepo}`]),
    ...(coar === '' ? [] : [`http://purl.org/coar/resource_type/${coar}`]),
  ]
}

function relationsOf({ metadata }: DescribedWork): readonly string[] {
  const { existing_doi: doi, related_identifiers = [] } = metadata
  const { related_items = [], references = [] } = metadata
  const others = [
    ...related_identifiers.map((related) => relatedUrl(related) ?? related.identifier),
    ...related_items.flatMap(({ identifier, titles }) => identifier ?? titles?.[0]?.title ?? []),
    ...references.flatMap((reference) => {
      return reference.doi === undefined ? (reference.text ?? []) : doiUrl(reference.doi)
    }),
  ]
  return [...(doi === undefined ? [] : [doiUrl(doi)]), ...others]
}

/** The licence, and whether everybody can read the content (OpenAIRE's access rights). */
function rightsOf(work: DescribedWork): readonly string[] {
  const { license } = work.metadata
  return [
    ...(license === undefined ? [] : rightsText(license)),
    ...(work.metadata.rights ?? []).flatMap((each) => {
      return each.license === undefined ? (each.text ?? each.uri ?? []) : rightsText(each.license)
    }),
    ...(isOpen(work) ? ['info:eu-repo/semantics/openAccess'] : []),
  ]
}

function rightsText(license: string): readonly string[] {
  const { address, name } = licenseNames(license)
  return [address, name]
}
