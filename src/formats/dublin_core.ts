import { invertedName } from '#src/formats/author_names.ts'
import {
  type DescribedWork,
  doiUrl,
  keywordsOf,
  licenseUrl,
  withdrawalNote,
} from '#src/formats/described_work.ts'
import { element, formatDocument, textElement } from '#src/formats/xml.ts'

/** A work in the fifteen elements of Dublin Core, as XML with the root element of OAI-PMH. */
export function formatDublinCore(work: DescribedWork): string {
  const { metadata, authors, ark, url, content } = work
  const { existing_doi, license } = metadata
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    ['title', metadata.work_title],
    ...authors.map((author) => ['creator', invertedName(author)] as const),
    ...keywordsOf(metadata).map((word) => ['subject', word] as const),
    ['description', metadata.description],
    ['description', withdrawalNote(work)],
    ['publisher', work.publisher],
    ['date', metadata.published_date ?? work.createdAt.slice(0, 10)],
    ['type', metadata.work_type.replaceAll('_', ' ')],
    ['format', content?.mediaType ?? undefined],
    ['identifier', ark],
    ['identifier', existing_doi === undefined ? undefined : doiUrl(existing_doi)],
    ['identifier', url],
    ['source', metadata.container_title],
    ['language', metadata.language],
    ['rights', license === undefined ? undefined : licenseUrl(license)],
  ]
  const attributes = {
    'xmlns:oai_dc': 'http://www.openarchives.org/OAI/2.0/oai_dc/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation':
      'http://www.openarchives.org/OAI/2.0/oai_dc/ ' +
      'http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
  }
  const elements = fields.map(([name, value]) => textElement(`dc:${name}`, value))
  return formatDocument(element('oai_dc:dc', attributes, ...elements))
}
