import type { IncomingMessage } from 'node:http'
import { fastify, type FastifyInstance, LogController } from 'fastify'

import { hurryStrides } from '#actors/kernel/stride.ts'
import { admission, createDoorkeeper } from '#src/edge/admission.ts'
import { registerClientAddress } from '#src/edge/caller.ts'
import { createConnectionBound, endIdleConnections } from '#src/edge/connections.ts'
import { registerDeprecations } from '#src/edge/deprecation.ts'
import type { Edge, EdgeDependencies } from '#src/edge/edge.ts'
import { clientErrorHandler, registerErrorReplies, sendError } from '#src/edge/error_reply.ts'
import { registerFastPath } from '#src/edge/fast_path.ts'
import { registerBodyValidation, registerJsonBody } from '#src/edge/json_body.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import { registerKeyedWrites } from '#src/edge/keyed_writes.ts'
import { requestId } from '#src/edge/logger.ts'
import { MethodTable } from '#src/edge/method_table.ts'
import { registerOpenApi } from '#src/edge/openapi.ts'
import {
  admitByHooks,
  type Begun,
  enterByHooks,
  leaveByHooks,
  openPipeline,
} from '#src/edge/pipeline.ts'
import { registerReadAfter } from '#src/edge/read_after.ts'
import { buildSerializer } from '#src/edge/reply_schemas.ts'
import { createUnsentReplies, sendInPieces } from '#src/edge/reply_sending.ts'
import { replyHeaders } from '#src/edge/request_guard.ts'
import { RequestLimits } from '#src/edge/request_limits.ts'
import { routedUrl } from '#src/edge/request_path.ts'
import { type RequestTurns, takeRequestsByTurns } from '#src/edge/request_turns.ts'
import { createTurnQueues, createTurns } from '#src/edge/turns.ts'

/** Bytes of a JSON body; routes that take more say so. */
const bodyBytesMax = 1_048_576

/** Bytes of a request line and its headers. */
export const headerBytesMax = 16_384

/** Characters of one segment of a path once rewritten: an ARK in its longest encoding. */
const segmentCharactersMax = 8_192

/** How long a client may take to send its headers, and its whole request. */
const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000

/** How long the parts of the server may take to be ready: seconds on a machine that is busy. */
const startTimeoutMs = 60_000

/** How long a connection is kept without a request: longer than proxies in front keep theirs. */
const keepAliveTimeoutMs = 65_000

/**
 * Builds a server with all that every server of ours does alike: guards, limits, errors, log lines,
 * metrics, descriptions. `registerRoutes` adds what it is for.
 */
export async function buildEdge<D extends EdgeDependencies>(
  dependencies: D,
  registerRoutes: (server: FastifyInstance, edge: Edge<D>) => void | Promise<void>,
): Promise<FastifyInstance> {
  const { answerError = sendError, config, elapsedMs, keptReplies, positions } = dependencies
  const { turnQueues = createTurnQueues() } = dependencies
  const server = newServer(dependencies)
  server.decorateRequest('caller')
  server.decorateReply('uses')
  // Before the thread catches up, so that it has all that was waited for.
  if (positions !== undefined) registerReadAfter(server, { elapsedMs, positions })
  registerErrorReplies(server, answerError)
  registerJsonBody(server)
  registerBodyValidation(server)
  const addressOf = registerClientAddress(server, config.TRUST_PROXY)
  const methods = new MethodTable(server)
  const limits = new RequestLimits(dependencies)
  const door = createDoorkeeper(dependencies.authenticate, limits)
  const unsent = createUnsentReplies(config, elapsedMs)
  const pipeline = openPipeline(dependencies, { methods, door, unsent })
  const begun = new WeakMap<IncomingMessage, Begun>()
  enterByHooks(server, pipeline, begun)
  methods.watch(answerError)
  admitByHooks(server, pipeline, begun)
  registerKeyedWrites(server, keptReplies ?? new RepliesInMemory(elapsedMs))
  registerDeprecations(server)
  leaveByHooks(server, pipeline, dependencies.rewriteBodies)
  const turns = takeRequestsByTurns(server, { ...dependencies, addressOf })
  sendInPieces(server, unsent)
  registerFastPath(server, turns, { ...dependencies, pipeline, door, limits, addressOf, begun })
  boundConnections(server, dependencies, turns)
  endIdleConnections(server, config.SHUTDOWN_GRACE_MS)
  const describeInterface = await registerOpenApi(server, dependencies)
  await registerRoutes(server, {
    ...dependencies,
    admit: admission,
    count: async (...counted) => limits.count(...counted),
    turnQueues,
    describeInterface,
    takeTurn: createTurns(unsent, turnQueues),
  })
  // Scopes that the routes have opened are loaded by now.
  await server.after()
  methods.complete()
  await server.ready()
  return server
}

function boundConnections(
  server: FastifyInstance,
  dependencies: EdgeDependencies,
  turns: Pick<RequestTurns, 'hurry'>,
): void {
  const accepted = () => {
    turns.hurry()
    hurryStrides()
  }
  const bound = createConnectionBound({ ...dependencies, accepted })
  bound(server.server)
  server.decorate('boundConnections', bound)
}

function newServer({ config, baseUrl, logger }: EdgeDependencies): FastifyInstance {
  const server = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestId,
    trustProxy: config.TRUST_PROXY.length === 0 ? false : [...config.TRUST_PROXY],
    bodyLimit: bodyBytesMax,
    pluginTimeout: startTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Requests that arrive during a shutdown are served, and their connection is closed.
    return503OnClosing: false,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: headerBytesMax,
      // Node's own refusal has no body; the guard's has.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: segmentCharactersMax },
    schemaController: { compilersFactory: { buildSerializer } },
    rewriteUrl: (request) => routedUrl(request.url ?? '/'),
    // No hook has run for these yet.
    frameworkErrors: (error, request, reply) => {
      reply.headers(replyHeaders(baseUrl))
      sendError(error, request, reply)
    },
    clientErrorHandler: clientErrorHandler(logger),
  })
  server.setChildLoggerFactory((parent) => parent)
  server.server.maxConnections = config.CONNECTIONS_MAX
  // The logger's own type would make every function that takes a server generic.
  return server as unknown as FastifyInstance
}
