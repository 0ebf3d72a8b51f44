import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'
import type { HarvestedWork, HarvestRecord } from '#src/discovery/oai/record_source.ts'

/** A record that stands, with its work as all formats describe it. */
export type StandingRecord = {
  readonly record: HarvestRecord
  readonly work: HarvestedWork
  readonly described: DescribedWork
}

/** A form in which records are disseminated, as ListMetadataFormats shows it. */
export type RecordFormat = {
  readonly prefix: string
  /** Address of the XML schema. */
  readonly schema: string
  readonly namespace: string
  /** The one element in a record's `metadata`. */
  metadata(record: StandingRecord): XmlElement
  /** What is told about a record beside its metadata, if anything is. */
  about?(record: StandingRecord): XmlElement
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** Attributes of a root element that say where its schema is. */
export function schemaAttributes(namespace: string, schema: string): Record<string, string> {
  return { 'xmlns:xsi': instanceNamespace, 'xsi:schemaLocation': `${namespace} ${schema}` }
}
