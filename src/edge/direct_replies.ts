import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import type { ByteText } from '#actors/values/serialization.ts'
import type { AddressOf } from '#src/edge/client_address.ts'
import { HotReplies, type ReadyReply } from '#src/edge/hot_replies.ts'
import type { AddressLimit, CountAddress, LimitReport } from '#src/edge/limits.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { cacheKey } from '#src/edge/plain_request.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import { whyRefused } from '#src/edge/request_guard.ts'
import type { CountUses, Use } from '#src/edge/uses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A public route with one parameter, at the end of its address, has this if it may be answered
     * past the framework: whoever asks for no more than the address gets the same.
     */
    readonly direct?: ReplyAtOnce
  }
  interface FastifyReply {
    /** Whether a route that replies directly would still reply the same. */
    isCurrent: (() => boolean) | undefined
  }
}

/**
 * What a route replies with 200, if that takes no waiting; `rest` is what follows the address of
 * the route, as the client sent it. Undefined, or an error, for what only the route can answer.
 */
export type ReplyAtOnce = (rest: string) => DirectReply | undefined

/** A body with what is its own of the headers; `isCurrent` if it may be kept and sent again. */
export type DirectReply = {
  readonly body: Uint8Array | ByteText
  readonly etag: string
  readonly uses: readonly Use[]
  readonly isCurrent?: () => boolean
}

/** A route, by the start of its addresses, and the headers of all that it replies with 200. */
type DirectRoute = {
  readonly prefix: string
  readonly url: string
  readonly limit: AddressLimit
  readonly replyAtOnce: ReplyAtOnce
  headers?: readonly string[]
}

/** Bytes of a body that is handed to a connection in one piece. */
const bodyBytesMax = 65_536

/** Headers of a reply that differ from request to request. */
const ofRequest: ReadonlySet<string> = new Set([
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
])

/** Headers that differ from body to body. */
const ofBody: ReadonlySet<string> = new Set(['etag', 'content-length'])

/** What a server does with every request, and so also with these. */
export type DirectReplyOptions = {
  readonly addressOf: AddressOf
  readonly countAddress: CountAddress
  /** Keeps the route of a request from counting what was counted already. */
  readonly passOn: (request: IncomingMessage, report: LimitReport) => void
  readonly turns: Pick<RequestTurns, 'interceptRequests'>
  readonly unsent: UnsentReplies
  readonly metrics: Pick<Metrics, 'requests'>
  readonly countUses?: CountUses
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** After this, reads know of all that was acknowledged on any thread. */
  readonly catchUp?: () => void
}

/**
 * Replies to plain requests: guarded, counted, measured and logged as all are, but without a way
 * through hooks and handlers, which takes longer than all the rest. They are made at once, or were
 * sent before. Their headers are those that the route itself sends.
 */
class DirectReplies {
  readonly #options: DirectReplyOptions
  readonly #routes: DirectRoute[] = []
  readonly #hot = new HotReplies()

  constructor(options: DirectReplyOptions) {
    this.#options = options
  }

  /** Takes a route on; `url` is its address with the parameter, `limit` what it is counted by. */
  add(url: string, limit: AddressLimit, replyAtOnce: ReplyAtOnce): void {
    this.#routes.push({ prefix: url.slice(0, url.search(/[:*][^/]*$/)), url, limit, replyAtOnce })
  }

  /** Learns from what a route is about to send. */
  sent(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
    const { originalUrl, raw, routeOptions } = request
    const { isCurrent, statusCode, uses } = reply
    if (statusCode !== 200 || !(body instanceof Uint8Array) || body.length > bodyBytesMax) return
    const key = cacheKey(raw, originalUrl)
    const route = this.#routes.find(({ url }) => url === routeOptions.url)
    // What is set for one browser is for no other.
    if (key === undefined || route === undefined || reply.hasHeader('set-cookie')) return
    const headers = Object.entries(reply.getHeaders()).filter(([header]) => !ofRequest.has(header))
    if (isCurrent?.() === true) {
      const all = [...headers.flat().map(String), 'content-length', String(body.length)]
      this.#hot.keep(key, { body, headers: all, uses, isCurrent })
    }
    if (route.headers !== undefined || raw.headers['accept-encoding'] !== undefined) return
    // Another reply may have other headers.
    if (replyOrNone(route, originalUrl) === undefined) return
    const lasting = headers.filter(([header]) => !ofBody.has(header))
    route.headers = lasting.flat().map(String)
  }

