import { isUtf8 } from 'node:buffer'

import { type ReadEntry, unreadable } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readRecord } from '#src/discovery/citation_files/json_records.ts'
import {
  isJsonLd,
  readSchemaOrg,
  schemaOrgWorks,
} from '#src/discovery/citation_files/schema_org.ts'

/** The agencies whose dumps are migrated. */
export const agencies = ['datacite', 'crossref'] as const

export type Agency = (typeof agencies)[number]

type Place = Pick<ReadEntry, 'line' | 'key'>

/**
 * The entries of one line of a dump, a record as a rule: DataCite's, Crossref's, of CSL-JSON or of
 * schema.org, with its envelope or without. With `from`, those of another agency are refused.
 */
export function readRecordLine(bytes: Buffer, place: Place, from?: Agency): readonly ReadEntry[] {
  const refuse = (message: string) => [
    unreadable(place, [{ field: '', code: 'not_readable', message }]),
  ]
  if (!isUtf8(bytes)) return refuse('The line is not text in UTF-8.')
  const records = parseJsonRecords(bytes.toString('utf8'))
  if (records.length === 0) return refuse('The line is not one JSON value.')
  if (!records.some(isJsonLd)) return records.map((each) => readOf(each, place, bytes.length, from))
  const entries = readSchemaOrg(schemaOrgWorks(records))
  if (entries.length === 0) return refuse('The line has no work of schema.org.')
  return entries.map((entry) => {
    const notes = entry.notes.map((note) => ({ ...note, line: place.line }))
    return { ...entry, ...place, notes }
  })
}

function readOf(record: unknown, place: Place, size: number, from: Agency | undefined): ReadEntry {
  const state = hiddenState(record)
  if (state !== undefined) return unfindable(place, state)
  const agency = agencyOf(record) ?? from
  if (from === undefined || agency === from) return readRecord(record, place, undefined, size)
  const message = `The record is one of ${agency}, not of ${from}.`
  return unreadable(place, [{ field: '', code: 'not_readable', message }])
}

/** Whose record it is, as far as a glance tells; of CSL-JSON, which has a DOI too, Crossref's. */
function agencyOf(record: unknown): Agency | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  return 'attributes' in record ? 'datacite' : 'DOI' in record ? 'crossref' : undefined
}

/** The state of a record of DataCite that nobody can find by its DOI. */
function hiddenState(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const { attributes = record } = record as { readonly attributes?: unknown }
  if (typeof attributes !== 'object' || attributes === null) return undefined
  const { state } = attributes as { readonly state?: unknown }
  return state === 'registered' || state === 'draft' ? state : undefined
}

/** An entry that is left out for the state of its DOI. */
export function unfindable(place: Place, state: string): ReadEntry {
  const message = `${place.key} is left out: its state is ${state}, so nobody can find it.`
  const about = { kind: 'left_out', field: 'state', isLoss: false } as const
  const note = { ...about, line: place.line, message }
  return { ...place, body: undefined, faults: [], notes: [note] }
}
