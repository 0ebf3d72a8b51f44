import { type FastifyInstance, fastify, LogController } from 'fastify'

import { registerBodyValidation } from '#src/edge/body_validation.ts'
import { createAdmit } from '#src/edge/admission.ts'
import { registerCrossOrigin } from '#src/edge/cross_origin.ts'
import { routedUrl } from '#src/edge/request_path.ts'
import { warnOfKeysInAddresses } from '#src/edge/credentials.ts'
import { registerClientAddress } from '#src/edge/client_address.ts'
import { createConnectionBound } from '#src/edge/connections.ts'
import { registerDeprecations } from '#src/edge/deprecation.ts'
import { registerDirectReplies } from '#src/edge/direct_replies.ts'
import { registerDirectWrites } from '#src/edge/direct_writes.ts'
import { hurryStrides } from '#actors/kernel/stride.ts'
import type { Edge, EdgeDependencies } from '#src/edge/edge.ts'
import { clientErrorHandler, registerErrorReplies, sendError } from '#src/edge/error_reply.ts'
import { endIdleConnections } from '#src/edge/idle_connections.ts'
import { createTurnQueues, createTurns } from '#src/edge/turns.ts'
import { registerJsonBody } from '#src/edge/json_body.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import { registerKeyedWrites } from '#src/edge/keyed_writes.ts'
import { registerKnownRefusals } from '#src/edge/known_refusals.ts'
import { registerLimits } from '#src/edge/limits.ts'
import { MethodTable } from '#src/edge/method_table.ts'
import { measureRequests } from '#src/edge/metrics.ts'
import { registerOpenApi } from '#src/edge/openapi.ts'
import { registerRequestGuard, replyHeaders } from '#src/edge/request_guard.ts'
import { logRequests, requestId } from '#src/edge/logger.ts'
import { registerReadAfter } from '#src/edge/read_after.ts'
import { registerReplyCoding } from '#src/edge/reply_coding.ts'
import { registerSendingWatch } from '#src/edge/reply_sending.ts'
import { takeRequestsByTurns } from '#src/edge/request_turns.ts'
import { registerUses } from '#src/edge/uses.ts'
import { buildSerializer } from '#src/edge/reply_schemas.ts'

/** Bytes of a JSON body; routes that take more say so. */
const bodyBytesMax = 1_048_576

/** Bytes of a body beyond its limit that are read and thrown away. */
const unreadBytesMax = 33_554_432

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
  const { baseUrl, authenticate, keptReplies, logger, metrics, positions } = dependencies
  const { answerError = sendError, catchUp, turnQueues = createTurnQueues() } = dependencies
  const server = newServer(dependencies)
  // Before the thread catches up, so that it has all that was waited for.
  if (positions !== undefined) registerReadAfter(server, { ...dependencies, positions })
  if (catchUp !== undefined) {
    server.addHook('onRequest', (_request, _reply, done) => {
      catchUp()
      done()
    })
  }
  server.decorateRequest('caller')
  registerErrorReplies(server, answerError)
  const addressOf = registerClientAddress(server, dependencies.config.TRUST_PROXY)
  const methods = new MethodTable(server)
  registerCrossOrigin(server, methods)
  registerRequestGuard(server, baseUrl)
  registerJsonBody(server)
  readLargeBodies(server)
  registerBodyValidation(server)
  measureRequests(server, { requests: metrics.requests, methods })
  logRequests(server, logger)
  registerUses(server, dependencies.countUses)
  warnOfKeysInAddresses(server)
  registerKeyedWrites(server, keptReplies ?? new RepliesInMemory(dependencies.elapsedMs))
  registerDeprecations(server)
  dependencies.rewriteBodies?.(server)
  const codeText = registerReplyCoding(server)
  const turns = takeRequestsByTurns(server, { ...dependencies, addressOf })
  const accepted = () => {
    turns.hurry()
    hurryStrides()
  }
  const boundConnections = createConnectionBound({ ...dependencies, accepted })
  boundConnections(server.server)
  server.decorate('boundConnections', boundConnections)
  const unsent = registerSendingWatch(server, dependencies.config, dependencies.elapsedMs)
  endIdleConnections(server, dependencies.config.SHUTDOWN_GRACE_MS)
  const limits = await registerLimits(server, dependencies)
  const { count, countAtOnce } = limits
  const direct = { ...dependencies, ...limits, addressOf, turns, unsent }
  registerDirectReplies(server, direct)
  // Replies to writes say more where other nodes have the registry too.
  if (positions === undefined) registerDirectWrites(server, { ...direct, codeText })
  registerKnownRefusals(server, direct)
  const admit = createAdmit(authenticate, countAtOnce)
  methods.watch(answerError)
  const describeInterface = await registerOpenApi(server, dependencies, admit)
  await registerRoutes(server, {
    ...dependencies,
    admit,
    count,
    turnQueues,
    describeInterface,
    takeTurn: createTurns(unsent, turnQueues),
    turns,
  })
  // Scopes that the routes have opened are loaded by now.
  await server.after()
  methods.complete()
  await server.ready()
  return server
}

/**
 * Has the rest of a body that is too large read and thrown away, within bounds of bytes and of the
 * time of a request. Else the connection ends while its client still writes, which then fails to
 * write and never reads why (RFC 9112 §9.6).
 */
function readLargeBodies(server: FastifyInstance): void {
  server.addHook('onSend', ({ raw }, reply, payload, done) => {
    const announced = Number(raw.headers['content-length'] ?? 0)
    if (reply.statusCode === 413 && !raw.complete && announced <= unreadBytesMax) {
      reply.removeHeader('connection')
      let bytes = 0
      raw.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > unreadBytesMax) raw.socket.destroy()
      })
      raw.resume()
    }
    done(null, payload)
  })
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
