import { element, openTag, writeElement, type XmlElement } from '#src/discovery/formats/xml.ts'
import { formatDatestamp, type OaiFault } from '#src/discovery/oai/oai_request.ts'
import { schemaAttributes } from '#src/discovery/oai/record_formats.ts'

const oaiNamespace = 'http://www.openarchives.org/OAI/2.0/'
const oaiSchema = 'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd'

/** What stands around every answer. */
export type Envelope = {
  /** Address of the repository, which is also that of its stylesheet but for the file's name. */
  readonly baseUrl: string
  /** Seconds since 1970 up to which harvesters have been told everything. */
  readonly responseDate: number
  readonly parameters: URLSearchParams
}

/** Names of the stylesheets below the repository's address: for browsers with XSLT, and without. */
export const stylesheetName = 'style.xsl'
export const cssName = 'style.css'

const rootAttributes = { xmlns: oaiNamespace, ...schemaAttributes(oaiNamespace, oaiSchema) }

/** The element named after the verb; it may have been written before, in UTF-8. */
export type Payload = XmlElement | Uint8Array

/** A whole reply in UTF-8. */
export function formatReply(envelope: Envelope, payload: Payload): Uint8Array {
  const request = requestElement(envelope, Object.fromEntries(envelope.parameters))
  return formatEnvelope(envelope, request, [writePart(payload)])
}

/** A list whose items were written before, with the token at its end. */
export function writeList(verb: string, written: Uint8Array, token?: XmlElement): Uint8Array {
  const end = `${token === undefined ? '' : writeElement(token)}</${verb}>`
  return Buffer.concat([Buffer.from(openTag(verb, {})), written, Buffer.from(end)])
}

function writePart(part: Payload): Uint8Array {
  return part instanceof Uint8Array ? part : Buffer.from(writeElement(part))
}

/** A whole reply in UTF-8 that tells why there is nothing else in it. */
export function formatFaults(envelope: Envelope, faults: readonly OaiFault[]): Uint8Array {
  // Arguments that are not as they must be are no attributes (OAI-PMH 2.0, section 3.2).
  const isUnread = faults.some(({ code }) => code === 'badVerb' || code === 'badArgument')
  const attributes = isUnread ? {} : Object.fromEntries(envelope.parameters)
  const errors = faults.map(({ code, text }) => writePart(element('error', { code }, text)))
  return formatEnvelope(envelope, requestElement(envelope, attributes), errors)
}

function requestElement({ baseUrl }: Envelope, attributes: Record<string, string>): XmlElement {
  return element('request', attributes, baseUrl)
}

function formatEnvelope(
  { baseUrl, responseDate }: Envelope,
  request: XmlElement,
  payload: readonly Uint8Array[],
): Uint8Array {
  const { pathname } = new URL(baseUrl)
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<?xml-stylesheet type="text/xsl" href="${pathname}/${stylesheetName}"?>`,
    `<?xml-stylesheet type="text/css" href="${pathname}/${cssName}"?>`,
    openTag('OAI-PMH', rootAttributes),
  ].join('\n')
  const about = [element('responseDate', {}, formatDatestamp(responseDate)), request]
  return Buffer.concat([
    Buffer.from(head + about.map((part) => writeElement(part)).join('')),
    ...payload,
    Buffer.from('</OAI-PMH>\n'),
  ])
}
