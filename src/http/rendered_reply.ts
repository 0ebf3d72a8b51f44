import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import { jsonOf, spliceMembers } from '#actors/representation.ts'
import { errorStatus, HttpError } from '#src/errors.ts'
import { isNotModified } from '#src/http/conditional.ts'
import { errorBody } from '#src/http/error_reply.ts'

/** The media type of every JSON body. */
export const jsonType = 'application/json; charset=utf-8'

const gone = errorBody(new HttpError('gone', 'The work was withdrawn'))

/**
 * Sends stored JSON, which may have a media type of its own, with its entity tag, and 304 to a
 * client that holds it. It may be kept but must be asked for again: the next version may be a
 * moment away. A tombstone is 410, with the members of an error before its own.
 */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
  mediaType = jsonType,
): FastifyReply {
  const isPublic = request.routeOptions.config.isPublic === true
  reply.header('cache-control', isPublic ? 'no-cache' : 'private, no-cache')
  if (rendered.status === 'withdrawn') {
    reply.header('content-type', jsonType)
    // A condition is about replies that succeed only (RFC 9110 §13.2.1).
    const error = jsonOf({ ...gone, request_id: request.id })
    return reply.code(errorStatus.gone).send(spliceMembers(error, rendered.body))
  }
  reply.header('content-type', mediaType)
  reply.header('etag', rendered.etag)
  if (isNotModified(request, rendered.etag)) return reply.code(304).send()
  return reply.send(rendered.body)
}
