import { randomBytes } from 'node:crypto'
import { fastify, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'

import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import type { AccountService } from '#src/api/account_service.ts'
import { type Admit, createAdmit } from '#src/edge/admission.ts'
import { routedUrl } from '#src/edge/ark_path.ts'
import { registerArkRoutes } from '#src/http/arks/ark_routes.ts'
import { registerChangeRoutes } from '#src/http/discovery/change_routes.ts'
import { registerCitationRoutes } from '#src/http/arks/citation_routes.ts'
import { warnOfKeysInAddresses } from '#src/edge/credentials.ts'
import type { Caller } from '#src/edge/caller.ts'
import { registerClientAddress } from '#src/edge/client_address.ts'
import { registerClaimRoutes } from '#src/http/people/claim_routes.ts'
import {
  clientErrorHandler,
  registerErrorReplies,
  sendError,
  type AnswerError,
} from '#src/edge/error_reply.ts'
import { registerFeedRoutes } from '#src/http/discovery/feed_routes.ts'
import { shareTurns, type TakeTurn } from '#src/edge/heavy_requests.ts'
import { registerHarvestRoutes } from '#src/http/discovery/oai_routes.ts'
import { registerHealthRoutes } from '#src/http/health/health.ts'
import { registerHomePageRoutes } from '#src/web/public/home_page_routes.ts'
import { registerItemRoutes } from '#src/http/people/item_routes.ts'
import { registerJsonBody } from '#src/edge/json_body.ts'
import { type CountRequest, type LimitConfig, registerLimits } from '#src/edge/limits.ts'
import { registerLogRoutes } from '#src/http/receipts/log_routes.ts'
import { watchMethods } from '#src/edge/method_table.ts'
import { measureRequests, type Metrics } from '#src/edge/metrics.ts'
import { registerOpenApi } from '#src/edge/openapi.ts'
import { registerOrganizationRoutes } from '#src/http/people/organization_routes.ts'
import { registerOwnAccountRoutes } from '#src/http/people/own_account_routes.ts'
import { registerOwnDataRoutes } from '#src/http/people/own_data_routes.ts'
import { registerOwnWorkRoutes } from '#src/http/people/own_work_routes.ts'
import { registerPeopleRoutes } from '#src/http/people/people_routes.ts'
import { registerProfilePageRoute } from '#src/web/public/profile_page_routes.ts'
import { registerPublisherPageRoute } from '#src/web/public/publisher_page_routes.ts'
import { registerReceiptRoutes } from '#src/http/receipts/receipt_routes.ts'
import { registerRequestGuard, replyHeaders } from '#src/edge/request_guard.ts'
import { requestId } from '#src/edge/request_id.ts'
import { logRequests } from '#src/edge/request_log.ts'
import { type SendingConfig, watchSending } from '#src/edge/reply_sending.ts'
import { registerResolveRoutes } from '#src/http/arks/resolve_routes.ts'
import { registerSearchPageRoute } from '#src/web/public/search_page_routes.ts'
import { registerSearchRoutes } from '#src/http/discovery/search_routes.ts'
import { registerSitemapRoutes } from '#src/http/discovery/sitemap_routes.ts'
import { registerVerificationRoutes } from '#src/http/receipts/verification_routes.ts'
import { registerWellKnownRoutes } from '#src/http/discovery/well_known_routes.ts'
import { registerWorkChangeRoutes } from '#src/http/works/work_change_routes.ts'
import { registerWorkRoutes } from '#src/http/works/work_routes.ts'
import { registerWorkTypeRoutes } from '#src/http/works/work_type_routes.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import { openRenderer } from '#src/rendering/renderer.ts'
import type { Render } from '#src/rendering/rendering_job.ts'
import type { SearchService } from '#src/search/search_service.ts'
import { noticeWrites } from '#src/http/people/write_notices.ts'
import { registerAssets } from '#src/web/kit/assets.ts'
import { publicErrorPages } from '#src/web/kit/error_answer.ts'
import { registerSite } from '#src/start/site.ts'
import type { ContentFetcher } from '#actors/fixity/content_fetcher.ts'

/** The settings of any server of ours. */
export type EdgeConfig = LimitConfig &
  SendingConfig &
  Pick<Config, 'TRUST_PROXY' | 'SHUTDOWN_GRACE_MS' | 'CONNECTIONS_MAX'>

/** What any server of ours is given. It opens nothing itself and reads no clock of its own. */
export type EdgeDependencies = {
  readonly config: EdgeConfig
  /** The public address, without a slash at its end, of every link. */
  readonly baseUrl: string
  /**
   * Who calls. Throws HttpError `unauthorized` for credentials that cannot be used, `bad_request`
   * for two different ones.
   */
  readonly authenticate: (request: FastifyRequest) => Caller
  readonly logger: Logger
  readonly metrics: Metrics
  /** Milliseconds since 1970, and milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  /** Answers a request that has failed; with JSON unless told. */
  readonly answerError?: AnswerError
}

/** What the server of a registry is given. */
export type ServerDependencies = EdgeDependencies & {
  readonly config: Config
  readonly environments: Readonly<Record<EnvironmentName, Environment>>
  readonly accounts: AccountService
  readonly oauth: OAuthService
  readonly keys: KeyStore
  /** 32 bytes that sign the tokens with which harvests go on. */
  readonly harvestKey: Uint8Array
  /** Reads content that a caller wants to have verified now; without it, none is read. */
  readonly fetchContent?: ContentFetcher
  /** Without it, nothing is searched. */
  readonly search?: Readonly<Record<EnvironmentName, SearchService>>
}

/**
 * What a module of routes is given: `admit` makes the options by which a route admits callers,
 * `count` counts a request that is admitted in another way.
 */
export type Edge<D extends EdgeDependencies = ServerDependencies> = D & {
  readonly admit: Admit
  readonly count: CountRequest
  /** Carries out what costs much, caller by caller. */
  readonly takeTurn: TakeTurn
  /** Makes what is sent of what is stored. */
  readonly render: Render
}

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

/** How often connections that have fallen idle are ended during a shutdown. */
const closeIdleEveryMs = 50

/** Builds the server of a registry. It does not listen yet; `close()` ends it within its grace. */
export function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const answerError = publicErrorPages(dependencies)
  return buildEdge({ ...dependencies, answerError }, async (server, edge) => {
    registerAssets(server)
    const { live, sandbox } = edge.environments
    registerWorkRoutes(server, edge)
    registerCitationRoutes(server, edge)
    registerWorkChangeRoutes(server, edge)
    registerWorkTypeRoutes(server, edge)
    registerResolveRoutes(server, edge)
    registerReceiptRoutes(server, edge)
    registerVerificationRoutes(server, edge)
    registerArkRoutes(server, edge)
    registerOrganizationRoutes(server, edge)
    registerPeopleRoutes(server, edge)
    registerItemRoutes(server, edge)
    registerClaimRoutes(server, edge)
    registerOwnAccountRoutes(server, edge)
    registerOwnWorkRoutes(server, edge)
    registerOwnDataRoutes(server, edge)
    registerProfilePageRoute(server, edge)
    registerPublisherPageRoute(server, edge)
    noticeWrites(server, edge)
    registerChangeRoutes(server, edge)
    registerHarvestRoutes(server, edge)
    registerSearchRoutes(server, edge)
    registerSearchPageRoute(server, edge)
    registerHomePageRoutes(server, edge)
    registerWellKnownRoutes(server, edge)
    registerFeedRoutes(server, edge)
    registerSitemapRoutes(server, edge)
    registerHealthRoutes(server, edge)
    registerLogRoutes(server, edge.admit, { prefix: '', reader: live.log, vkey: live.vkey })
    registerLogRoutes(server, edge.admit, {
      prefix: '/sandbox',
      reader: sandbox.log,
      vkey: sandbox.vkey,
    })
    const { accounts: service, oauth, keys, baseUrl, count, nowMs } = edge
    await registerSite(server, {
      service,
      oauth,
      keys,
      environment: live,
      environments: edge.environments,
      baseUrl,
      count,
      random: randomBytes,
      nowMs,
    })
  })
}

