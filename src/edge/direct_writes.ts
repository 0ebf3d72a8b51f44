import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { parseDecimal } from '#log/tlog/encoding.ts'
import { plainCaller } from '#src/edge/admission.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
import type { AddressOf } from '#src/edge/client_address.ts'
import type { Authenticate } from '#src/edge/credentials.ts'
import { anyOriginHeaders } from '#src/edge/cross_origin.ts'
import { errorReply } from '#src/edge/error_reply.ts'
import { hasOnlyHeaders } from '#src/edge/fast_path.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import type { CountCaller, KeyLimit, LimitReport } from '#src/edge/limits.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import type { CodedBody, CodeText } from '#src/edge/reply_coding.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'
import { replyHeaders, whyRefused } from '#src/edge/request_guard.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import type { Right } from '#src/identity/keys/scope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route without a parameter that demands a right to write has this if it may be passed. */
    readonly directWrite?: DirectWrite
  }
}

/**
 * What a route does with a body that came without a query or a name of the request. Refusals are
 * HttpErrors; any other error is told as of the route.
 */
export type DirectWrite = (body: unknown, caller: KnownCaller) => Promise<WrittenReply>

/** A reply with what is its own of the headers. */
export type WrittenReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Bytes of a body that is taken: nearly all come in one piece, and are looked at in one turn. */
const bodyBytesMax = 65_536

const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i

/** What a write says of who writes, and of its body. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'x-api-key',
])

/** What a server does with every request, and so also with these. */
export type DirectWriteOptions = {
  readonly baseUrl: string
  readonly authenticate: Authenticate
  readonly addressOf: AddressOf
  readonly countCaller: CountCaller
  /** Keeps the route of a request from counting what was counted already. */
  readonly passOn: (request: IncomingMessage, report: LimitReport) => void
  readonly codeText: CodeText
  readonly turns: Pick<RequestTurns, 'interceptRequests'>
  readonly unsent: UnsentReplies
  readonly metrics: Pick<Metrics, 'requests'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** After this, reads know of all that was acknowledged on any thread. */
  readonly catchUp?: () => void
}

/** A route that may be passed. */
type DirectRoute = { readonly right: Right; readonly limit: KeyLimit; readonly write: DirectWrite }

/** A request that was admitted, and whose body is still to be read. */
type AdmittedRequest = {
  readonly route: DirectRoute
  readonly url: string
  readonly id: string
  readonly ip: string
  readonly caller: KnownCaller
  /** The content codings that it takes. */
  readonly accepted: string | undefined
  readonly startedMs: number
  /** Headers of the reply, whatever it is: names and values by turns. */
  readonly headers: readonly string[]
  readonly response: ServerResponse
}

/**
 * Takes plain writes past the framework, whose hooks and handlers take longer than what they lead
 * to: they are guarded, admitted, counted, measured and logged as all are. Who is refused before
 * the body is read is refused by the route.
 */
class DirectWrites {
  readonly #options: DirectWriteOptions
  readonly #headers: readonly string[]
  readonly #routes = new Map<string, DirectRoute>()

  constructor(options: DirectWriteOptions) {
    this.#options = options
    const { baseUrl } = options
    const common = { ...replyHeaders(baseUrl), ...anyOriginHeaders, vary: 'Accept-Encoding' }
    this.#headers = Object.entries(common).flat()
  }

  add(url: string, route: DirectRoute): void {
    this.#routes.set(url, route)
  }

