import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { isNotModified } from '#src/edge/conditional.ts'

/** The bytes of a reply as they are sent, with their strong entity tag. */
export type TaggedBytes = { readonly bytes: Uint8Array; readonly etag: string }

/** Bytes with the tag that they alone have: another content coding of them has another. */
export function tagBytes(bytes: Uint8Array): TaggedBytes {
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }
}

/** Sends bytes, or 304 to a client that has them. The headers that both have are set already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: TaggedBytes,
): FastifyReply {
  reply.header('etag', etag)
  if (isNotModified(request, etag)) return reply.code(304).removeHeader('content-encoding').send()
  return reply.send(bytes)
}
