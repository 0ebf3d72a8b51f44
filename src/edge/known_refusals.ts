import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import createRouter from 'find-my-way'
import type { Logger } from 'pino'

import type { Caller } from '#src/edge/caller.ts'
import type { AddressOf } from '#src/edge/client_address.ts'
import type { Authenticate } from '#src/edge/credentials.ts'
import { isMarked } from '#src/edge/deprecation.ts'
import { hasOnlyHeaders } from '#src/edge/fast_path.ts'
import type { LimitName, LimitReport, Limits } from '#src/edge/limits.ts'
import { logRefusalAgain, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { retryAfterOf } from '#src/edge/refused_clients.ts'
import { routedUrl } from '#src/edge/request_path.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import { whyRefused } from '#src/edge/request_guard.ts'
import { HttpError } from '#src/errors.ts'

/** Characters of an address that is looked for; the server takes no longer request line. */
const addressCharactersMax = 16_384

/** Headers of a refusal that differ from request to request. */
const ofRequest: ReadonlySet<string> = new Set([
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'content-length',
])

/** What a request says of who asks and of its body changes nothing of a refusal by a limit. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'transfer-encoding',
  'x-api-key',
])

/** What a route has sent to somebody whom a limit refused. */
type KnownRefusal = {
  readonly status: number
  readonly error: string
  readonly headers: readonly string[]
}

/** A route whose limit refuses, and what it has sent, by who was refused. */
type LimitedRoute = {
  readonly url: string
  readonly limits: Partial<Record<'address' | 'key', LimitName>>
  readonly refusals: Map<string, KnownRefusal>
}

/** What refusals are known and sent by. */
export type KnownRefusalOptions = Pick<Limits, 'isAnyRefused' | 'stillRefused' | 'refusedBy'> & {
  readonly authenticate: Authenticate
  readonly addressOf: AddressOf
  readonly turns: Pick<RequestTurns, 'interceptRequests'>
  readonly metrics: Pick<Metrics, 'requests'>
  readonly logger: Logger
  /** After this, credentials are those that every thread knows of. */
  readonly catchUp?: () => void
}

/**
 * Refuses again whom a limit has refused, past the framework and with the headers that the route
 * has sent: who goes on beyond a limit costs next to nothing. The first refusal of a window is the
 * route's.
 */
class KnownRefusals {
  readonly #options: KnownRefusalOptions
  readonly #router = createRouter({ maxParamLength: addressCharactersMax })
  readonly #routes = new Map<string, LimitedRoute>()

  constructor(options: KnownRefusalOptions) {
    this.#options = options
  }

  /** Takes a route on. */
  add(options: RouteOptions): void {
    const { method, url, config = {} } = options
    const { isPublic, limit, keyLimit = limit } = config
    // What is deprecated says more with each reply.
    if (limit === undefined || isMarked(options)) return
    const limits = isPublic === true ? { address: limit, key: keyLimit } : { key: limit }
    for (const name of [method].flat()) {
      const known = `${name} ${url}`
      if (this.#routes.has(known)) continue
      const route: LimitedRoute = {
        url,
        limits: limits as LimitedRoute['limits'],
        refusals: new Map(),
      }
      this.#routes.set(known, route)
      this.#router.on(name as 'GET', url, () => {}, route)
    }
  }

  /** Learns from what a route sends to somebody whom its limit has refused. */
  sent(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
    const report = this.#options.refusedBy(request.raw)
    if (report === undefined || typeof body !== 'string') return
    const route = this.#routes.get(`${request.method} ${request.routeOptions.url}`)
    if (route === undefined || answersOtherwise(request.raw)) return
    const { caller } = request as { readonly caller?: Caller }
    const name = refusalName(request.raw, report.name, caller)
    if (route.refusals.has(name)) return
    const { error } = JSON.parse(body.startsWith('{') ? body : '{}') as { readonly error?: string }
    // Only a body that can be written again for another request.
    if (error === undefined || body !== bodyOf(error, report.ttl, request.id)) return
    const headers = lastingHeaders(reply.getHeaders())
    route.refusals.set(name, { status: reply.statusCode, error, headers })
  }

  /** Answers a request that its limit would refuse, if that is known; otherwise false. */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const { isAnyRefused, addressOf, catchUp } = this.#options
    if (!isAnyRefused(() => addressOf(request))) return false
    const ip = addressOf(request)
    const { method = '', url = '' } = request
    if (answersOtherwise(request) || whyRefused(request) !== undefined) return false
    const path = routedUrl(url)
    const route = this.#router.find(method as 'GET', path)?.store as LimitedRoute | undefined
    if (route === undefined || route.refusals.size === 0) return false
    catchUp?.()
    const refused = this.#refusedBy(route, request, ip)
    const known =
      refused && route.refusals.get(refusalName(request, refused.report.name, refused.caller))
    if (refused === undefined || known === undefined) return false
    const id = requestId(request)
    const body = bodyOf(known.error, refused.report.ttl, id)
    const retryAfter = String(retryAfterOf(refused.report.ttl))
    const own = Object.entries(refused.report.headers).flat()
    own.push('retry-after', retryAfter, 'x-request-id', id, 'content-length', String(body.length))
    response.writeHead(known.status, [...known.headers, ...own])
    response.end(body, 'latin1')
    this.#options.metrics.requests.count(method, route.url, known.status, 0)
    logRefusalAgain(this.#options.logger, {
      id,
      method,
      url,
      status: known.status,
      ip,
      elapsedMs: 0,
    })
    return true
  }

  #refusedBy(route: LimitedRoute, request: IncomingMessage, ip: string): Refused | undefined {
    const { stillRefused } = this.#options
    const caller = this.#callerOf(request, ip)
    if (caller === undefined) return undefined
    if (caller === 'unusable') {
      const anonymous = { kind: 'anonymous', ip } as const
      const report = stillRefused('failed_credentials', { ip, caller: anonymous })
      return report && { report, caller: undefined }
    }
    const name = route.limits[caller.kind === 'anonymous' ? 'address' : 'key']
    const report = name && stillRefused(name, { ip, caller })
    return report && { report, caller }
  }

  #callerOf(request: IncomingMessage, ip: string): Caller | 'unusable' | undefined {
    const { headers } = request
    try {
      const caller = this.#options.authenticate({ ip, headers, raw: request, query: {} })
      return caller instanceof Promise ? undefined : caller
    } catch (error) {
      return error instanceof HttpError && error.code === 'unauthorized' ? 'unusable' : undefined
    }
  }
}

