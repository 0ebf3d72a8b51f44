import { nativeFormat } from '#src/oai/native_format.ts'
import { oaiDatacite } from '#src/oai/oai_datacite.ts'
import { oaiDc } from '#src/oai/oai_dc.ts'
import type { RecordFormat } from '#src/oai/record_format.ts'

/** All forms in which records come; `oaiUrl` is the repository's address, as Identify tells it. */
export function recordFormats(oaiUrl: string): readonly RecordFormat[] {
  return [oaiDc, oaiDatacite, nativeFormat(oaiUrl)]
}
