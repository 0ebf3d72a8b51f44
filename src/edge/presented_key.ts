import type { FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'

const bearer = /^Bearer +(\S+)$/i

/** A credential, and whether it came as `Authorization: Bearer` and nowhere else. */
export type Presented = { readonly text: string; readonly isBearer: boolean }

/**
 * The credential of a request, from `Authorization: Bearer`, `X-API-Key` or `?api_key=`, not yet
 * known to be a key or a token; undefined without any. An Authorization header of another scheme is
 * a credential too, one that no key equals. Two different ones are `bad_request`: neither may win
 * by its place.
 */
export function presentedKey(request: FastifyRequest): Presented | undefined {
  let text: string | undefined
  let isBearer = true
  const add = (credential: string): void => {
    if (text !== undefined && text !== credential) throw twoCredentials()
    text = credential
  }
  const { rawHeaders } = request.raw
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    const value = rawHeaders[at + 1] as string
    // Node keeps the first of several Authorization headers; here the second one counts as well.
    if (name.length === 13 && name.toLowerCase() === 'authorization') {
      add(bearer.exec(value)?.[1] ?? '')
    } else if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      isBearer = false
      add(value)
    }
  }
  const { api_key: inQuery } = request.query as { api_key?: string | string[] }
  for (const credential of inQuery === undefined ? [] : [inQuery].flat()) {
    isBearer = false
    add(credential)
  }
  return text === undefined ? undefined : { text, isBearer }
}

function twoCredentials(): HttpError {
  return new HttpError('bad_request', 'The request carries two different credentials; send one')
}
