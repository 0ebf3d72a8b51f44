import { element, textElement, type XmlElement } from '#src/formats/xml.ts'
import { formatDatestamp } from '#src/oai/datestamp.ts'
import type { OaiFault } from '#src/oai/oai_fault.ts'
import { schemaAttributes } from '#src/oai/record_format.ts'
import { writeElement } from '#src/oai/xml_writer.ts'

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

/** A whole reply: `payload` is the element named after the verb. */
export function formatReply(envelope: Envelope, payload: XmlElement): string {
  const request = requestElement(envelope, Object.fromEntries(envelope.parameters))
  return formatEnvelope(envelope, request, [payload])
}

/** A whole reply that tells why there is nothing else in it. */
export function formatFaults(envelope: Envelope, faults: readonly OaiFault[]): string {
  // Arguments that are not as they must be are no attributes (OAI-PMH 2.0, section 3.2).
  const isUnread = faults.some(({ code }) => code === 'badVerb' || code === 'badArgument')
  const attributes = isUnread ? {} : Object.fromEntries(envelope.parameters)
  const errors = faults.map(({ code, text }) => element('error', { code }, text))
  return formatEnvelope(envelope, requestElement(envelope, attributes), errors)
}

function requestElement({ baseUrl }: Envelope, attributes: Record<string, string>): XmlElement {
  return element('request', attributes, baseUrl)
}

function formatEnvelope(
  { baseUrl, responseDate }: Envelope,
  request: XmlElement,
  payload: readonly XmlElement[],
): string {
  const root = element(
    'OAI-PMH',
    rootAttributes,
    textElement('responseDate', formatDatestamp(responseDate)),
    request,
    ...payload,
  )
  const { pathname } = new URL(baseUrl)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<?xml-stylesheet type="text/xsl" href="${pathname}/${stylesheetName}"?>`,
    `<?xml-stylesheet type="text/css" href="${pathname}/${cssName}"?>`,
    `${writeElement(root)}\n`,
  ].join('\n')
}
