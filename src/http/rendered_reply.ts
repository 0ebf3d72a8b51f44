import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import { jsonOf, spliceMembers } from '#actors/representation.ts'
import { sha256 } from '#log/hash.ts'
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

/** Characters of the hash of a representation that its entity tag has. */
const tagCharacters = 22

/** A representation that is made for a reply; `isGone` if it is of what is left of a work. */
export type Representation = {
  readonly body: Uint8Array
  readonly contentType: string
  readonly isGone: boolean
}

/**
 * Sends a representation, with an entity tag that is that of its bytes, and 304 to a client that
 * holds them. What is left of a withdrawn work is 410.
 */
export function sendRepresented(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, contentType, isGone }: Representation,
): FastifyReply {
  const digest = Buffer.from(sha256(body)).toString('base64url').slice(0, tagCharacters)
  const rendered = { type: 'found', body, etag: `"${digest}"`, status: 'registered' } as const
  if (!isGone) return sendRendered(request, reply, rendered, contentType)
  reply.header('content-type', contentType).header('cache-control', 'no-cache')
  return reply.code(errorStatus.gone).send(body)
}
