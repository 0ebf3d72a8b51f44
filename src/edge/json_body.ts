import type { FastifyInstance } from 'fastify'

import { HttpError } from '#src/errors.ts'
import { parseStrictJson } from '#src/edge/strict_json.ts'

const charsetParameter = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Makes strict JSON in UTF-8 the one kind of body that a server reads; others are 415. */
export function registerJsonBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherCharset(request.headers['content-type'] ?? '')
      done(null, parseStrictJson(body as Buffer))
    } catch (error) {
      done(error as HttpError)
    }
  })
}

function refuseOtherCharset(contentType: string): void {
  const charset = charsetParameter.exec(contentType)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return
  throw new HttpError('unsupported_media_type', 'JSON is UTF-8; send no other charset')
}
