import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'

/** Starts a server that answers every request alike, until the test ends; gives its address. */
export async function answering(
  t: ExecutionContext,
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address of this machine at which nothing listens: port 9 is let by all. */
export const nobody = 'http://127.0.0.1:9'
