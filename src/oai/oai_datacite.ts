import { dataciteNamespace } from '#src/formats/datacite.ts'
import { dataciteElement } from '#src/formats/datacite_xml.ts'
import { element } from '#src/formats/xml.ts'
import { type RecordFormat, schemaAttributes } from '#src/oai/record_format.ts'

const namespace = 'http://schema.datacite.org/oai/oai-1.1/'
const schema = 'http://schema.datacite.org/oai/oai-1.1/oai.xsd'

/** The version in a kernel's namespace, `http://datacite.org/schema/kernel-4`. */
const schemaVersion = dataciteNamespace.slice(dataciteNamespace.lastIndexOf('-') + 1)

/** DataCite's metadata in the wrapper of its own repository (oai_datacite 1.1). */
export const oaiDatacite: RecordFormat = {
  prefix: 'oai_datacite',
  schema,
  namespace,
  metadata: ({ described }) =>
    element(
      'oai_datacite',
      { xmlns: namespace, ...schemaAttributes(namespace, schema) },
      element('schemaVersion', {}, schemaVersion),
      element('datacentreSymbol', {}, described.registry),
      element('payload', {}, dataciteElement(described)),
    ),
}
