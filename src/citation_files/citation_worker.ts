// Reads one file in a thread of its own, which ends with it: whatever a file makes the library do,
// it does to nobody else, and not for long.

import { parentPort, workerData } from 'node:worker_threads'

import { splitBibtex } from '#src/citation_files/bibtex_chunks.ts'
import { readBibtex } from '#src/citation_files/bibtex_file.ts'
import type { CitationTask, CitationThreadAnswer } from '#src/citation_files/citation_thread.ts'
import { readJson } from '#src/citation_files/json_file.ts'
import { isJsonRecord, parseJsonRecords } from '#src/citation_files/json_records.ts'
import { readRis } from '#src/citation_files/ris_file.ts'
import { splitRis } from '#src/citation_files/ris_records.ts'
import { lowerPriority } from '#src/fairness/priority.ts'

const { text, format, entriesMax } = workerData as CitationTask
Object.freeze(Object.prototype)
lowerPriority()
const answers = { bibtex: answerBibtex, ris: answerRis, json: answerJson }
parentPort?.postMessage(answers[format]())

function answerBibtex(): CitationThreadAnswer {
  const parts = splitBibtex(text)
  const count = parts.filter(({ kind }) => kind === 'entry').length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readBibtex(parts) }
}

function answerRis(): CitationThreadAnswer {
  const records = splitRis(text)
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readRis(records) }
}

function answerJson(): CitationThreadAnswer {
  const records = parseJsonRecords(text)
  if (!records.some(isJsonRecord)) return { type: 'unreadable' }
  const count = records.length
  return count > entriesMax
    ? { type: 'too_many', count }
    : { type: 'read', entries: readJson(records) }
}
