import test from 'ava'

import type { WorkType } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import type { ReadEntry } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { codeRepository } from '#src/discovery/citation_files/related_things.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { readSchemaOrg, schemaOrgWorks } from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { formatCslJson } from '#src/discovery/formats/csl_json.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

/** What comes back of a work that is written in a format and read again. */
const thereAndBack: Readonly<Record<string, (work: DescribedWork) => ReadEntry | undefined>> = {
  BibTeX: (work) => readBibtex(splitBibtex(formatBibtex(work)))[0],
  BibLaTeX: (work) => readBibtex(splitBibtex(formatBiblatex(work)))[0],
  RIS: (work) => readRis(splitRis(formatRis(work)))[0],
  'CSL-JSON': (work) => readJson(parseJsonRecords(formatCslJson(work)))[0],
  'JSON-LD': (work) => readSchemaOrg(schemaOrgWorks(parseJsonRecords(formatSchemaOrg(work))))[0],
  MODS: (work) => {
    const reader = new XmlReader()
    return [...reader.push(formatMods(work)), ...reader.end()][0]
  },
}

const moss = { work_title: 'On moss', authors: 'Jane Roe', work_url: 'https://example.org/moss' }
const arxiv = [{ identifier: '2001.00001', type: 'arXiv' }]
const swhid = [{ identifier: `swh:1:dir:${'9b3f'.repeat(10)}`, type: 'SWHID' }]
const pmid = [{ identifier: '25462637', type: 'PMID' }]
const pdf = [{ url: 'https://example.org/moss.pdf', media_type: 'application/pdf' }]
const code = [codeRepository('https://example.org/moss.git')]
const pages = ['312 pages']
const held = { container_title: 'Moss Letters' }

// Of each format, the fields that a work of a type brings back.
const broughtBack: readonly (readonly [
  format: string,
  type: WorkType,
  fields: Partial<Metadata>,
])[] = [
  ['BibTeX', 'article', { ...held, alternate_identifiers: arxiv, files: pdf }],
  ['BibLaTeX', 'book', { alternate_identifiers: arxiv, files: pdf }],

  ['BibLaTeX', 'software', { alternate_identifiers: swhid, related_identifiers: code }],
  ['BibLaTeX', 'book', { sizes: pages }],
  ['RIS', 'book', { sizes: pages, files: pdf }],
  ['RIS', 'thesis', { sizes: pages }],
  ['RIS', 'book', { container_title: 'Moss Books', series_number: '3' }],
  ['RIS', 'book_chapter', { ...held, series_title: 'Moss Books', series_number: '3' }],
  ['RIS', 'proceedings', { work_type: 'proceedings', container_title: 'Moss Notes', volume: '3' }],
  [
    'RIS',
    'proceedings',
    { work_type: 'proceedings', ...held, event: { name: 'Moss 2020', place: 'Bergen' } },
  ],
  ['RIS', 'report', { issue: '12' }],
  ['RIS', 'journal', { issn: [{ value: '2049-3630' }] }],
  ['CSL-JSON', 'book', { sizes: pages }],
  ['CSL-JSON', 'patent', { issue: 'US12' }],
  ['CSL-JSON', 'standard', { issue: '12' }],
  ['CSL-JSON', 'article', { alternate_identifiers: pmid }],
  ['JSON-LD', 'book', { sizes: pages }],
  ['JSON-LD', 'software', { alternate_identifiers: swhid, related_identifiers: code }],
  ['JSON-LD', 'thesis', { degree: 'PhD' }],
  ['MODS', 'thesis', { degree: 'PhD', publisher_name: 'Moss School' }],
  ['MODS', 'thesis', { publisher_name: 'Moss School', institutions: [{ name: 'Fern School' }] }],
]

for (const [format, work_type, fields] of broughtBack) {
  const names = Object.keys(fields).join(', ')
  test(`${format} brings back of works of the type ${work_type}: ${names}`, (t) => {
    const entry = thereAndBack[format]?.(describedWork({ ...moss, work_type, ...fields }))
    t.like(entry?.body, fields)
  })
}