/** What a limit tells somebody; whose credentials cannot be used is nobody. */
type Refused = { readonly report: LimitReport; readonly caller: Caller | undefined }

/** What tells refusals of a route apart: who is refused, by which limit, and what they can read. */
function refusalName(
  request: IncomingMessage,
  limit: LimitName,
  caller: Caller | undefined,
): string {
  const environment = caller && caller.kind !== 'anonymous' ? caller.environment : 'none'
  const takesHtml = request.headers.accept?.includes('html') === true
  return `${limit} ${environment} ${takesHtml}`
}

/** A key in the address has marks of its own on the reply. */
function answersOtherwise({ headers, url = '' }: IncomingMessage): boolean {
  return url.includes('api_key') || !hasOnlyHeaders(headers, ownHeaders)
}

/** The body of a refusal, as the table of errors writes it. All of it is ASCII. */
function bodyOf(error: string, waitMs: number, id: string): string {
  const seconds = retryAfterOf(waitMs)
  return (
    `{"error":"${error}","message":"Retry after ${seconds} seconds",` +
    `"retry_after":${seconds},"request_id":"${id}"}`
  )
}

function lastingHeaders(headers: Readonly<Record<string, unknown>>): readonly string[] {
  const lasting = Object.entries(headers).filter(([name]) => !ofRequest.has(name))
  return lasting.flat().map(String)
}

/** Refuses again, past the framework, whom the limits of a server have refused. */
export function registerKnownRefusals(server: FastifyInstance, options: KnownRefusalOptions): void {
  const refusals = new KnownRefusals(options)
  server.addHook('onRoute', (route) => refusals.add(route))
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 429 || reply.statusCode === 503) refusals.sent(request, reply, payload)
    done(null, payload)
  })
  options.turns.interceptRequests((request, response) => refusals.send(request, response))
}
