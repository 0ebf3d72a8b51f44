import { isDeepStrictEqual } from 'node:util'
import { type TObject, type TSchema, Type } from 'typebox'

import { type FaultList, type FieldFault, memberPath } from '#actors/values/fault_list.ts'
import { nearestName } from '#actors/values/nearest_name.ts'
import { readText, type TextRule } from '#actors/values/text.ts'

/** What is said of a field in the OpenAPI description, beside its type. */
type SchemaNotes = {
  /** What the component is called that the schema is, where it is one. */
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/**
 * A kind of value: how it is read and how it is described. `read` gives the stored form, which it
 * reads unchanged; or it adds faults at `path` and gives undefined.
 */
export type FieldKind<T> = {
  read(value: unknown, path: string, faults: FaultList): T | undefined
  schema(notes: SchemaNotes): TSchema
  /** What it is made of, where it is more than a word, a line or a number: forms ask for each. */
  readonly parts?: Parts
}

type Parts =
  | { readonly type: 'paragraphs' }
  | { readonly type: 'list'; readonly item: FieldKind<unknown>; readonly max: number }
  | { readonly type: 'record'; readonly shape: FieldShape }

/** Text on one line of at most `max` characters. */
export function lineOf(max: number): FieldKind<string> {
  return textOf({ max, lines: false, isName: false })
}

/** A title or name on one line of at most `max` characters, which are shown in their order. */
export function nameOf(max: number): FieldKind<string> {
  return textOf({ max, lines: false, isName: true })
}

/** Text of at most `max` characters in which TAB, LF and CR stay as they are. */
export function paragraphsOf(max: number): FieldKind<string> {
  return { ...textOf({ max, lines: true, isName: false }), parts: { type: 'paragraphs' } }
}

function textOf(rule: TextRule): FieldKind<string> {
  return {
    read: (value, path, faults) => readText(value, path, rule, faults),
    schema: (notes) => Type.String({ minLength: 1, maxLength: rule.max, ...mutable(notes) }),
  }
}

// A text that is quoted in a warning is cut here.
const quotedCharactersMax = 100

/**
 * Text that `fold` brings into its stored form. Where it gives undefined, `recognize` may know what
 * is meant all the same, which is taken with the warning `value_folded`. Otherwise the fault says
 * that the field must be `right`, which may depend on the text.
 */
export function foldedText<T extends string>({
  max,
  fold,
  recognize,
  right,
  values,
  title,
  pattern,
}: {
  readonly max: number
  readonly fold: (text: string) => T | undefined
  readonly recognize?: (text: string) => T | undefined
  readonly right: string | ((text: string) => string)
  /** All stored forms, if they are few enough to be listed. */
  readonly values?: readonly T[]
  /** What the list of them is called in descriptions. */
  readonly title?: string
  /** What every text that is taken matches, if that is worth telling. */
  readonly pattern?: string
}): FieldKind<T> {
  return {
    read(value, path, faults) {
      const text = readText(value, path, { max, lines: false, isName: false }, faults)
      if (text === undefined) return undefined
      const folded = fold(text)
      if (folded !== undefined) return folded
      const meant = recognize?.(text)
      if (meant !== undefined) {
        warnOfFolding(path, text, meant, faults)
        return meant
      }
      const expected = typeof right === 'string' ? right : right(text)
      faults.add(path, 'bad_value', `${path} must be ${expected}`)
      return undefined
    },
    schema: (notes) =>
      values === undefined
        ? Type.String({
            minLength: 1,
            maxLength: max,
            ...(pattern !== undefined && { pattern }),
            ...mutable(notes),
          })
        : Type.String({ enum: [...values], ...(title && { title }), ...mutable(notes) }),
  }
}

/** Tells that a value was taken as another one that it means. */
export function warnOfFolding(path: string, text: string, meant: string, faults: FaultList): void {
  const quoted = JSON.stringify(text.slice(0, quotedCharactersMax).toWellFormed())
  faults.warn(path, 'value_folded', `${path} was ${quoted}, which is taken as ${meant}`)
}

/** True or false. */
export const flag: FieldKind<boolean> = {
  read(value, path, faults) {
    if (typeof value === 'boolean') return value
    faults.addWrongType(path, 'true or false', value)
    return undefined
  },
  schema: (notes) => Type.Boolean(mutable(notes)),
}

// How a number is written as a text: as JSON writes it, with a plus sign or zeros before it.
const writtenNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number from `min` to `max`, with `whole` an integer. One in a text is taken with a warning. */
export function numberOf({
  min,
  max,
  whole = false,
}: {
  readonly min: number
  readonly max: number
  readonly whole?: boolean
}): FieldKind<number> {
  const expected = `${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`
  return {
    read(value, path, faults) {
      const isText = typeof value === 'string' && writtenNumber.test(value.trim())
      const number = isText ? Number(value) : value
      if (typeof number !== 'number') {
        faults.addWrongType(path, expected, value)
      } else if (!(number >= min && number <= max) || (whole && !Number.isInteger(number))) {
        faults.add(path, 'bad_value', `${path} must be ${expected}, not ${number}`)
      } else {
        // There is no -0 in canonical JSON.
        const stored = number === 0 ? 0 : number
        if (isText) warnOfFolding(path, value, `the number ${stored}`, faults)
        return stored
      }
      return undefined
    },
    schema: (notes) => {
      const bounds = { minimum: min, maximum: max, ...mutable(notes) }
      return whole ? Type.Integer(bounds) : Type.Number(bounds)
    },
  }
}

/** A list of `min` to `max` values of one kind; each fault names its index. */
export function listOf<T>(
  item: FieldKind<T>,
  max: number,
  min: 0 | 1 = 1,
): FieldKind<readonly T[]> {
  return {
    read(value, path, faults) {
      if (!Array.isArray(value)) {
        faults.addWrongType(path, 'an array', value)
      } else if (value.length < min) {
        faults.add(path, 'empty', `${path} must not be empty; leave it out if there is none`)
      } else if (value.length > max) {
        const message = `${path} may have at most ${max} items, not ${value.length}`
        faults.add(path, 'too_long', message)
      } else {
        return readItems(value, item, path, faults)
      }
      return undefined
    },
    schema: (notes) =>
      Type.Array(item.schema({}), { minItems: min, maxItems: max, ...mutable(notes) }),
    parts: { type: 'list', item, max },
  }
}

function readItems<T>(
  values: readonly unknown[],
  item: FieldKind<T>,
  path: string,
  faults: FaultList,
): readonly T[] | undefined {
  const items: T[] = []
  for (const [index, value] of values.entries()) {
    const read = item.read(value, `${path}[${index}]`, faults)
    if (read !== undefined) items.push(read)
  }
  return items.length === values.length ? items : undefined
}

/** Notes as TypeBox takes them, without the readonly of its members. */
export function mutable(notes: SchemaNotes): {
  title?: string
  description?: string
  examples?: unknown[]
} {
  const { title, description, examples } = notes
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples: [...examples] }),
  }
}

