import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const idForm = /^[\w-]{8,64}$/

/** A fresh id for a request. */
export function newRequestId(): string {
  return randomUUID()
}

/** The id of a request: the client's own `X-Request-Id` if it is 8 to 64 of `A-Za-z0-9_-`. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && idForm.test(sent) ? sent : newRequestId()
}
