import type { FastifyReply } from 'fastify'

import type { EdgeRequest, HeaderStep } from '#src/edge/step.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether web pages of any origin may call the route. They may wherever a credential is sent in
     * a header by whoever has it: only cookies are sent by browsers on their own.
     */
    readonly anyOrigin?: boolean
  }
}

/** Headers that a web page may send with a request. */
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-API-Key, X-Request-Id'

/** Headers of a reply that a web page may read. */
const exposedHeaders =
  'Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, ' +
  'Retry-After, Sunset, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, X-Request-Id, X-SVC-Environment'

/** How long a browser may remember what an address allows. */
const preflightMaxAgeSeconds = 86_400

/**
 * Lets web pages of any origin read what routes with `anyOrigin` reply (CORS, the Fetch standard's
 * §3.2), refusals included. `methods` tells the address of a request whose method it does not take.
 */
export function allowOrigins(methods: {
  missedBy(request: EdgeRequest): { readonly anyOrigin: boolean } | undefined
}): HeaderStep {
  return (request, reply) => {
    // At an address that is none, a page is told so too.
    const { is404, routeOptions } = request
    const { anyOrigin } =
      methods.missedBy(request) ?? (is404 ? { anyOrigin: true } : routeOptions.config)
    if (anyOrigin === true) reply.headers(anyOriginHeaders)
  }
}

/** Answers what a browser asks before a web page of another origin sends one of `methods`. */
export function allowPreflight(reply: FastifyReply, methods: string): void {
  reply.header('access-control-allow-methods', methods)
  reply.header('access-control-allow-headers', allowedHeaders)
  reply.header('access-control-max-age', preflightMaxAgeSeconds)
}

/** What lets a web page of any origin read the reply. */
export const anyOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
} as const
