import fs from 'node:fs/promises'
import { type Static, Type } from 'typebox'

import type { ImportNote } from '#src/cli/import_batch.ts'
import type { NoteKind } from '#src/discovery/citation_files/citation_file.ts'

const exampleSchema = Type.Object({
  file: Type.Optional(Type.String()),
  line: Type.Integer(),
  key: Type.String(),
  message: Type.String(),
})

const rowsSchema = Type.Record(
  Type.String(),
  Type.Object({ count: Type.Integer(), examples: Type.Array(exampleSchema) }),
)

/**
 * What became of the fields of a file, in all runs over it: how many works have each of ours
 * (`carried`); and of the file's own, how many values were taken in another form or meaning
 * (`folded`), `left_out` because no field is for them, `not_read`, or `repeated`, with examples.
 */
export const fieldReportSchema = Type.Object({
  carried: Type.Record(Type.String(), Type.Integer()),
  folded: rowsSchema,
  left_out: rowsSchema,
  not_read: rowsSchema,
  repeated: rowsSchema,
})

export type FieldReport = Static<typeof fieldReportSchema>

const nameOf = {
  taken_as: 'folded',
  left_out: 'left_out',
  not_read: 'not_read',
  repeated: 'repeated',
} as const satisfies Record<NoteKind, keyof FieldReport>

/** Examples of each, and fields that are told apart: files may have names without end. */
const examplesMax = 10
const fieldsMax = 1_000
const otherFields = '(further fields)'

/** A report of nothing. */
export function newFieldReport(): FieldReport {
  return { carried: {}, folded: {}, left_out: {}, not_read: {}, repeated: {} }
}

/** Adds what became of the entries of a batch: how many have each field, and what is told. */
export function addToReport(
  report: FieldReport,
  fields: Readonly<Record<string, number>>,
  notes: readonly ImportNote[],
): void {
  const { carried } = report
  for (const [field, count] of Object.entries(fields)) {
    carried[field] = (carried[field] ?? 0) + count
  }
  for (const note of notes) addNote(report[nameOf[note.kind]], note)
}

function addNote(
  rows: FieldReport['folded'],
  { field, file, line, key, message }: ImportNote,
): void {
  const isKnown = Object.hasOwn(rows, field) || Object.keys(rows).length < fieldsMax
  const name = isKnown ? field : otherFields
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  const { count, examples } = row ?? { count: 0, examples: [] }
  const example = { ...(file !== undefined && { file }), line, key, message }
  if (examples.length < examplesMax) examples.push(example)
  rows[name] = { count: count + 1, examples }
}

/** Writes a report, as JSON, where its reader looks for it. */
export async function writeFieldReport(file: string, report: object): Promise<void> {
  await fs.writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
}
