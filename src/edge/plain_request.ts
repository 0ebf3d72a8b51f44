import type { IncomingMessage } from 'node:http'

import { readAfterCookie } from '#src/edge/read_after.ts'

/** Characters of an address and a list of codings: nobody may fill the memory with longer ones. */
const keyCharactersMax = 512

/** With one of these headers a request is answered by its route. */
const slowPathHeaders = [
  'authorization',
  'x-api-key',
  'x-admin-code',
  'if-none-match',
  'content-length',
  'transfer-encoding',
  'x-read-after',
] as const

/**
 * The key under which the reply to a plain request is cached: its address, as the client sent it,
 * and the codings that it takes. Undefined for one that is not plain: it comes with a
 * credential, a condition or a query, and only its route can answer it.
 */
export function cacheKey({ method, headers }: IncomingMessage, url: string): string | undefined {
  if (method !== 'GET' || url.includes('?')) return undefined
  if (slowPathHeaders.some((name) => headers[name] !== undefined)) return undefined
  if (headers.cookie?.includes(readAfterCookie) === true) return undefined
  const key = `${url} ${headers['accept-encoding'] ?? ''}`
  return key.length <= keyCharactersMax ? key : undefined
}
