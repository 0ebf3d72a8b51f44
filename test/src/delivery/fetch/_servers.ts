// Real servers on loopback that count who reaches them.

import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'

/** Whoever ends what it has started: a test, or a process of its own. */
export type Owner = Pick<ExecutionContext, 'teardown'>

/** A server under test; `connections` counts those that were opened, `seen` the requests. */
export type CountedServer = {
  readonly port: number
  /** Host and port as an allow list names them. */
  readonly hostPort: string
  readonly url: string
  readonly connections: () => number
  readonly seen: readonly http.IncomingMessage[]
}

/** Serves HTTP on a random port of a loopback address until the test ends. */
export async function serve(
  t: Owner,
  listener: http.RequestListener,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<CountedServer> {
  const seen: http.IncomingMessage[] = []
  const server = http.createServer((request, response) => {
    seen.push(request)
    return listener(request, response)
  })
  t.teardown(() => server.closeAllConnections())
  return listen(t, server, { host, port }, seen)
}

/**
 * The same for requests that came whole, with their bodies: who breaks one off, such as a sender
 * that is killed, has asked for nothing.
 */
export function serveWhole(
  t: Owner,
  listener: (body: string, request: http.IncomingMessage, response: http.ServerResponse) => void,
): Promise<CountedServer> {
  return serve(t, (request, response) => {
    void text(request).then(
      (body) => listener(body, request, response),
      () => undefined,
    )
  })
}

/** A server that answers every connection with the same bytes as soon as anything is asked. */
export function serveBytes(t: Owner, answer: (socket: net.Socket) => void): Promise<CountedServer> {
  const server = net.createServer((socket) => {
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  return listen(t, server, { host: '127.0.0.1', port: 0 }, [])
}

async function listen(
  t: Owner,
  server: net.Server,
  at: { readonly host: string; readonly port: number },
  seen: readonly http.IncomingMessage[],
): Promise<CountedServer> {
  let opened = 0
  server.on('connection', () => (opened += 1))
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(at, resolve))
  const { port } = server.address() as AddressInfo
  const hostPort = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}`
  return { port, hostPort, url: `http://${hostPort}`, connections: () => opened, seen }
}
