import type { IncomingMessage } from 'node:http'

import type { HeaderStep } from '#src/edge/step.ts'
import { HttpError } from '#src/errors.ts'

/** One year, for a service whose public address is https (RFC 6797). */
const transportSecurity = 'max-age=31536000'

/**
 * Headers of every reply: it is data, so no browser may guess its type, run or frame it. A page
 * overrides the policy with its own.
 */
export function replyHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': transportSecurity }),
  }
}

/**
 * Refuses requests that two readers could understand in two ways, before anything else looks at
 * them: no Host or two of them (RFC 9112 §3.2), and a body in an encoding that would not be undone.
 * Sets the headers that every reply has, the request's id among them.
 */
export function guardRequests(baseUrl: string): HeaderStep {
  const headers = replyHeaders(baseUrl)
  return (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    const refusal = whyRefused(request.raw)
    if (refusal !== undefined) throw refusal
  }
}

/** Why a request is refused before anything else looks at it; undefined if it is not. */
export function whyRefused(request: IncomingMessage): HttpError | undefined {
  const hosts = countHosts(request.rawHeaders)
  // HTTP/1.0 knows no Host.
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    return new HttpError('bad_request', 'A request has exactly one Host header')
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    return new HttpError('unsupported_media_type', 'Send the body without a Content-Encoding')
  }
  return undefined
}

/** Node keeps the first of several Host headers; only the raw list tells that there were more. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