/** One row of a field table: what a member is called, holds and means. */
type Field<T> = {
  readonly kind: FieldKind<T>
  readonly required?: boolean
  readonly about: string
  readonly example: unknown
  /** Names that other registries use for it, for suggestions. */
  readonly alsoCalled?: readonly string[]
  /** The part of a form that it stands in; without one, it is among the first. */
  readonly section?: string
  /** Few need it: a form has it behind a click. */
  readonly byNeed?: boolean
}

/** The fields of a record by name, in the order in which people read them. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: Field<NonNullable<T[Name]>> }

/**
 * The rows of a table from which `FieldValues` infers the type of its records. A kind of `unknown`
 * instead of `object` would make the compiler widen words to `string`.
 */
type Fields = Readonly<Record<string, Omit<Field<unknown>, 'kind'> & { readonly kind: object }>>

/** A record as a table describes it: members that are not `required` may be missing. */
export type FieldValues<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends Required ? Name : never]: ValueOf<F[Name]['kind']>
} & {
  readonly [Name in keyof F as F[Name] extends Required ? never : Name]?: ValueOf<F[Name]['kind']>
}

type Required = { readonly required: true }
type ValueOf<Kind> = Kind extends FieldKind<infer T> ? T : never

/** The same table, with a type that tells which members are required. */
export function fieldTable<const F extends Fields>(fields: F): F {
  return fields
}

/** A record whose fields may be missing, or null where a patch removes them. */
export type Draft = Record<string, unknown>

/** A row of a table with its name. */
export type Row = Field<unknown> & {
  readonly name: string
  /** Where it stands among the rows of its shape, from 0. */
  readonly place: number
}

/** A field table made ready for reading. */
export type FieldShape = {
  /** In the order of canonical JSON, which is that of UTF-16 code units (RFC 8785 §3.2.3). */
  readonly rows: readonly Row[]
  readonly rowsByName: ReadonlyMap<string, Row>
  /** The rows of members that must be given. */
  readonly required: readonly Row[]
  readonly readingOrder: readonly Row[]
  /** Every spelling that a suggestion starts from, and the name it leads to. */
  readonly knownNames: ReadonlyMap<string, string>
  /** What was read last: the only part that changes. */
  latest: Latest
}

