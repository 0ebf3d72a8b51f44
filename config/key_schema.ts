import { Type } from 'typebox'

/** What every key says of itself, beside its JSON Schema. `accepts` completes "must be …". */
export type Notes<T> = {
  readonly description: string
  readonly unit: string
  readonly default?: T
  readonly accepts: string
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
