import type { FastifyRequest } from 'fastify'

const authority = /^https?:\/\/[^/?#]*/i

/** The path of a request exactly as the client sent it: still encoded, without query. */
export function rawPath({ originalUrl }: FastifyRequest): string {
  const target = originalUrl.startsWith('/') ? originalUrl : originalUrl.replace(authority, '')
  const queryAt = target.indexOf('?')
  return queryAt < 0 ? target : target.slice(0, queryAt)
}
