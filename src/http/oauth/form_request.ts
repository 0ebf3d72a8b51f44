import { IncomingMessage } from 'node:http'

/**
 * A request as it would have been had it come as an HTML form: for a reader of forms, after its
 * body has been read, or when it was something else. All else of `request` stays as it is.
 */
export function formRequest(request: IncomingMessage, form: string): IncomingMessage {
  const body = Buffer.from(form)
  const copy = new IncomingMessage(request.socket)
  Object.assign(copy, {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    headers: {
      ...request.headers,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    },
    // An incomplete request would be aborted when it is read, and its socket with it.
    complete: true,
  })
  copy.push(body)
  copy.push(null)
  return copy
}