  /** Answers a request, if the reply is at hand or made at once; otherwise false. */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', socket } = request
    const route = this.#routes.find(({ prefix }) => url.startsWith(prefix))
    const key = route && cacheKey(request, url)
    if (key === undefined || route === undefined || whyRefused(request) !== undefined) return false
    // Behind replies that are still to be read, it would be measured before it is sent.
    if (socket.writableLength > 0) return false
    const { addressOf, countAddress, passOn, unsent, elapsedMs, catchUp } = this.#options
    catchUp?.()
    const hot = this.#hot.find(key)
    if (hot === undefined && !mayBeMade(route, request)) return false
    const startedMs = elapsedMs()
    const ip = addressOf(request)
    const report = countAddress(route.limit, ip)
    const reply = report?.isExceeded === true ? undefined : (hot ?? this.#make(route, key, url))
    if (reply === undefined) {
      if (report !== undefined) passOn(request, report)
      return false
    }
    unsent.follow(socket, ip)
    const id = requestId(request)
    const ofLimit = Object.entries(report?.headers ?? {}).flat()
    response.writeHead(200, [...reply.headers, 'x-request-id', id, ...ofLimit])
    response.end(reply.body, 'latin1')
    this.#note(request, { route, id, ip, uses: reply.uses, elapsedMs: elapsedMs() - startedMs })
    return true
  }

  #make(route: DirectRoute, key: string, url: string): ReadyReply | undefined {
    const made = replyOrNone(route, url)
    if (made === undefined || made.body.length > bodyBytesMax) return undefined
    const { body, etag, uses, isCurrent } = made
    const { headers: lasting = [] } = route
    const headers = [...lasting, 'etag', etag, 'content-length', String(body.length)]
    // A text was made for this request alone.
    if (body instanceof Uint8Array && isCurrent?.() === true) {
      this.#hot.keep(key, { body, headers, uses, isCurrent })
    }
    return { body, headers, uses }
  }

  #note(request: IncomingMessage, { route, id, ip, uses, elapsedMs }: Sent): void {
    const { metrics, countUses, logger } = this.#options
    metrics.requests.count('GET', route.url, 200, elapsedMs / 1_000)
    if (uses !== undefined) countUses?.(ip, request.headers['user-agent'], uses)
    const { url = '' } = request
    logRequest(logger, { id, method: 'GET', url, status: 200, ip, elapsedMs })
  }
}

/** What is noted of a reply that was sent. */
type Sent = Pick<ReadyReply, 'uses'> & {
  readonly route: DirectRoute
  readonly id: string
  readonly ip: string
  readonly elapsedMs: number
}

// In a content coding they are the route's.
function mayBeMade({ headers }: DirectRoute, request: IncomingMessage): boolean {
  return headers !== undefined && request.headers['accept-encoding'] === undefined
}

function replyOrNone({ replyAtOnce, prefix }: DirectRoute, url: string): DirectReply | undefined {
  try {
    return replyAtOnce(url.slice(prefix.length))
  } catch {
    // The route meets the same error, and tells of it.
    return undefined
  }
}

/** Answers plain requests to the routes with `direct` past the framework, if without waiting. */
export function registerDirectReplies(server: FastifyInstance, options: DirectReplyOptions): void {
  const replies = new DirectReplies(options)
  server.decorateReply('isCurrent')
  server.addHook('onRoute', (route) => {
    const { direct, limit } = route.config ?? {}
    if (direct === undefined || route.method !== 'GET') return
    // It is a public one.
    replies.add(route.url, limit as AddressLimit, direct)
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        replies.sent(request, reply, payload)
        done(null, payload)
      },
    ]
  })
  options.turns.interceptRequests((request, response) => replies.send(request, response))
}
