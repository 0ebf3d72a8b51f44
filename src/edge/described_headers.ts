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
    description: 'The `ETag` that you hold: the answer is 304 as long as nothing has changed.',
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
