import { headerElement, recordElement } from '#src/discovery/oai/record_element.ts'
import { recordFormats } from '#src/discovery/oai/record_formats.ts'
import type { HarvestRecord } from '#src/discovery/oai/record_source.ts'
import type { ListVerb } from '#src/discovery/oai/oai_request.ts'
import { writeElement } from '#src/discovery/formats/xml_writer.ts'
import { assert } from '#log/base/errors.ts'

/** What records are written from: data alone, so that another thread can write them. */
export type RecordsTask = {
  /** Headers alone for `ListIdentifiers`. */
  readonly verb: ListVerb
  readonly prefix: string
  /** Addresses of the repository, and of the registry in which ARKs resolve. */
  readonly oaiUrl: string
  readonly registryUrl: string
  readonly enableSets: boolean
  readonly records: readonly HarvestRecord[]
  /** Names of the organizations whose sets have the records, by slug. */
  readonly setNames: Readonly<Record<string, string>>
  /** Bytes of XML after which the rest is left. */
  readonly bytesEnough: number
}

/** Records as XML in UTF-8, one after the other: the first `count` of them, one at least. */
export type WrittenRecords = { readonly bytes: Uint8Array; readonly count: number }

/** Writes records as a list or a `GetRecord` has them. */
export function writeRecords(task: RecordsTask): WrittenRecords {
  const { verb, prefix, oaiUrl, records, setNames, bytesEnough } = task
  const format = recordFormats(oaiUrl).find((one) => one.prefix === prefix)
  assert(format !== undefined, 'records are written in a format that there is')
  const options = { ...task, source: { setName: (slug: string) => setNames[slug] } }
  const written: Buffer[] = []
  let bytes = 0
  for (const record of records) {
    const isHeader = verb === 'ListIdentifiers'
    const shown = isHeader ? headerElement(record, options) : recordElement(record, format, options)
    const text = Buffer.from(writeElement(shown))
    written.push(text)
    bytes += text.length
    if (bytes >= bytesEnough) break
  }
  return { bytes: Buffer.concat(written, bytes), count: written.length }
}
