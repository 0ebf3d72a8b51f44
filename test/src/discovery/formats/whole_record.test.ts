import test from 'ava'

import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteJson, formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

/** What a file of DataCite's says of a work, as it would be stored. */
function readBack(text: string): Readonly<Record<string, unknown>> {
  const xml = new XmlReader()
  const entries = text.startsWith('<')
    ? [...xml.push(text), ...xml.end()]
    : readJson(parseJsonRecords(text))
  const [entry] = entries.map((each) => checkEntry(each, 'json'))
  const check = checkNewWork(entry?.body)
  return check.type === 'ok' ? check.metadata : { faults: check.faults }
}

const own = checkNewWork(wholeMetadata)
const stored = own.type === 'ok' ? own.metadata : undefined
const work = describedWork(stored ?? wholeMetadata)

// The address of the file stands in JSON alone; the registry tells its own names beside others.
const inJsonAlone = ['files', 'work_url']
const told = ['alternate_identifiers', 'dates', 'related_identifiers', 'rights']

for (const [name, text] of [
  ['XML', formatDataciteXml(work)],
  ['JSON', formatDataciteJson(work)],
] as const) {
  test(`DataCite’s ${name} carries a whole record there and back`, (t) => {
    t.like(own, { type: 'ok' })
    const back = readBack(text)
    for (const [field, value] of Object.entries(stored ?? {})) {
      if (inJsonAlone.includes(field) && name === 'XML' && back[field] === undefined) continue
      if (field === 'work_url') continue
      if (!told.includes(field)) t.deepEqual(back[field], value, field)
      else {
        const texts = (back[field] as readonly unknown[]).map((each) => JSON.stringify(each))
        for (const each of value as readonly unknown[]) {
          t.true(texts.includes(JSON.stringify(each)), `${field} ${JSON.stringify(each)}`)
        }
      }
    }
  })
}
