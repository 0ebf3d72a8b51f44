import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import type { AddressOf } from '#src/edge/client_address.ts'
import type { AddressLimit, CountAddress } from '#src/edge/limits.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'
import { readAfterCookie } from '#src/edge/read_after.ts'
import type { CountUses, Use } from '#src/edge/uses.ts'
import { whyRefused } from '#src/edge/request_guard.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether what a public route replies may be sent again as it is, as long as `isCurrent` says
     * so, to whoever asks for the same address without a credential, a condition or a query: only
     * the content coding may differ.
     */
    readonly isHot?: boolean
  }
  interface FastifyReply {
    /** Whether a route that is hot would still reply the same. */
    isCurrent: (() => boolean) | undefined
  }
}

/** A reply as it was sent, but for the headers that differ by request. */
type HotReply = {
  readonly body: Uint8Array
  /** Names and values by turns. */
  readonly headers: readonly string[]
  readonly route: string
  readonly limit: AddressLimit
  readonly uses: readonly Use[] | undefined
  readonly isCurrent: () => boolean
}

/** Bytes of the replies that are kept; their bodies are mostly those of other caches. */
const keptBytesMax = 33_554_432

/** What a kept reply takes beside its body, about. */
const entryBytes = 2_048

/** Bytes of a body that is handed to a connection in one piece. */
const bodyBytesMax = 65_536

/** Characters of an address and a list of codings: nobody may fill the memory with longer ones. */
const nameCharactersMax = 512

/** With one of these a request is answered by its route. */
const answeredByRoute = [
  'authorization',
  'x-api-key',
  'x-admin-code',
  'if-none-match',
  'content-length',
  'transfer-encoding',
  'x-read-after',
] as const

/** Headers of a reply that differ from request to request. */
const ownHeaders: ReadonlySet<string> = new Set([
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
])

/** What a server does with every request, and so also with these. */
export type HotReplyOptions = {
  readonly addressOf: AddressOf
  readonly countAddress: CountAddress
  readonly unsent: UnsentReplies
  readonly metrics: Pick<Metrics, 'requests'>
  readonly countUses?: CountUses
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** After this, `isCurrent` knows of all that was acknowledged on any thread. */
  readonly catchUp?: () => void
}

/**
 * The replies that are asked for again and again, as the routes have sent them: guarded, counted,
 * measured and logged as all are, but without a way through hooks and handlers, which takes several
 * times as long. Owns the list of them; whether one is still right is asked each time.
 */
class HotReplies {
  readonly #options: HotReplyOptions
  readonly #replies = new LRUCache<string, HotReply>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  })

  constructor(options: HotReplyOptions) {
    this.#options = options
  }

  /** Keeps a reply that is about to be sent, if it may be sent again. */
  offer(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
    const { isCurrent, statusCode, uses } = reply
    if (statusCode !== 200 || !(body instanceof Uint8Array) || body.length > bodyBytesMax) return
    const name = nameOf(request.raw, request.originalUrl)
    if (name === undefined || isCurrent?.() !== true) return
    const { url: route = '', config } = request.routeOptions
    // It is a public one.
    const limit = config.limit as AddressLimit
    const headers = Object.entries(reply.getHeaders())
      .filter(([header]) => !ownHeaders.has(header))
      .flatMap(([header, value]) => [header, String(value)])
    headers.push('content-length', String(body.length))
    this.#replies.set(name, { body, headers, route, limit, uses, isCurrent })
  }

  /** Answers a request, if the reply to it is at hand; otherwise false, and nothing is done. */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const hot = this.#find(request)
    if (hot === undefined) return false
    const { addressOf, countAddress, countUses, unsent, metrics, logger, elapsedMs } = this.#options
    const startedMs = elapsedMs()
    const { route, limit, body, uses } = hot
    const ip = addressOf(request)
    const count = countAddress(limit, ip)
    // Beyond a limit it is all the same that its route counts the request again.
    if (count?.isExceeded === true) return false
    unsent.follow(request.socket, ip)
    const id = requestId(request)
    const ofLimit = Object.entries(count?.headers ?? {}).flat()
    response.writeHead(200, [...hot.headers, 'x-request-id', id, ...ofLimit])
    response.end(body)
    const ms = elapsedMs() - startedMs
    metrics.requests.count('GET', route, 200, ms / 1_000)
    if (uses !== undefined) countUses?.(ip, request.headers['user-agent'], uses)
    const url = request.url ?? ''
    logRequest(logger, { id, method: 'GET', url, status: 200, ip, elapsedMs: ms })
    return true
  }

  #find(request: IncomingMessage): HotReply | undefined {
    const name = nameOf(request, request.url ?? '')
    if (name === undefined) return undefined
    const hot = this.#replies.get(name)
    if (hot === undefined || whyRefused(request) !== undefined) return undefined
    // Behind replies that are still to be read, it would be measured before it is sent.
    if (request.socket.writableLength > 0) return undefined
    this.#options.catchUp?.()
    if (hot.isCurrent()) return hot
    this.#replies.delete(name)
    return undefined
  }
}

/**
 * What tells a request apart from those with other replies, its address as the client sent it and
 * the codings it takes; undefined for one that only its route can answer.
 */
function nameOf({ method, headers }: IncomingMessage, url: string): string | undefined {
  if (method !== 'GET' || url.includes('?')) return undefined
  if (answeredByRoute.some((name) => headers[name] !== undefined)) return undefined
  if (headers.cookie?.includes(readAfterCookie) === true) return undefined
  const name = `${url} ${headers['accept-encoding'] ?? ''}`
  return name.length <= nameCharactersMax ? name : undefined
}

/**
 * Keeps what routes with `isHot` reply, and sends it to who asks again. During a shutdown nothing
 * goes past the framework, which then ends each connection with its reply.
 */
export function registerHotReplies(server: FastifyInstance, options: HotReplyOptions): void {
  const replies = new HotReplies(options)
  const { server: listener } = server
  server.decorateReply('isCurrent')
  server.addHook('onRoute', (route) => {
    if (route.config?.isHot !== true || route.method !== 'GET') return
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        replies.offer(request, reply, payload)
        done(null, payload)
      },
    ]
  })
  listener.removeAllListeners('request')
  listener.on('request', (request, response) => {
    const isSent = listener.listening && replies.send(request, response)
    if (!isSent) server.routing(request, response)
  })
}
