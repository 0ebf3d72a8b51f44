import { type TSchema, Type } from 'typebox'

/** A time as replies say it. */
export const time = Type.String({ format: 'date-time' })

/** A member that may be null; `description` says what it is, and when it is null. */
export function nullable<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** One wrong or doubtful field. */
export const fieldFaultSchema = Type.Object({
  field: Type.String(),
  code: Type.String(),
  message: Type.String(),
})

/** A reply of other media types than JSON: the text of it, or its bytes. */
export function contentReply(description: string, ...mediaTypes: readonly string[]): object {
  const contents = mediaTypes.map((type) => [type, { schema: Type.String() }] as const)
  return { description, content: Object.fromEntries(contents) }
}

/** The body of every error. */
export const errorSchema = Type.Object(
  {
    error: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(fieldFaultSchema)),
    request_id: Type.String(),
  },
  { additionalProperties: true },
)

/**
 * For routes whose bodies the rules check, all faults at once: their schema is a description, and
 * is not run.
 */
export const checkedByRules = { validatorCompiler: () => () => true } as const
