import { type TSchema, Type } from 'typebox'

/** Bytes of a mebibyte, the unit in which the sizes of keys are written. */
export const mebibyte = 1_048_576

/** What every key says of itself, beside its JSON Schema. `accepts` completes "must be …". */
export type Notes<T> = {
  readonly description: string
  readonly unit: string
  readonly default?: T
  readonly accepts: string
}

/** One key as its readers see it: the schema that checks it and what it says of itself. */
export type ConfigKey<Name extends string = string> = Notes<unknown> & {
  readonly name: Name
  readonly schema: TSchema
  /** Whether it must be given: it has no default, and nothing can be done without it. */
  readonly required: boolean
  /** How the value is written in the environment. */
  readonly form: 'integer' | 'integer_or_text' | 'boolean' | 'list' | 'text'
}

/** The keys of an object's schema, in its order. */
export function keysOf<Name extends string>(
  properties: Readonly<Record<Name, TSchema>>,
): readonly ConfigKey<Name>[] {
  return Object.entries<TSchema>(properties).map(([name, schema]) => {
    const { description, unit, accepts, ...rest } = schema as TSchema & Notes<unknown>
    return {
      name: name as Name,
      schema,
      required: !('default' in rest) && !Type.IsOptional(schema),
      form: formOf(schema),
      description,
      unit,
      accepts,
      ...('default' in rest ? { default: rest.default } : {}),
    }
  })
}

function formOf(schema: TSchema): ConfigKey['form'] {
  if (Type.IsInteger(schema)) return 'integer'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsArray(schema)) return 'list'
  if (Type.IsUnion(schema) && schema.anyOf.some((choice) => Type.IsInteger(choice))) {
    return 'integer_or_text'
  }
  return 'text'
}

type Bounds = { readonly minimum: number; readonly maximum: number }

/** A whole number within bounds. */
export function integer(notes: Omit<Notes<number>, 'accepts'> & Bounds) {
  return Type.Integer({ ...notes, accepts: wholeNumber(notes) })
}

/** A whole number within bounds, or `off`. */
export function integerOrOff(notes: Omit<Notes<number | 'off'>, 'accepts'> & Bounds) {
  const { minimum, maximum, ...rest } = notes
  return Type.Union([Type.Integer({ minimum, maximum }), Type.Literal('off')], {
    ...rest,
    accepts: `${wholeNumber(notes)}, or "off"`,
  })
}

function wholeNumber({ minimum, maximum }: Bounds): string {
  return `a whole number from ${minimum} to ${maximum}`
}

/** True or false. */
export function flag(notes: Pick<Notes<boolean>, 'description' | 'default'>) {
  return Type.Boolean({
    ...notes,
    unit: '',
    accepts: 'true or false (in the environment also on or off)',
  })
}

/** A text that a pattern matches. */
export function text(
  notes: Omit<Notes<string>, 'unit'> & { readonly pattern: string; maxLength: number },
) {
  return Type.String({ ...notes, unit: '' })
}

/** A path of the file system. */
export function path(notes: Pick<Notes<string>, 'description' | 'default'>) {
  return text({ ...notes, pattern: '^[^\\0]+$', maxLength: 1_000, accepts: 'a path' })
}

/** A limit on requests of one client; `off` lifts it, which the banner says. */
export function rateLimit(window: 'minute' | 'hour', requests: number, description: string) {
  return integerOrOff({
    description,
    unit: `requests/${window}`,
    default: requests,
    minimum: 1,
    maximum: 1_000_000_000,
  })
}
