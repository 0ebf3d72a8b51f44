import type { FastifyInstance } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { parseLongJson, parseStrictJson } from '#src/edge/strict_json.ts'

const charsetParameter = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Bytes of a body from which on it is parsed in several turns of the event loop. */
const longBytesMin = 262_144

/** Makes strict JSON in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerJsonBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    try {
      refuseOtherCharset(request.headers['content-type'] ?? '')
      if (bytes.length > longBytesMin) return parseLongJson(bytes)
      done(null, parseStrictJson(bytes))
    } catch (error) {
      done(error as HttpError)
    }
    return undefined
  })
}

function refuseOtherCharset(contentType: string): void {
  const charset = charsetParameter.exec(contentType)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return
  throw new HttpError('unsupported_media_type', 'JSON is UTF-8; send no other charset')
}
