import type { IncomingMessage } from 'node:http'

import { readAfterCookie } from '#src/edge/read_after.ts'

/** Characters of an address and a list of codings: nobody may fill the memory with longer ones. */
const nameCharactersMax = 512

/** With one of these a request is answered by its route. */
const answeredByRoute = [
  'authorization',
  'x-api-key',
  'x-admin-code',
  'if-none-match',
  'content-length',
  'transfer-encoding',
  'x-read-after',
] as const

/**
 * What tells a plain request apart from those with other replies: its address, as the client sent
 * it, and the codings that it takes. Undefined for one that is not plain: it comes with a
 * credential, a condition or a query, and only its route can answer it.
 */
export function plainName({ method, headers }: IncomingMessage, url: string): string | undefined {
  if (method !== 'GET' || url.includes('?')) return undefined
  if (answeredByRoute.some((name) => headers[name] !== undefined)) return undefined
  if (headers.cookie?.includes(readAfterCookie) === true) return undefined
  const name = `${url} ${headers['accept-encoding'] ?? ''}`
  return name.length <= nameCharactersMax ? name : undefined
}
