import { once } from 'node:events'
import http from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { backlogMax } from '#src/start/address.ts'
import { clientErrorHandler } from '#src/edge/error_reply.ts'
import { headerBytesMax } from '#src/edge/server.ts'

/** A further port on which a server answers. */
export type SecondPort = {
  readonly host: string
  readonly port: number
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
  { host, port, graceMs, logger }: SecondPort,
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
  const second = http.createServer(options, (request, response) =>
    server.routing(request, response),
  )
  second.maxConnections = maxConnections
  second.on('clientError', clientErrorHandler(logger))
  second.listen({ host, port, backlog: backlogMax })
  await once(second, 'listening')
  opened.defer(async () => {
    const closed = once(second, 'close')
    second.close()
    const late = setTimeout(() => second.closeAllConnections(), graceMs)
    await closed
    clearTimeout(late)
  })
}
