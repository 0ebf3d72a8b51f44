import {
  NoteList,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import { readCslRecord } from '#src/discovery/citation_files/csl_record.ts'
import { readDataciteRecord } from '#src/discovery/citation_files/datacite_record.ts'
import { objectOf } from '#src/discovery/citation_files/field_rows.ts'
import {
  draftBody,
  mergeReadings,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'

type Json = Readonly<Record<string, unknown>>

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

/**
 * Whether a value is a record of one of these kinds, as far as a glance tells. A work as our own
 * interface takes it is none: it may have `titles`, too.
 */
export function isJsonRecord(value: unknown): boolean {
  const { title, titles, attributes, DOI, doi, work_title } = objectOf(value)
  if (work_title !== undefined) return false
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

/**
 * Reads one record, also one that was made of another format's, with what that says beside it.
 * `charactersAtMost`: its text has no more, if that is known.
 */
export function readRecord(
  value: unknown,
  place: Pick<ReadEntry, 'line' | 'key'>,
  parts?: Partial<SourceWork>,
  charactersAtMost = Infinity,
): ReadEntry {
  try {
    const mayBeLong = charactersAtMost > recordCharactersMax
    if (mayBeLong && charactersOf(value, recordCharactersMax) > recordCharactersMax) {
      const message = `The ${place.key} has more than ${recordCharactersMax} characters.`
      return unreadable(place, [{ field: '', code: 'too_long', message }])
    }
    const notes = new NoteList(place.line)
    const work = readSource(value, notes)
    if (work !== undefined) {
      const whole = parts === undefined ? work : { ...work, ...mergeReadings([work, parts]) }
      return { ...place, body: draftBody(whole, notes), faults: [], notes: notes.notes }
    }
  } catch (error) {
    // Of a value that is nested too deeply for the engine nothing can be said.
    if (!(error instanceof RangeError)) throw error
  }
  const message = `The ${place.key} has no title and no DOI.`
  return unreadable(place, [{ field: '', code: 'not_readable', message }])
}

/** The characters of a value, about, counted until they are more than `max`. */
function charactersOf(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  let count = 2
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) {
      if (count > max) break
      count += 1 + charactersOf(each, max - count)
    }
    return count
  }
  const members = value as Json
  for (const name of Object.keys(members)) {
    if (count > max) break
    count += 4 + name.length + charactersOf(members[name], max - count)
  }
  return count
}

/**
 * The lines on which the records of a JSON file begin, from 1: the members of the first list that
 * has as many objects as there are records. None of a file of one line.
 */
export function jsonLines(text: string, count: number): readonly number[] {
  if (!text.includes('\n')) return []
  const lists: number[][] = []
  const open: (number[] | undefined)[] = []
  let line = 1
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '\n') line += 1
    else if (sign === '"') at = endOfText(text, at)
    else if (sign === '[') open.push(startList(lists))
    else if (sign === '{') {
      open.at(-1)?.push(line)
      open.push(undefined)
    } else if (sign === ']' || sign === '}') open.pop()
  }
  return lists.find(({ length }) => length === count) ?? []
}

/** Where the text ends that a quotation mark begins. */
function endOfText(text: string, start: number): number {
  let end = start
  let isEscaped = true
  while (isEscaped) {
    end = text.indexOf('"', end + 1)
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    isEscaped = slashes % 2 === 1
  }
  return end < 0 ? text.length : end
}

function startList(lists: number[][]): number[] {
  const list: number[] = []
  lists.push(list)
  return list
}
