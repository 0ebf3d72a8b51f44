import { element, textElement } from '#src/discovery/formats/xml.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'
import {
  type RecordFormat,
  schemaAttributes,
  type StandingRecord,
} from '#src/discovery/oai/record_format.ts'
import type { HarvestedWork } from '#src/discovery/oai/record_source.ts'

/** The namespace of our own elements: a name, the same in every repository. */
const namespace = 'urn:x-svc:oai:1'

/** Name of the schema's file below the repository's address. */
export const nativeSchemaName = 'svc.xsd'

function rootAttributes(baseUrl: string): Record<string, string> {
  return { xmlns: namespace, ...schemaAttributes(namespace, schemaUrl(baseUrl)) }
}

function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/${nativeSchemaName}`
}

/**
 * The registry's own form: what the receipt says, and the metadata as the canonical JSON (RFC 8785)
 * of which `metadata_hash` is the SHA-256, so that who has harvested a record can check it.
 * `oaiUrl` is the repository's address.
 */
export function nativeFormat(oaiUrl: string): RecordFormat {
  return {
    prefix: 'svc',
    schema: schemaUrl(oaiUrl),
    namespace,
    metadata: (record) => element('work', rootAttributes(oaiUrl), ...membersOf(record)),
  }
}

function membersOf({ record, work, described }: StandingRecord): (XmlElement | undefined)[] {
  return [
    textElement('ark', record.ark),
    textElement('url', described.url),
    ...receiptElements(work),
    textElement('receipt_url', described.receiptUrl),
    textElement('content_hash', work.contentHash ?? undefined),
    textElement('created_at', work.createdAt),
    textElement('written_at', work.writtenAt),
    sourceElement(work),
    textElement('metadata', Buffer.from(work.metadata).toString('utf8'), {
      format: 'application/json',
    }),
  ]
}

/** What a record tells about itself: who wrote it, when, and by which receipt that is proven. */
export function attributionElement({ work }: StandingRecord, oaiUrl: string): XmlElement {
  return element(
    'attribution',
    rootAttributes(oaiUrl),
    ...receiptElements(work),
    textElement('written_at', work.writtenAt),
    sourceElement(work),
  )
}

function receiptElements({ version, receiptId, metadataHash }: HarvestedWork): XmlElement[] {
  return [
    element('version', {}, String(version)),
    element('receipt_id', {}, receiptId),
    element('metadata_hash', {}, metadataHash),
  ]
}

/** `source` of the API: its texts are attributes, and its name what stands in the element. */
function sourceElement({ source }: HarvestedWork): XmlElement {
  const { type, id, name, via, client_id } = source
  const attributes = { type: textOf(type), id: textOf(id), via: textOf(via) }
  return element('source', { ...attributes, client_id: textOf(client_id) }, textOf(name))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