/** Makes a field table ready for reading. */
export function shapeOf<T>(table: FieldTable<T>): FieldShape {
  const fields = Object.entries<Field<unknown>>(table)
  const order = fields.map(([name]) => name).toSorted((a, b) => (a < b ? -1 : 1))
  const places = new Map(order.map((name, place) => [name, place]))
  const readingOrder = fields.map(([name, field]): Row => {
    return { name, place: places.get(name) ?? 0, ...field }
  })
  const rows = readingOrder.toSorted((a, b) => a.place - b.place)
  const knownNames = new Map<string, string>()
  for (const { name, alsoCalled = [] } of readingOrder) {
    for (const spelling of [name, ...alsoCalled]) knownNames.set(spelling, name)
  }
  const rowsByName = new Map(rows.map((row) => [row.name, row]))
  const required = rows.filter((row) => row.required === true)
  const latest = { names: [], rows: required }
  return { rows, rowsByName, required, readingOrder, knownNames, latest }
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
  for (const row of concernedRows(shape, members, { path, faults })) {
    const member = members[row.name]
    if (member !== undefined && member !== null) {
      const read = readMember(row, member, memberPath(path, row.name), faults)
      if (read !== undefined) record[row.name] = read
    } else if (row.required === true) {
      const field = memberPath(path, row.name)
      faults.add(field, 'required', `${field} is required`)
    }
  }
  return record
}

/** The latest members that were all known, and their rows: things in lists have the same ones. */
type Latest = { readonly names: readonly string[]; readonly rows: readonly Row[] }

/**
 * The rows of the members that are there, and of those that must be, in canonical order; a fault
 * for each that is no field, unless it stands in `record` as it is here.
 */
function concernedRows(
  shape: FieldShape,
  members: Draft,
  { path, faults, record }: Reading,
): readonly Row[] {
  const names = Object.keys(members)
  if (isSameList(shape.latest.names, names)) return shape.latest.rows
  const rows = [...shape.required]
  let unknown = 0
  for (const name of names) {
    const row = shape.rowsByName.get(name)
    if (row !== undefined) {
      if (row.required !== true) insertRow(rows, row)
      continue
    }
    unknown += 1
    if (faults.isFull) continue
    if (record === undefined || !Object.hasOwn(record, name)) addUnknown(shape, name, path, faults)
    else if (!isDeepStrictEqual(members[name], record[name])) {
      const { field, code, message } = readOnly(memberPath(path, name))
      faults.add(field, code, message)
    }
  }
  if (unknown === 0) shape.latest = { names, rows }
  return rows
}

/** Where and for what an object is read. */
type Reading = { readonly path: string; readonly faults: FaultList; readonly record?: Draft }

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

// Most members come nearly in order, so that each finds its place without a sort of them all.
function insertRow(rows: Row[], row: Row): void {
  let at = rows.length
  for (let before = rows[at - 1]; before !== undefined && before.place > row.place; ) {
    rows[at] = before
    at -= 1
    before = rows[at - 1]
  }
  rows[at] = row
}

/**
 * Reads an object as a patch of a record: only the members that are there, null where an optional
 * one is to be removed. `record` is what its readers get: clients send the whole of it back, so
 * members of it that are no fields may stand in the patch as they are. All faults are added;
 * undefined only if the value is no object.
 */
