import { fastify, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'

import { registerErrorReplies, sendError } from '#src/edge/error_reply.ts'
import { endIdleConnections } from '#src/edge/connections.ts'
import { registerBodyValidation, registerJsonBody } from '#src/edge/json_body.ts'
import { newRequestId } from '#src/edge/logger.ts'

/** What a server of an admin socket is built with. */
export type SocketServerOptions = {
  readonly logger: Logger
  /** How long a shutdown waits for the commands under way. */
  readonly graceMs: number
  readonly bodyBytesMax: number
}

/**
 * Builds a server of an admin socket, without its commands. It asks for no credentials and sets no
 * limits: the socket is its owner's alone, and anyone who reaches it may do everything there.
 */
export function newSocketServer({
  logger,
  graceMs,
  bodyBytesMax,
}: SocketServerOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    bodyLimit: bodyBytesMax,
    frameworkErrors: sendError,
  }) as unknown as FastifyInstance
  registerErrorReplies(server, sendError)
  registerJsonBody(server)
  registerBodyValidation(server)
  endIdleConnections(server, graceMs)
  return server
}
