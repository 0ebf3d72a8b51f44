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
  const contents = mediaTypes.map((type) => [type, { schema: contentSchema(type) }] as const)
  return { description, content: Object.fromEntries(contents) }
}

/** The schema of a body that others have described: any JSON, or a text. */
export function contentSchema(mediaType: string, description?: string): TSchema {
  const told = description !== undefined && { description }
  return isJsonType.test(mediaType) ? Type.Unknown({ ...told }) : Type.String({ ...told })
}

const isJsonType = /[/+]json$/

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

/** A header as OpenAPI describes it, without its name. */
type DescribedHeader = { readonly description: string; readonly schema: object }

const text = { type: 'string' }

/** An entity tag, or several, as RFC 9110 §8.8.3 and §13.1 have them. */
const entityTag = '(?:W/)?"[!#-~]*"'

/** Headers that requests may carry. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A name of your own for this request. Sent again within 24 hours with the same body, it ' +
      'gets the first answer, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  'If-Match': {
    description:
      'The `ETag` that you have read: nothing is changed if it is another one now (412).',
    schema: { type: 'string', pattern: `^(?:\\*|${entityTag}(?:, ?${entityTag})*)$` },
  },
  'If-None-Match': {
    description:
      'The `ETag` that you hold: the answer is 304 as long as nothing has changed. With a `PUT`, ' +
      '`*`: what is there already is not replaced (412).',
    schema: text,
  },
  'X-Admin-Code': {
    description: 'The one-time code of an administrator.',
    schema: text,
  },
} as const satisfies Record<string, DescribedHeader>

/** Headers that replies may carry. */
export const replyHeaders = {
  ETag: { description: 'The entity tag of what the reply shows.', schema: text },
  Location: { description: 'The address of what was made.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: '`true` if this is the first answer to an `Idempotency-Key`, given again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the limit allows in its time.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the count begins anew, in seconds since 1970.',
    schema: { type: 'integer' },
  },
} as const satisfies Record<string, DescribedHeader>

export type RequestHeader = keyof typeof requestHeaders
export type ReplyHeader = keyof typeof replyHeaders

/** The headers of a route whose replies are not sent to who holds them. */
export const conditionalRead = {
  requestHeaders: ['If-None-Match'],
  replyHeaders: ['ETag'],
} as const

/** The headers of a route that changes a record only if it stands as the caller has seen it. */
export const conditionalChange = {
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
} as const

declare module 'fastify' {
  interface FastifySchema {
    /** Headers that the route reads, beside those of the caller's credential. */
    readonly requestHeaders?: readonly RequestHeader[]
    /** Headers of a reply that succeeds, beside those of the limits. */
    readonly replyHeaders?: readonly ReplyHeader[]
    /** Whether a request may come without the body that is described. */
    readonly isBodyOptional?: boolean
  }
}