export function readPatch(
  shape: FieldShape,
  value: unknown,
  path: string,
  faults: FaultList,
  record: Draft = {},
): Draft | undefined {
  const members = readMembers(shape, value, path, faults, record)
  if (members === undefined) return undefined
  const patch: Draft = {}
  for (const row of concernedRows(shape, members, { path, faults, record })) {
    const member = members[row.name]
    if (member === undefined) continue
    if (member !== null) {
      const read = readMember(row, member, memberPath(path, row.name), faults)
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

function readMember(row: Row, member: unknown, path: string, faults: FaultList): unknown {
  const isEmpty =
    typeof member === 'string' ? member.trim() === '' : Array.isArray(member) && member.length === 0
  if (row.required !== true || !isEmpty) return row.kind.read(member, path, faults)
  faults.add(path, 'empty', `${path} must not be empty; it is required`)
  return undefined
}

function readMembers(
  shape: FieldShape,
  value: unknown,
  path: string,
  faults: FaultList,
  record?: Draft,
): Draft | undefined {
  if (value === undefined && path === '') {
    const example = JSON.stringify(exampleOf(shape, record !== undefined))
    faults.add('', 'required', `there is no body: send a JSON object such as ${example}`)
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.addWrongType(path, 'a JSON object', value)
    return undefined
  }
  return value as Draft
}

/** A short body: what must be given, or for a patch the first field that need not be. */
function exampleOf({ readingOrder }: FieldShape, isPatch: boolean): Draft {
  const required = readingOrder.filter((row) => row.required === true)
  const optional = readingOrder.filter((row) => row.required !== true).slice(0, 1)
  const rows = isPatch || required.length === 0 ? [...optional, ...required].slice(0, 1) : required
  return Object.fromEntries(rows.map(({ name, example }) => [name, example]))
}

/** The fault of a body that has another value for a member of the record that nobody changes. */
export function readOnly(field: string): FieldFault {
  const message = `${field} cannot be changed: leave it out, or send it as you read it`
  return { field, code: 'read_only', message }
}

function addUnknown(shape: FieldShape, name: string, path: string, faults: FaultList): void {
  const field = memberPath(path, name)
  const spelling = nearestName(name, shape.knownNames.keys())
  const meant = spelling === undefined ? undefined : shape.knownNames.get(spelling)
  const help = meant === undefined ? `the fields are ${listNames(shape)}` : `did you mean ${meant}?`
  faults.add(field, 'unknown_field', `${field} is not a field here; ${help}`)
}

// Names that a fault tells: those of any table but the longest, of which it tells the first.
const namesToldMax = 24

function listNames({ readingOrder }: FieldShape): string {
  const names = readingOrder.slice(0, namesToldMax).map((row) => row.name)
  const more = readingOrder.length - names.length
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

type Finish<T> = (record: T, path: string, faults: FaultList) => T | undefined

/**
 * A kind of value that is a record, called `title`. `finish` checks what concerns several members
 * at once; it runs only on records whose members are right.
 */
export function objectOf<F extends Fields>(
  title: string,
  table: F,
  finish: Finish<FieldValues<F>> = (record) => record,
): FieldKind<FieldValues<F>> {
  const shape = shapeOf<unknown>(table)
  return {
    read(value, path, faults) {
      const before = faults.count
      const record = readFields(shape, value, path, faults)
      return faults.count === before ? finish(record as FieldValues<F>, path, faults) : undefined
    },
    schema: (notes) => fieldsSchema(shape, { ...notes, title, nullable: true }),
    parts: { type: 'record', shape },
  }
}

/** Describes a record; with `nullable`, members that need not be given may be null as well. */
export function fieldsSchema(
  shape: FieldShape,
  notes: SchemaNotes & { readonly nullable?: boolean; readonly partial?: boolean } = {},
): TObject {
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

// A longer text is no word of a list, and is not compared with all of them.
const wordCharactersMax = 100

/**
 * The kind of a word of a short list, called `title` in descriptions. Capitals, hyphens,
 * underscores and spaces are written as people like, so that `DataCollector` is `data_collector`;
 * `others` are further names for words of the list, which are taken with a warning.
 */
export function wordOf<T extends string>({
  words,
  title,
  what = '',
  others = {},
  strangers = [],
  otherwise,
}: {
  readonly words: readonly T[]
  readonly title: string
  /** What the list is, before `one of`: `a relation type of DataCite`. */
  readonly what?: string
  readonly others?: Readonly<Record<string, T>>
  /** Names of other things, which are like words of the list and mean none of them. */
  readonly strangers?: readonly string[]
  /** What to give for what is like none of them. */
  readonly otherwise?: string
}): FieldKind<T> {
  const bySpelling = new Map(
    words.flatMap((word) => [word, reduce(word)].map((each) => [each, word])),
  )
  const otherSpellings = new Map(Object.entries(others).map(([name, word]) => [reduce(name), word]))
  const rule = `${what === '' ? '' : `${what}, `}one of ${words.join(', ')}`
  return foldedText({
    max: wordCharactersMax,
    fold: (text) => bySpelling.get(text) ?? bySpelling.get(reduce(text)),
    recognize: (text) => otherSpellings.get(reduce(text)),
    right: (text) => {
      const isStrange = strangers.some((name) => reduce(name) === reduce(text))
      const near = isStrange
        ? undefined
        : nearestName(reduce(text), [...bySpelling.keys(), ...otherSpellings.keys()])
      const meant =
        near === undefined ? undefined : (bySpelling.get(near) ?? otherSpellings.get(near))
      if (meant !== undefined) return `${rule}; did you mean ${meant}?`
      return otherwise === undefined ? rule : `${rule}; for others, ${otherwise}`
    },
    values: words,
    title,
  })
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}
