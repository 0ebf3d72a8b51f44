// Reads one file in a thread of its own, which ends with it: whatever a file makes the library do,
// it does to nobody else, and not for long.

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
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { lowerPriority } from '#actors/kernel/kept_worker.ts'

Object.freeze(Object.prototype)
lowerPriority()
const readers = { bibtex: answerBibtex, ris: answerRis, json: answerJson }
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
  if (!records.some(isJsonRecord)) return { type: 'unreadable' }
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readJson(records, jsonLines(text, count)) }
}
