import { attributionElement, nativeFormat } from '#src/discovery/oai/native_format.ts'
import {
  type RecordFormat,
  schemaAttributes,
  type StandingRecord,
} from '#src/discovery/oai/record_format.ts'
import {
  dublinCoreElement,
  dublinCoreNamespace,
  dublinCoreSchema,
} from '#src/discovery/formats/dublin_core.ts'
import { dataciteNamespace } from '#src/discovery/formats/datacite.ts'
import { dataciteElement } from '#src/discovery/formats/datacite_xml.ts'
import { element } from '#src/discovery/formats/xml.ts'

/** Dublin Core, which every repository has (OAI-PMH 2.0, section 2.5). */
const oaiDc: RecordFormat = {
  prefix: 'oai_dc',
  schema: dublinCoreSchema,
  namespace: dublinCoreNamespace,
  metadata: ({ described }) => dublinCoreElement(described),
}

const namespace = 'http://schema.datacite.org/oai/oai-1.1/'
const schema = 'http://schema.datacite.org/oai/oai-1.1/oai.xsd'

/** The version in a kernel's namespace, `http://datacite.org/schema/kernel-4`. */
const schemaVersion = dataciteNamespace.slice(dataciteNamespace.lastIndexOf('-') + 1)

/** DataCite's metadata in the wrapper of its own repository (oai_datacite 1.1). */
const oaiDatacite: RecordFormat = {
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

/**
 * All forms in which records come; `oaiUrl` is the repository's address, as Identify tells it. Each
 * record tells who wrote it, but for Dublin Core: what harvesters of that read is valid by the
 * schemas of the protocol alone, which has none for such words.
 */
export function recordFormats(oaiUrl: string): readonly RecordFormat[] {
  const about = (record: StandingRecord) => attributionElement(record, oaiUrl)
  return [oaiDc, { ...oaiDatacite, about }, { ...nativeFormat(oaiUrl), about }]
}
