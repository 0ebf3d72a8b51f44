// Reads one file in a thread of its own, which ends with it: whatever a file makes the library do,
// it does to nobody else, and not for long.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { readBibtex, splitBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
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
  if (records.some(isJsonLd)) return answerJsonLd(records, entriesMax)
  if (!records.some(isJsonRecord)) return { type: 'unreadable' }
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readJson(records, jsonLines(text, count)) }
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
