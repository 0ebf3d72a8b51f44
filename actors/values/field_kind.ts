import { Type, type TSchema } from 'typebox'
import type { FaultList } from '#actors/values/fault_list.ts'
import { readText, type TextRule } from '#actors/values/text.ts'

/** What is said of a field in the OpenAPI description, beside its type. */
export type SchemaNotes = { readonly description?: string; readonly examples?: readonly unknown[] }

/**
 * A kind of value: how it is read and how it is described. `read` gives the stored form, which it
 * reads unchanged; or it adds faults at `path` and gives undefined.
 */
export type FieldKind<T> = {
  read(value: unknown, path: string, faults: FaultList): T | undefined
  schema(notes: SchemaNotes): TSchema
}

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
  return textOf({ max, lines: true, isName: false })
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
  pattern,
}: {
  readonly max: number
  readonly fold: (text: string) => T | undefined
  readonly recognize?: (text: string) => T | undefined
  readonly right: string | ((text: string) => string)
  /** All stored forms, if they are few enough to be listed. */
  readonly values?: readonly T[]
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
        const quoted = JSON.stringify(text.slice(0, quotedCharactersMax).toWellFormed())
        faults.warn(path, 'value_folded', `${path} was ${quoted}, which is taken as ${meant}`)
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
        : Type.String({ enum: [...values], ...mutable(notes) }),
  }
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

/** A list of 1 to `max` values of one kind; each fault names its index. */
export function listOf<T>(item: FieldKind<T>, max: number): FieldKind<readonly T[]> {
  return {
    read(value, path, faults) {
      if (!Array.isArray(value)) {
        faults.addWrongType(path, 'an array', value)
      } else if (value.length === 0) {
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
      Type.Array(item.schema({}), { minItems: 1, maxItems: max, ...mutable(notes) }),
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
export function mutable(notes: SchemaNotes): { description?: string; examples?: unknown[] } {
  const { description, examples } = notes
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples: [...examples] }),
  }
}
