import type { IncomingMessage } from 'node:http'

import { hasOnlyHeaders } from '#src/edge/fast_path.ts'
import { readAfterCookie } from '#src/edge/read_after.ts'

/** Characters of an address and a list of codings: nobody may fill the memory with longer ones. */
const keyCharactersMax = 512

/** A cookie may say that one browser is to see what it has just written. */
const ownHeaders: ReadonlySet<string> = new Set(['cookie'])

/**
 * The key under which the reply to a plain request is cached: its address, as the client sent it,
 * and the codings that it takes. Undefined for one that is not plain: it comes with a
 * credential, a condition or a query, and only its route can answer it.
 */
export function cacheKey({ method, headers }: IncomingMessage, url: string): string | undefined {
  if (method !== 'GET' || url.includes('?')) return undefined
  if (!hasOnlyHeaders(headers, ownHeaders)) return undefined
  if (headers.cookie?.includes(readAfterCookie) === true) return undefined
  const key = `${url} ${headers['accept-encoding'] ?? ''}`
  return key.length <= keyCharactersMax ? key : undefined
}
