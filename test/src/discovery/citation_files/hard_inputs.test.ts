import test from 'ava'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import {
  checkEntry,
  type ReadEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'
import { readCsv } from '#src/discovery/citation_files/csv_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { readSchemaOrg, schemaOrgWorks } from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatCrossref } from '#src/discovery/formats/crossref_deposit.ts'
import { formatCsv } from '#src/discovery/formats/csv_row.ts'
import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { hardInputs } from '#test/src/discovery/citation_files/_hard_inputs.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const size = 10_000

/** More than a file may have entries: what a thread takes for its start is no less for it. */
const threadSize = 2_000

const readers: Readonly<Record<string, (text: string) => readonly ReadEntry[]>> = {
  BibTeX: (text) => readBibtex(splitBibtex(text)),
  RIS: (text) => readRis(splitRis(text)),
  CSV: (text) => readCsv(text, 1, {}).entries,
  JSON: (text) => readJson(parseJsonRecords(text)),
  'JSON-LD': (text) => readSchemaOrg(schemaOrgWorks(parseJsonRecords(text))),
  XML: (text) => {
    const reader = new XmlReader()
    return [...reader.push(text), ...reader.end()]
  },
}

for (const [format, read] of Object.entries(readers)) {
  test(`${format}: whatever is deep, long or without an end gives entries or faults`, (t) => {
    for (const { name, make } of hardInputs) {
      const entries = read(make(size))
      const isTold = entries.every(({ body, faults }) => body !== undefined || faults.length > 0)
      t.true(isTold, name)
    }
  })
}

test('whatever is deep or long is read or refused, and the next file is read', async (t) => {
  for (const { name, make } of hardInputs) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- several would wait for one thread
    const file = await readCitationFile(Buffer.from(make(threadSize)))
    t.true(file.type === 'read' || file.message !== '', name)
  }
  const file = await readCitationFile(Buffer.from('@misc{k, title={T}, author={A B}}'))
  t.is(file.type, 'read')
})

/** Things of which each names all others, as many levels deep as anybody follows them. */
function hubs(count: number): string {
  const names = Array.from({ length: count }, (_, at) => ({ '@id': `#${at}` }))
  const nodes = names.map((id) => ({ ...id, '@type': 'Book', name: 'T', about: names }))
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })
}

test('things of JSON-LD that all name each other are not written out for each other', (t) => {
  const works = schemaOrgWorks(parseJsonRecords(hubs(60)))
  t.is(works.length, 60)
  t.true(JSON.stringify(works[0]).length < 1_000_000)
})

// A word in each of its places: a value of an attribute or a member, a text, a cell.
const places = /(?<=>)[^<>]+(?=<)|(?<==")[^"]*(?=")|(?<=[,\n])[^,"\n<>]+(?=,)|(?<=:")[^"]+(?=")/g

const kinds = { XML: 'xml', 'JSON-LD': 'json', CSV: 'csv' } as const

test('what every object of JavaScript has is no word of any format', (t) => {
  const work = describedWork(wholeMetadata)
  for (const [format, write] of [
    ['XML', formatJats],
    ['XML', formatMods],
    ['XML', formatCrossref],
    ['XML', formatDataciteXml],
    ['JSON-LD', formatSchemaOrg],
    ['CSV', formatCsv],
  ] as const) {
    const text = write(work)
    for (const { 0: old, index } of text.matchAll(places)) {
      const changed = `${text.slice(0, index)}constructor${text.slice(index + old.length)}`
      const place = text.slice(Math.max(0, index - 60), index)
      const entries = readers[format]?.(changed).map((entry) => checkEntry(entry, kinds[format]))
      t.notRegex(JSON.stringify(entries), /native code/, place)
    }
  }
})
