import { element } from '#src/discovery/formats/xml.ts'
import type { XmlElement } from '#src/discovery/formats/xml_element.ts'
import { formatDatestamp } from '#src/discovery/oai/datestamp.ts'
import { describeRecord } from '#src/discovery/oai/described_record.ts'
import type { RecordFormat } from '#src/discovery/oai/record_format.ts'
import type { HarvestRecord, RecordSource } from '#src/discovery/oai/record_source.ts'
import { allSpec, formatSetSpec } from '#src/discovery/oai/set_spec.ts'

/** What records are shown with. */
export type RecordOptions = {
  readonly source: Pick<RecordSource, 'setName'>
  /** Address of the registry in which ARKs resolve. */
  readonly registryUrl: string
  readonly enableSets: boolean
}

/** The header of a record: all that is left of one that was deleted. */
export function headerElement(
  { ark, datestamp, sets, work }: HarvestRecord,
  { enableSets }: Pick<RecordOptions, 'enableSets'>,
): XmlElement {
  const specs = sets.length === 0 ? [allSpec] : sets.map(formatSetSpec)
  return element(
    'header',
    { status: work === undefined ? 'deleted' : undefined },
    element('identifier', {}, ark),
    element('datestamp', {}, formatDatestamp(datestamp)),
    ...(enableSets ? specs.map((spec) => element('setSpec', {}, spec)) : []),
  )
}

/** A record in a format. */
export function recordElement(
  record: HarvestRecord,
  format: RecordFormat,
  options: RecordOptions,
): XmlElement {
  const header = headerElement(record, options)
  const { work } = record
  if (work === undefined) return element('record', {}, header)
  const standing = { record, work, described: describeRecord(record, work, options) }
  return element(
    'record',
    {},
    header,
    element('metadata', {}, format.metadata(standing)),
    format.about && element('about', {}, format.about(standing)),
  )
}
