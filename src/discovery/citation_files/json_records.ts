import {
  NoteList,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import { readCslRecord } from '#src/discovery/citation_files/csl_record.ts'
import { readDataciteRecord } from '#src/discovery/citation_files/datacite_record.ts'
import { objectOf } from '#src/discovery/citation_files/field_rows.ts'
import { draftBody, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'

/** Envelopes around records, at most: that of an answer, and that of a list. */
const envelopesMax = 3

/**
 * The records of a JSON file, in order: one of CSL-JSON or several, as Zotero and doi.org give
 * them; a work of Crossref's API, with its envelope or without; one of DataCite's, likewise. None
 * of what is no JSON.
 */
export function parseJsonRecords(text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  for (let count = 0; count < envelopesMax && !Array.isArray(value); count += 1) {
    const { data, message, items } = objectOf(value)
    value = items ?? message ?? data ?? value
  }
  return Array.isArray(value) ? value.map(unwrap) : [value]
}

/** A record without an envelope of its own. */
function unwrap(value: unknown): unknown {
  const { message, data } = objectOf(value)
  return isJsonRecord(message) ? message : isJsonRecord(data) ? data : value
}

/** Whether a value is a record of one of these kinds, as far as a glance tells. */
export function isJsonRecord(value: unknown): boolean {
  const { title, titles, attributes, DOI, doi } = objectOf(value)
  return [title, titles, attributes, DOI, doi].some((member) => member !== undefined)
}

/** What one record says; undefined if it is none. */
function readSource(value: unknown, notes: NoteList): SourceWork | undefined {
  if (!isJsonRecord(value)) return undefined
  const record = objectOf(value)
  const { attributes = record } = record
  const members = objectOf(attributes)
  // What DataCite's API gave before 2018 has the names of CSL.
  const isDatacite = ['titles', 'creators', 'publicationYear'].some((name) =>
    Object.hasOwn(members, name),
  )
  return isDatacite ? readDataciteRecord(members, notes) : readCslRecord(members, notes)
}

const recordCharactersMax = 500_000

/** Reads the records of a JSON file of citations, each on its own; `lines` are where they begin. */
export function readJson(
  records: readonly unknown[],
  lines: readonly number[] = [],
): readonly ReadEntry[] {
  return records.map((record, index) => {
    return readRecord(record, { line: lines[index] ?? 1, key: `record ${index + 1}` })
  })
}

/** Reads one record, also one that was made of another format's. */
export function readRecord(value: unknown, place: Pick<ReadEntry, 'line' | 'key'>): ReadEntry {
  try {
    if (JSON.stringify(value).length > recordCharactersMax) {
      const message = `The ${place.key} has more than ${recordCharactersMax} characters.`
      return unreadable(place, [{ field: '', code: 'too_long', message }])
    }
    const notes = new NoteList(place.line)
    const work = readSource(value, notes)
    if (work !== undefined) {
      return { ...place, body: draftBody(work, notes), faults: [], notes: notes.notes }
    }
  } catch (error) {
    // Of a value that is nested too deeply for the engine nothing can be said.
    if (!(error instanceof RangeError)) throw error
  }
  const message = `The ${place.key} has no title and no DOI.`
  return unreadable(place, [{ field: '', code: 'not_readable', message }])
}

/**
 * The lines on which the records of a JSON file begin, from 1: the members of the first list that
 * has as many objects as there are records.
 */
export function jsonLines(text: string, count: number): readonly number[] {
  const lists: number[][] = []
  const open: (number[] | undefined)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}\n]/g
  let line = 1
  for (const [token] of text.matchAll(tokens)) {
    if (token === '\n') line += 1
    else if (token === '[') open.push(startList(lists))
    else if (token === '{') {
      open.at(-1)?.push(line)
      open.push(undefined)
    } else if (token === ']' || token === '}') open.pop()
  }
  return lists.find(({ length }) => length === count) ?? []
}

function startList(lists: number[][]): number[] {
  const list: number[] = []
  lists.push(list)
  return list
}
