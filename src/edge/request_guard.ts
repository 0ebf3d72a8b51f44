import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

import type { EdgeRequest, HeaderStep } from '#src/edge/step.ts'
import { HttpError } from '#src/edge/errors.ts'

/** One year, for a service whose public address is https (RFC 6797). */
const transportSecurity = 'max-age=31536000'

/**
 * Headers of every reply: it is data, so no browser may guess its type, run or frame it. A page
 * overrides the policy with its own.
 */
export function replyHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': transportSecurity }),
  }
}

/**
 * Refuses requests that two readers could understand in two ways, before anything else looks at
 * them: no Host or two of them (RFC 9112 §3.2), and a body in an encoding that would not be undone.
 * Sets the headers that every reply has, the request's id among them.
 */
export function guardRequests(baseUrl: string): HeaderStep {
  const headers = replyHeaders(baseUrl)
  return (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    const refusal = whyRefused(request.raw)
    if (refusal !== undefined) throw refusal
  }
}

/** Why a request is refused before anything else looks at it; undefined if it is not. */
function whyRefused(request: IncomingMessage): HttpError | undefined {
  const hosts = countHosts(request.rawHeaders)
  // HTTP/1.0 knows no Host.
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    return new HttpError('bad_request', 'A request has exactly one Host header')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    return new HttpError('unsupported_media_type', 'Send the body without a Content-Encoding')
  }
  return undefined
}

/** Node keeps the first of several Host headers; only the raw list tells that there were more. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether web pages of any origin may call the route. They may wherever a credential is sent in
     * a header by the page that has it: only cookies are sent by browsers on their own.
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
