import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import type { Config } from '#config/schema.ts'
import { clientErrorHandler } from '#src/edge/error_reply.ts'
import { type AdminFacts, buildMetricsServer } from '#src/edge/metrics.ts'
import { http } from '#src/edge/node_http.ts'
import { headerBytesMax } from '#src/edge/server.ts'
import { backlogMax } from '#src/start/address.ts'

/** Serves what the administrator is told at ADMIN_HOST and ADMIN_PORT until `opened` ends. */
export async function listenForMetrics(
  config: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>,
  facts: AdminFacts,
  opened: AsyncDisposableStack,
): Promise<void> {
  if (config.ADMIN_PORT === 'off') return
  const server = buildMetricsServer(facts)
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config
  server.listen({ host, port, backlog: backlogMax })
  await once(server, 'listening')
  opened.defer(() => {
    server.close()
    server.closeAllConnections()
  })
}

/** A further port on which a server answers. */
export type SecondPort = {
  readonly host: string
  readonly port: number
  /** Whether other threads of the process listen there too. */
  readonly reusePort: boolean
  /** How long a shutdown waits for the requests under way. */
  readonly graceMs: number
  readonly logger: Logger
}

/**
 * Lets a server answer on a second port as it does on its first, until `opened` is disposed: for a
 * proxy that knows each of its hosts by a port.
 */
export async function listenOnSecondPort(
  server: FastifyInstance,
  { host, port, reusePort, graceMs, logger }: SecondPort,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = server.server
  const options = {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    maxHeaderSize: headerBytesMax,
    requireHostHeader: false,
  }
  // They take the same turns.
  const second = http.createServer(options, (request, response) =>
    server.server.emit('request', request, response),
  )
  second.maxConnections = maxConnections
  server.boundConnections(second)
  second.on('clientError', clientErrorHandler(logger))
  second.listen({ host, port, backlog: backlogMax, ...(reusePort && { reusePort }) })
  await once(second, 'listening')
  opened.defer(async () => {
    const closed = once(second, 'close')
    second.close()
    const late = setTimeout(() => second.closeAllConnections(), graceMs)
    await closed
    clearTimeout(late)
  })
}

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
