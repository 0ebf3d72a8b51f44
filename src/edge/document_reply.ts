import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { isNotModified } from '#src/edge/conditional.ts'
import { chooseCoding, encodeContent } from '#src/edge/content_coding.ts'

/** Bytes from which compression is worth its time. */
const compressedBytesMin = 1_024

/**
 * Sends a text that many ask for again and again: with an entity tag, compressed for whoever can
 * read that, and 304 to who holds it. The tag is a weak one, since it names both codings.
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, mediaType }: { readonly text: string; readonly mediaType: string },
): Promise<FastifyReply> {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('cache-control', 'no-cache')
  reply.header('etag', etag)
  reply.header('vary', 'Accept-Encoding')
  reply.header('content-type', `${mediaType}; charset=utf-8`)
  if (isNotModified(request, etag)) return reply.code(304).send()
  const coding = chooseCoding(request.headers['accept-encoding'])
  if (coding === undefined || Buffer.byteLength(text) < compressedBytesMin) return reply.send(text)
  reply.header('content-encoding', coding)
  return reply.send(await encodeContent(text, coding))
}
