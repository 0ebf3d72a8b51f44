import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import { isNotModified } from '#src/http/conditional.ts'

/** The media type of every JSON body. */
export const jsonType = 'application/json; charset=utf-8'

/**
 * Sends stored JSON with its entity tag, 304 to a client that holds it, 410 for a tombstone. It may
 * be kept but must be asked for again: the next version may be a moment away.
 */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
): FastifyReply {
  const isPublic = request.routeOptions.config.isPublic === true
  reply.header('etag', rendered.etag)
  reply.header('cache-control', isPublic ? 'no-cache' : 'private, no-cache')
  if (isNotModified(request, rendered.etag)) return reply.code(304).send()
  if (rendered.status === 'withdrawn') reply.code(410)
  reply.header('content-type', jsonType)
  return reply.send(rendered.body)
}
