import { Type, type TSchema } from 'typebox'
import { type FaultList, memberPath } from '#actors/values/fault_list.ts'
import { type FieldKind, mutable, type SchemaNotes } from '#actors/values/field_kind.ts'
import { nearestName } from '#actors/values/nearest_name.ts'

/** One row of a field table: what a member is called, holds and means. */
export type Field<T> = {
  readonly kind: FieldKind<T>
  readonly required?: boolean
  readonly about: string
  readonly example: unknown
  /** Names that other registries use for it, for suggestions. */
  readonly alsoCalled?: readonly string[]
}

/** The fields of a record by name, in the order in which people read them. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: Field<NonNullable<T[Name]>> }

/** A record whose fields may be missing, or null where a patch removes them. */
export type Draft = Record<string, unknown>

type Row = Field<unknown> & { readonly name: string }

/** A field table made ready for reading. */
export type FieldShape = {
  /** In the order of canonical JSON, which is that of UTF-16 code units (RFC 8785 §3.2.3). */
  readonly rows: readonly Row[]
  readonly rowsByName: ReadonlyMap<string, Row>
  readonly readingOrder: readonly Row[]
  /** Every spelling that a suggestion starts from, and the name it leads to. */
  readonly knownNames: ReadonlyMap<string, string>
}

/** Makes a field table ready for reading. */
export function shapeOf<T>(table: FieldTable<T>): FieldShape {
  const fields = Object.entries<Field<unknown>>(table)
  const readingOrder = fields.map(([name, field]) => ({ name, ...field }))
  const rows = readingOrder.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const knownNames = new Map<string, string>()
  for (const { name, alsoCalled = [] } of readingOrder) {
    for (const spelling of [name, ...alsoCalled]) knownNames.set(spelling, name)
  }
  return { rows, rowsByName: new Map(rows.map((row) => [row.name, row])), readingOrder, knownNames }
}

/**
 * Reads an object as a record: members in the order of canonical JSON, absent and null ones left
 * out. All faults are added under `path`; undefined only if the value is no object.
 */
export function readFields(
  shape: FieldShape,
  value: unknown,
  path: string,
  faults: FaultList,
): Draft | undefined {
  const members = readMembers(shape, value, path, faults)
  if (members === undefined) return undefined
  const record: Draft = {}
  for (const row of shape.rows) {
    const member = members[row.name]
    if (member !== undefined && member !== null) {
      const read = row.kind.read(member, memberPath(path, row.name), faults)
      if (read !== undefined) record[row.name] = read
    } else if (row.required === true) {
      const field = memberPath(path, row.name)
      faults.add(field, 'required', `${field} is required`)
    }
  }
  return record
}

/**
 * Reads an object as a patch of a record: only the members that are there, null where an optional
 * one is to be removed. All faults are added; undefined only if the value is no object.
 */
export function readPatch(
  shape: FieldShape,
  value: unknown,
  path: string,
  faults: FaultList,
): Draft | undefined {
  const members = readMembers(shape, value, path, faults)
  if (members === undefined) return undefined
  const patch: Draft = {}
  for (const row of shape.rows) {
    const member = members[row.name]
    if (member === undefined) continue
    if (member !== null) {
      const read = row.kind.read(member, memberPath(path, row.name), faults)
      if (read !== undefined) patch[row.name] = read
    } else if (row.required === true) {
      const field = memberPath(path, row.name)
      faults.add(field, 'required', `${field} cannot be removed`)
    } else {
      patch[row.name] = null
    }
  }
  return patch
}

function readMembers(
  shape: FieldShape,
  value: unknown,
  path: string,
  faults: FaultList,
): Draft | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.addWrongType(path, 'a JSON object', value)
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (!shape.rowsByName.has(name) && !faults.isFull) addUnknown(shape, name, path, faults)
  }
  return value as Draft
}

function addUnknown(shape: FieldShape, name: string, path: string, faults: FaultList): void {
  const field = memberPath(path, name)
  const spelling = nearestName(name, shape.knownNames.keys())
  const meant = spelling === undefined ? undefined : shape.knownNames.get(spelling)
  const names = shape.readingOrder.map((row) => row.name).join(', ')
  const help = meant === undefined ? `the fields are ${names}` : `did you mean ${meant}?`
  faults.add(field, 'unknown_field', `${field} is not a field here; ${help}`)
}

/**
 * A kind of value that is a record. `finish` checks what concerns several members at once; it runs
 * only on records whose members are right.
 */
export function objectOf<T>(
  table: FieldTable<T>,
  finish: (record: T, path: string, faults: FaultList) => T | undefined = (record) => record,
): FieldKind<T> {
  const shape = shapeOf(table)
  return {
    read(value, path, faults) {
      const before = faults.count
      const record = readFields(shape, value, path, faults)
      return faults.count === before ? finish(record as T, path, faults) : undefined
    },
    schema: (notes) => fieldsSchema(shape, { ...notes, nullable: true }),
  }
}

/** Describes a record; with `nullable`, members that need not be given may be null as well. */
export function fieldsSchema(
  shape: FieldShape,
  notes: SchemaNotes & { readonly nullable?: boolean; readonly partial?: boolean } = {},
): TSchema {
  const members = shape.readingOrder.map((row): [string, TSchema] => {
    const required = row.required === true
    const schema = fieldSchema(row, notes.nullable === true && !required)
    return [row.name, required && notes.partial !== true ? schema : Type.Optional(schema)]
  })
  return Type.Object(Object.fromEntries(members), {
    additionalProperties: false,
    ...mutable(notes),
  })
}

function fieldSchema({ kind, about, example }: Row, nullable: boolean): TSchema {
  const notes = { description: about, examples: [example] }
  if (!nullable) return kind.schema(notes)
  return Type.Union([kind.schema({}), Type.Null()], mutable(notes))
}
