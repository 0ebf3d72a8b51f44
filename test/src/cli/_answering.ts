import type { ExecutionContext } from 'ava'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

/** Starts a server that answers every request alike, until the test ends; gives its address. */
export async function answering(
  t: ExecutionContext,
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(status, headers).end(body)
  })
  return url
}

/** An address of this machine at which nothing listens: port 9 is let by all. */
export const nobody = 'http://127.0.0.1:9'
