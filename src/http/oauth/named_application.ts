import type { FastifyRequest } from 'fastify'

const basicForm = /^basic ([A-Za-z0-9+/]+={0,2})$/i

/**
 * The id of the application that a request to the identity provider says it is, decoded as the
 * provider decodes it, so that every spelling of an id names one application: the user name of an
 * Authorization header is percent-encoded within its base64 (RFC 6749 §2.3.1), and `body` is the
 * text of a form. Undefined if it names none, or several.
 */
export function namedApplication({
  headers: { authorization },
  body,
}: Pick<FastifyRequest, 'headers' | 'body'>): string | undefined {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  const ids = form.getAll('client_id')
  if (authorization !== undefined) ids.push(userNameOf(authorization) ?? '')
  const [id, ...others] = new Set(ids)
  return id === undefined || id === '' || others.length > 0 ? undefined : id
}

function userNameOf(authorization: string): string | undefined {
  const [, base64] = basicForm.exec(authorization) ?? []
  if (base64 === undefined) return undefined
  const [encoded = ''] = Buffer.from(base64, 'base64').toString().split(':', 1)
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
