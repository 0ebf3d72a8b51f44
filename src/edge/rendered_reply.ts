import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered, RenderedPage } from '#actors/registry/catalogue/port.ts'
import { jsonOf, spliceMembers } from '#actors/registry/catalogue/representation.ts'
import { isNotModified } from '#src/edge/conditional.ts'
import { errorBody } from '#src/edge/error_reply.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { pageLinks } from '#src/edge/list_page.ts'
import { errorStatus, HttpError } from '#src/edge/errors.ts'

/** The media type of every JSON body. */
export const jsonType = 'application/json; charset=utf-8'

/** A representation in UTF-8, and the headers that are its own. */
export type Representation = {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

const withdrawn = errorBody(new HttpError('gone', 'The work was withdrawn'))
const lost = errorBody(new HttpError('gone', 'What was registered of the work is lost'))

/**
 * Sends stored JSON with its entity tag, and 304 to a client that holds it. It may be kept but must
 * be asked for again: the next version may be a moment away. A tombstone is 410, with the members
 * of an error before its own.
 */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
): FastifyReply {
  reply.header('cache-control', cacheControl(request))
  reply.header('content-type', jsonType)
  if (rendered.status === 'withdrawn') {
    // A condition is about replies that succeed only (RFC 9110 §13.2.1).
    const gone = rendered.isLost === true ? lost : withdrawn
    const error = jsonOf({ ...gone, request_id: request.id })
    return reply.code(errorStatus.gone).send(spliceMembers(error, rendered.body))
  }
  reply.header('etag', rendered.etag)
  if (isNotModified(request, rendered.etag)) return reply.code(304).send()
  return reply.send(rendered.body)
}

/**
 * Sends a page of a stored list as `sendRendered` does, with the links of a page. What was
 * registered of a work, and what happened to it, is not gone with it.
 */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: RenderedPage<number | string>,
  baseUrl: string,
): FastifyReply {
  const links = jsonOf({ links: pageLinks(baseUrl, request, page.next) })
  const body = spliceMembers(page.body, links)
  return sendRendered(request, reply, { ...page, status: 'registered', body })
}

/**
 * Sends what was written of a work, or the resolution itself where nothing was. It may be kept but
 * must be asked for again; a client that holds it gets 304. What is written of a work of which
 * nothing is left (`isGone`) is 410. Throws HttpError `not_acceptable` with what the work is
 * `lacking` for the format.
 */
export function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Rendered,
  {
    bytes,
    headers,
    isGone,
    lacking,
  }: {
    readonly bytes?: Uint8Array | Readable
    readonly isGone: boolean
    readonly lacking?: string
  } & Pick<Partial<Representation>, 'headers'>,
): FastifyReply {
  if (lacking !== undefined) throw new HttpError('not_acceptable', lacking)
  if (bytes === undefined) return sendRendered(request, reply, found)
  reply.headers({ ...headers, 'cache-control': cacheControl(request) })
  const etag = headers?.['etag']
  if (etag !== undefined && isNotModified(request, etag)) return reply.code(304).send()
  return reply.code(isGone ? errorStatus.gone : 200).send(bytes)
}

function cacheControl({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.isPublic === true ? 'no-cache' : 'private, no-cache'
}

/** Sends a reply that could have come past the framework, and 304 to a client that holds it. */
export function sendPlain(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, uses }: PlainReply,
): FastifyReply {
  reply.uses = uses
  reply.code(status).headers(headers)
  const { etag } = headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && etag !== undefined && isNotModified(request, etag)) return reply.code(304).send()
  return reply.send(body)
}

/**
 * Sends a text that many ask for again and again: with an entity tag, and 304 to those that hold
 * it. The tag is weak, as that of the text in all content codings.
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, mediaType }: { readonly text: string; readonly mediaType: string },
): FastifyReply {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('cache-control', 'no-cache')
  reply.header('etag', etag)
  reply.header('content-type', `${mediaType}; charset=utf-8`)
  return isNotModified(request, etag) ? reply.code(304).send() : reply.send(text)
}

/**
 * Sends a file piece by piece, to be saved; resolves when it is sent, or its reader has left. To
 * HEAD nothing is made of it.
 */
export async function sendFile(
  reply: FastifyReply,
  {
    mediaType,
    fileName,
    pieces,
  }: {
    readonly mediaType: string
    readonly fileName: string
    readonly pieces: AsyncIterable<Uint8Array | string>
  },
): Promise<void> {
  reply.header('content-type', `${mediaType}; charset=utf-8`)
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  reply.header('cache-control', 'no-store')
  // How long it is nobody knows before it is written.
  const body = reply.request.method === 'HEAD' ? [] : pieces
  const stream = Readable.from(body, { objectMode: false })
  reply.send(stream)
  // Whoever leaves has had enough of it.
  await finished(stream).catch(() => undefined)
}
