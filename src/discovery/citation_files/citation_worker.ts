// Reads files in a thread of its own, one at a time: one that takes too much or too long ends the
// thread, and nothing else.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import type {
  CitationTask,
  CitationThreadAnswer,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  isJsonRecord,
  jsonLines,
  parseJsonRecords,
  readJson,
} from '#src/discovery/citation_files/json_records.ts'
import { readCsv } from '#src/discovery/citation_files/csv_file.ts'
import { readRecordLine } from '#src/discovery/citation_files/record_line.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import {
  isJsonLd,
  readSchemaOrg,
  schemaOrgWorks,
} from '#src/discovery/citation_files/schema_org.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'

Object.freeze(Object.prototype)
lowerPriority()
const readers = {
  bibtex: answerBibtex,
  ris: answerRis,
  json: answerJson,
  csv: answerCsv,
  xml: answerXml,
}
answerOrders<CitationTask, CitationThreadAnswer>((task) => readers[task.format](task))

function answerBibtex({ text, entriesMax }: CitationTask): CitationThreadAnswer {
  const parts = splitBibtex(text)
  const count = parts.filter(({ kind }) => kind === 'entry').length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readBibtex(parts) }
}

function answerRis({ text, entriesMax }: CitationTask): CitationThreadAnswer {
  const records = splitRis(text)
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readRis(records) }
}

function answerJson({ text, entriesMax }: CitationTask): CitationThreadAnswer {
  const records = parseJsonRecords(text)
  if (records.length === 0) return answerJsonLines(text, entriesMax)
  if (records.some(isJsonLd)) return answerJsonLd(records, entriesMax)
  if (!records.some(isJsonRecord)) return { type: 'unreadable' }
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readJson(records, jsonLines(text, count)) }
}

/** A record a line, as dumps have them; one that cannot be read is told of in its place. */
function answerJsonLines(text: string, entriesMax: number): CitationThreadAnswer {
  const lines = text
    .split('\n')
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
  const given = lines.filter(({ content }) => content !== '')
  const count = given.length
  if (count < 2 || given.some(({ content }) => !content.startsWith('{')))
    return { type: 'unreadable' }
  if (count > entriesMax) return { type: 'too_many', count }
  const entries = given.flatMap(({ content, line }, index) =>
    readRecordLine(Buffer.from(content), { line, key: `record ${index + 1}` }),
  )
  return entries.some(({ body }) => body !== undefined)
    ? { type: 'read', entries }
    : { type: 'unreadable' }
}

function answerJsonLd(records: readonly unknown[], entriesMax: number): CitationThreadAnswer {
  const works = schemaOrgWorks(records)
  const count = works.length
  if (count === 0) return { type: 'unreadable' }
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readSchemaOrg(works) }
}

function answerCsv({ text, entriesMax, choices }: CitationTask): CitationThreadAnswer {
  const { columns, entries, count } = readCsv(text, entriesMax, choices)
  return count > entriesMax ? { type: 'too_many', count } : { type: 'read', columns, entries }
}

function answerXml({ text, entriesMax }: CitationTask): CitationThreadAnswer {
  const reader = new XmlReader()
  const entries = [...reader.push(text), ...reader.end()]
  const count = entries.length
  if (count === 0) return { type: 'unreadable' }
  return count > entriesMax ? { type: 'too_many', count } : { type: 'read', entries }
}