  /** Takes a request, or says that it is its route's. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', socket } = request
    const route = request.method === 'POST' ? this.#routes.get(url) : undefined
    if (route === undefined || socket.writableLength > 0) return false
    const length = plainLength(request)
    if (length === undefined || whyRefused(request) !== undefined) return false
    const { authenticate, addressOf, countCaller, passOn, unsent, catchUp } = this.#options
    catchUp?.()
    const startedMs = this.#options.elapsedMs()
    const ip = addressOf(request)
    const { headers } = request
    const caller = plainCaller(authenticate, { ip, headers, raw: request, query: {} }, route.right)
    if (caller === undefined) return false
    const report = countCaller(route.limit, caller)
    if (report?.isExceeded === true) {
      passOn(request, report)
      return false
    }
    unsent.follow(socket, ip)
    const id = requestId(request)
    const ofLimit = Object.entries(report?.headers ?? {}).flat()
    const own = [...this.#headers, ...ofLimit, 'x-request-id', id]
    const accepted = headers['accept-encoding']
    const admitted = { route, url, id, ip, caller, accepted, startedMs, headers: own, response }
    readBody(request, length, (body) => this.#write(body, admitted))
    return true
  }

  #write(body: Buffer, admitted: AdmittedRequest): void {
    const { route, caller } = admitted
    let writing: Promise<WrittenReply>
    try {
      writing = route.write(parseStrictJson(body), caller)
    } catch (error) {
      return this.#refuse(error, admitted)
    }
    writing.then(
      (reply) => this.#reply(reply, admitted),
      (error: unknown) => this.#refuse(error, admitted),
    )
  }

  #refuse(error: unknown, admitted: AdmittedRequest): void {
    const { id, url } = admitted
    const request = { id, method: 'POST', originalUrl: url, log: this.#options.logger }
    this.#reply(errorReply(error, request), admitted)
  }

  #reply(reply: WrittenReply, admitted: AdmittedRequest): void {
    const coding = this.#options.codeText(reply.body, admitted.accepted, admitted.ip)
    if (coding === undefined) return this.#send(reply, admitted)
    coding.then(
      (coded) => this.#send(reply, admitted, coded),
      (error: unknown) => this.#refuse(error, admitted),
    )
  }

  #send(
    { status, headers, body: text }: WrittenReply,
    admitted: AdmittedRequest,
    coded?: CodedBody,
  ): void {
    const { response } = admitted
    const { body = text, coding } = coded ?? {}
    const own = Object.entries(headers).flat()
    if (coding !== undefined) own.push('content-encoding', coding)
    own.push('content-length', String(Buffer.byteLength(body)))
    response.writeHead(status, [...admitted.headers, ...own])
    response.end(body)
    this.#note(admitted, status)
  }

  #note({ url, id, ip, startedMs }: AdmittedRequest, status: number): void {
    const { metrics, logger } = this.#options
    const elapsedMs = this.#options.elapsedMs() - startedMs
    metrics.requests.count('POST', url, status, elapsedMs / 1_000)
    logRequest(logger, { id, method: 'POST', url, status, ip, elapsedMs })
  }
}

/** The length of a body that has the form of nearly all; undefined if it is for the route. */
function plainLength({ headers }: IncomingMessage): number | undefined {
  if (!hasOnlyHeaders(headers, ownHeaders)) return undefined
  if (!jsonType.test(headers['content-type'] ?? '')) return undefined
  const length = parseDecimal(headers['content-length'] ?? '')
  return length !== undefined && length > 0 && length <= bodyBytesMax ? length : undefined
}

/** Gives the body once all of it is there; a client that leaves before has sent nothing. */
function readBody(request: IncomingMessage, length: number, take: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  let missing = length
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    missing -= chunk.length
    if (missing === 0) take(chunks.length === 1 ? chunk : Buffer.concat(chunks))
  })
}

/** Takes plain writes to the routes with `directWrite` past the framework. */
export function registerDirectWrites(server: FastifyInstance, options: DirectWriteOptions): void {
  const writes = new DirectWrites(options)
  server.addHook('onRoute', (route) => {
    const { directWrite: write, right, limit } = route.config ?? {}
    if (write === undefined || right === undefined) return
    // It demands a key or a token, and counts by it.
    writes.add(route.url, { right, limit: limit as KeyLimit, write })
  })
  options.turns.interceptRequests((request, response) => writes.take(request, response))
}
