import { attributionElement, nativeFormat } from '#src/oai/native_format.ts'
import { oaiDatacite } from '#src/oai/oai_datacite.ts'
import { oaiDc } from '#src/oai/oai_dc.ts'
import type { RecordFormat, StandingRecord } from '#src/oai/record_format.ts'

/**
 * All forms in which records come; `oaiUrl` is the repository's address, as Identify tells it. Each
 * record tells who wrote it, but for Dublin Core: what harvesters of that read is valid by the
 * schemas of the protocol alone, which has none for such words.
 */
export function recordFormats(oaiUrl: string): readonly RecordFormat[] {
  const about = (record: StandingRecord) => attributionElement(record, oaiUrl)
  return [oaiDc, { ...oaiDatacite, about }, { ...nativeFormat(oaiUrl), about }]
}
