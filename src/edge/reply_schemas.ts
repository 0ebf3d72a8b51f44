import {
  type Serializer,
  type SerializerFactory,
  SerializerSelector,
} from '@fastify/fast-json-stringify-compiler'
import { type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'

/** An object that descriptions of the interface know by a name, and programs as a type. */
export function component<P extends TProperties>(
  name: string,
  properties: P,
  options: TObjectOptions = {},
) {
  return Type.Object(properties, { title: name, ...options })
}

/**
 * One of some words, known by a name. Clients that are made of a union of constants read the first
 * of them and refuse the others.
 */
export function wordOf<const T extends readonly string[]>(title: string, words: T) {
  return Type.Unsafe<T[number]>({ type: 'string', title, enum: [...words] })
}

/** A time as replies say it. */
export const time = Type.String({ format: 'date-time' })

/** A member that may be null; `description` says what it is, and when it is null. */
export function nullable<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** One wrong or doubtful field. */
export const fieldFaultSchema = component('FieldFault', {
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
export const errorSchema = component(
  'Error',
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

const fastifyFactory = SerializerSelector()

/**
 * Fastify's compiler of reply schemas, but a schema is compiled once however many routes reply with
 * it, and not before its first reply: compiling them all was a quarter of what a start takes.
 */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = fastifyFactory(schemas, options)
  const compiled = new Map<unknown, Serializer>()
  return (route) => (value: unknown) => {
    let serialize = compiled.get(route.schema)
    if (serialize === undefined) {
      serialize = compile(route)
      compiled.set(route.schema, serialize)
    }
    return serialize(value)
  }
}
