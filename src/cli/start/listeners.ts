import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { http } from '#src/edge/node_http.ts'

/**
 * The servers at which requests reach a process. They are closed at one time, so that requests have
 * their grace once and not one after another, at whichever of them they came.
 */
export class Listeners {
  readonly #stacks: AsyncDisposableStack[] = []

  /** What is given to it is disposed when the listeners are closed, beside that of all others. */
  open(): AsyncDisposableStack {
    const stack = new AsyncDisposableStack()
    this.#stacks.push(stack)
    return stack
  }

  /** Closes all; throws the first error when all are closed. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.#stacks.map((stack) => stack.disposeAsync()))
    const failed = closed.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}

/** Where a small server listens. Port 0 is a free one. */
export type SmallAddress = { readonly host: string; readonly port: number }

/** A server that listens: its address, and its end. */
export type SmallServer = { readonly server: Server; readonly url: string; close(): void }

/** How many connections there are at most, and for how long a request may come. */
export type SmallServerLimits = { readonly connectionsMax: number; readonly requestMs: number }

/** Serves the few addresses of a command that is no registry. Errors: those of listening. */
export async function openSmallServer(
  listener: RequestListener,
  { host, port }: SmallAddress,
  { connectionsMax, requestMs }: SmallServerLimits,
): Promise<SmallServer> {
  const server = http.createServer({ requestTimeout: requestMs }, listener)
  server.maxConnections = connectionsMax
  server.listen({ host, port })
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    server,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
