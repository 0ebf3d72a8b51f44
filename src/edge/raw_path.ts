import type { FastifyRequest } from 'fastify'

const authority = /^https?:\/\/[^/?#]*/i

/** A request target without the scheme and host that a client may put before it (RFC 9112 §3.2). */
export function withoutHost(target: string): string {
  return target.startsWith('/') ? target : target.replace(authority, '')
}

/** The path of a request exactly as the client sent it: still encoded, without query. */
export function rawPath(request: FastifyRequest): string {
  const target = withoutHost(request.originalUrl)
  const queryAt = target.indexOf('?')
  return queryAt < 0 ? target : target.slice(0, queryAt)
}
