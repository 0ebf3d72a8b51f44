import http, { type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

import type { Server } from '#test/scenario/_process.ts'
import type { Request } from '#test/scenario/_request.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** A reply as it came over one connection. */
export type ConnectionReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One connection to a server, which stays open: its requests reach the same thread. */
export class Connection {
  readonly #server: Server
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

  constructor(server: Server) {
    this.#server = server
  }

  /** Sends a request and reads the reply; fails if the server goes before its reply came. */
  async send(path: string, { method, key, headers, body }: Request = {}): Promise<ConnectionReply> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    const request = http.request(
      `${this.#server.started.local_url}${path}`,
      {
        agent: this.#agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      resolve,
    )
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
    const response = await promise
    const { statusCode = 0, headers: replied } = response
    return { status: statusCode, headers: replied, body: await text(response) }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Opens so many connections, until the end of the test. */
export function openConnections(t: Owner, server: Server, count: number): Connection[] {
  const connections = Array.from({ length: count }, () => new Connection(server))
  t.teardown(() => {
    for (const connection of connections) connection.close()
  })
  return connections
}