/**
 * Builds a server with all that every server of ours does alike: guards, limits, errors, log lines,
 * metrics, descriptions. `registerRoutes` adds what it is for.
 */
export async function buildEdge<D extends EdgeDependencies>(
  dependencies: D,
  registerRoutes: (server: FastifyInstance, edge: Edge<D>) => void | Promise<void>,
): Promise<FastifyInstance> {
  const { baseUrl, authenticate, logger, metrics, answerError = sendError } = dependencies
  const server = newServer(dependencies)
  server.decorateRequest('caller')
  registerErrorReplies(server, answerError)
  registerClientAddress(server, dependencies.config.TRUST_PROXY)
  registerRequestGuard(server, baseUrl)
  registerJsonBody(server)
  measureRequests(server, metrics)
  logRequests(server, logger)
  warnOfKeysInAddresses(server)
  const unsent = watchSending(server, dependencies.config, dependencies.elapsedMs)
  endIdleConnections(server, dependencies.config.SHUTDOWN_GRACE_MS)
  const count = await registerLimits(server, dependencies)
  const admit = createAdmit(authenticate, count)
  await registerOpenApi(server, baseUrl, admit)
  const renderer = openRenderer()
  server.addHook('onClose', () => renderer.close())
  const completeMethods = watchMethods(server)
  await registerRoutes(server, {
    ...dependencies,
    admit,
    count,
    takeTurn: shareTurns(unsent),
    render: renderer.render,
  })
  completeMethods()
  await server.ready()
  return server
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
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
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

/**
 * Lets a shutdown end: a client that keeps its connection open would hold it up for ever. Each
 * connection is closed as it falls idle, and all that is left when the grace is over.
 */
export function endIdleConnections(server: FastifyInstance, graceMs: number): void {
  server.addHook('preClose', (done) => {
    const { server: listener } = server
    if (listener.listening) {
      const idle = setInterval(() => listener.closeIdleConnections(), closeIdleEveryMs)
      const all = setTimeout(() => listener.closeAllConnections(), graceMs)
      listener.once('close', () => {
        clearInterval(idle)
        clearTimeout(all)
      })
    }
    done()
  })
}
