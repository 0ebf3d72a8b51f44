import { type ReadEntry, unreadable } from '#src/discovery/citation_files/citation_entry.ts'
import { readJsonRecord } from '#src/discovery/citation_files/json_records.ts'
import { draftWork } from '#src/discovery/citation_files/work_draft.ts'

const recordCharactersMax = 500_000

/** Reads the records of a JSON file of citations, each on its own. */
export function readJson(records: readonly unknown[]): readonly ReadEntry[] {
  return records.map((record, index) => readRecord(record, `record ${index + 1}`))
}

function readRecord(value: unknown, key: string): ReadEntry {
  // JSON has no lines to speak of: records are told apart by their number.
  const place = { line: 1, key }
  try {
    if (JSON.stringify(value).length > recordCharactersMax) {
      const message = `The ${key} has more than ${recordCharactersMax} characters.`
      return unreadable(place, [{ field: '', code: 'too_long', message }])
    }
    const record = readJsonRecord(value)
    if (record !== undefined) {
      const { body, notes } = draftWork(record.csl, record.facts)
      return { ...place, body, faults: [], notes }
    }
  } catch {
    // Of a value that is nested too deeply for the engine nothing can be said.
  }
  const message = `The ${key} has no title and no DOI.`
  return unreadable(place, [{ field: '', code: 'not_readable', message }])
}
