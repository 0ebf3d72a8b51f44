import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { elapsedMs } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import type { Edge, EdgeDependencies } from '#src/edge/edge.ts'
import { clientErrorHandler } from '#src/edge/error_reply.ts'
import { type AdminFacts, buildMetricsServer } from '#src/edge/metrics.ts'
import { http } from '#src/edge/node_http.ts'
import { buildEdge, headerBytesMax } from '#src/edge/server.ts'
import { type Address, backlogMax } from '#src/cli/start/address.ts'
import { clearAdminSocket } from '#src/keeping/data_dir/admin_socket.ts'

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

/** What a server is made of that knows no callers, and where it listens. */
export type PublicServer<C> = Pick<EdgeDependencies, 'logger' | 'metrics'> & {
  readonly config: C & EdgeDependencies['config']
  readonly address: Address
}

/** Serves requests that carry no credentials, at an address, until `opened` ends. */
export async function serveEverybody<C>(
  { config, address, logger, metrics }: PublicServer<C>,
  registerRoutes: (server: FastifyInstance, edge: Edge) => void,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { baseUrl, host, port } = address
  const authenticate = ({ ip }: { readonly ip: string }) => ({ kind: 'anonymous', ip }) as const
  const times = { nowMs: Date.now, elapsedMs }
  const dependencies = { config, baseUrl, authenticate, logger, metrics, ...times }
  const server = await buildEdge(dependencies, registerRoutes)
  opened.defer(() => server.close())
  await server.listen({ host, port, backlog: backlogMax })
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
 * Listens on a socket that only its owner can reach: anyone who may connect to it administers the
 * registry. The caller holds the lock of the store.
 */
export async function listenOnAdminSocket(server: FastifyInstance, socket: string): Promise<void> {
  await clearAdminSocket(socket)
  await server.listen({ path: socket })
  await chmod(socket, 0o600)
}
