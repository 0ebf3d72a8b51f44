import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'
import createRouter from 'find-my-way'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import { ownMemory } from '#actors/values/serialization.ts'
import { assert } from '#log/tlog/errors.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import type { Doorkeeper } from '#src/edge/admission.ts'
import type { AddressOf, Caller } from '#src/edge/caller.ts'
import { isMarked } from '#src/edge/deprecation.ts'
import { errorReply, replyOf } from '#src/edge/error_reply.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { requestId } from '#src/edge/logger.ts'
import type { Begun, Pipeline } from '#src/edge/pipeline.ts'
import { readAfterCookie } from '#src/edge/read_after.ts'
import type { RequestLimits } from '#src/edge/request_limits.ts'
import { routedUrl } from '#src/edge/request_path.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import type { EdgeReply, EdgeRequest } from '#src/edge/step.ts'
import type { Use } from '#src/edge/uses.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A public GET route with one parameter, at the end of its address, may have this. */
    readonly plainRead?: PlainRead
    /** A POST route without a parameter may have this, or the same for bodies of any bytes. */
    readonly plainWrite?: PlainWrite
    readonly plainBytes?: PlainBytes
  }
}

/**
 * What a route replies to a request for nothing but its address, where that takes no waiting;
 * `rest` is what follows the address of the route, as the client sent it. Undefined, or an error,
 * for what only the route can answer.
 */
export type PlainRead = (rest: string) => PlainReply | undefined

/** What a route replies to a JSON body. Errors become replies as those of a route do. */
export type PlainWrite = (request: PlainRequest) => Promise<PlainReply>

/** What a route replies to a body of any bytes. Errors become replies as those of a route do. */
export type PlainBytes = (body: Uint8Array) => Promise<PlainReply>

/** What a handler needs of a request that may come past the framework. */
export type PlainRequest = Pick<EdgeRequest, 'caller' | 'headers' | 'query'> & {
  readonly body: unknown
}

/** A reply with the headers that are its own; `isCurrent` if it may be kept and sent again. */
export type PlainReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly uses?: readonly Use[]
  readonly isCurrent?: () => boolean
}

/** Headers that change nothing of how any request is answered. */
const neutral: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'cdn-loop',
  'connection',
  'date',
  'dnt',
  'forwarded',
  'from',
  'host',
  'keep-alive',
  'origin',
  'pragma',
  'priority',
  'purpose',
  'referer',
  'save-data',
  'te',
  'traceparent',
  'tracestate',
  'upgrade-insecure-requests',
  'user-agent',
  'via',
  'x-amzn-trace-id',
  'x-real-ip',
  'x-request-id',
  'x-requested-with',
])

/** What browsers and front servers add begins like this. */
const neutralPrefix = /^(?:sec-|x-forwarded-|cf-)/

/** A cookie may say that one browser is to see what it has just written. */
const readHeaders: ReadonlySet<string> = new Set(['cookie'])

/** What a write says of its caller, and of its body. */
const writeHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'x-api-key',
])

/** What a request says of its caller and its body changes nothing of a refusal by a limit. */
const limitedHeaders: ReadonlySet<string> = new Set([
  'authorization',
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

const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i

/** Bytes of a body that is read or sent in one piece. */
const bodyBytesMax = 65_536

/** Characters of an address and a list of codings: nobody may fill the memory with longer ones. */
const keyCharactersMax = 512

/** Characters of an address that is looked for; the server takes no longer request line. */
const addressCharactersMax = 16_384

/** Bytes of the replies that are kept; their bodies are mostly those of other caches. */
const keptBytesMax = 33_554_432

/** What a kept reply takes beside its body, about. */
const entryBytes = 2_048

/** What the fast path needs of its server. */
export type FastPathOptions = {
  readonly pipeline: Pipeline
  readonly door: Pick<Doorkeeper, 'refusalAgain'>
  readonly limits: Pick<RequestLimits, 'isAnyRefused'>
  readonly addressOf: AddressOf
  /** Takes the requests that are left to the framework when `enter` and `admit` are done. */
  readonly begun: Pick<WeakMap<IncomingMessage, Begun>, 'set'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** Whether an error is shown as a page; nowhere by default. */
  readonly showsErrorPage?: (request: Pick<EdgeRequest, 'originalUrl' | 'headers'>) => boolean
}

/** A route as the fast path knows it. */
type Route = {
  readonly url: string
  /** The start of its addresses, where it has a parameter at their end. */
  readonly prefix: string
  readonly config: FastifyContextConfig
  readonly bodyBytesMax: number
}

/** A reply with all its headers, but for those that differ from request to request. */
type ReadyReply = Omit<PlainReply, 'isCurrent'>

type HotReply = ReadyReply & { readonly isCurrent: () => boolean }

/** A request that is answered here, with its reply. */
type Visit = {
  readonly request: EdgeRequest
  readonly reply: ReplyHead
  readonly response: ServerResponse
  readonly startedMs: number
}

/** The head of a reply that comes past the framework. */
class ReplyHead implements EdgeReply {
  statusCode: number
  values: Record<string, string>

  constructor(statusCode = 200, values: Readonly<Record<string, string>> = {}) {
    this.statusCode = statusCode
    this.values = { ...values }
  }

  header(name: string, value: string): void {
    this.values[name] = value
  }

  headers(values: Readonly<Record<string, string>>): void {
    Object.assign(this.values, values)
  }

  getHeader(name: string): string | undefined {
    return this.values[name]
  }

  hasHeader(name: string): boolean {
    return this.values[name] !== undefined
  }

  removeHeader(name: string): void {
    delete this.values[name]
  }
}

/**
 * Answers requests past the framework, whose way through hooks and handlers takes longer than all
 * the rest: plain reads and writes of the routes that have a handler for them, and the refusals of
 * clients that go on beyond a limit. It looks at each request first, takes those that have no
 * headers but the ones it knows, and does with them all that is done with every request
 * (`Pipeline`). The framework gets the others.
 */
class FastPath {
  readonly #options: FastPathOptions
  readonly #reads: Route[] = []
  readonly #writes = new Map<string, Route>()
  /** By method and address. */
  readonly #routed = new Map<string, { readonly method: string; readonly route: Route }>()
  #router: ReturnType<typeof createRouter> | undefined
  readonly #hot = new LRUCache<string, HotReply>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  })

  constructor(options: FastPathOptions) {
    this.#options = options
  }

  add(options: RouteOptions): void {
    const { url, config = {}, bodyLimit = bodyBytesMax } = options
    const methods = [options.method].flat()
    const prefix = url.slice(0, url.search(/[:*][^/]*$/))
    const route = { url, prefix, config, bodyBytesMax: Math.min(bodyLimit, bodyBytesMax) }
    if (config.plainRead !== undefined && methods.includes('GET')) this.#reads.push(route)
    if (config.plainWrite ?? config.plainBytes) this.#writes.set(url, route)
    // What is deprecated says more with each reply.
    if (config.access === undefined || isMarked(options)) return
    for (const method of methods.filter((name) => !this.#routed.has(`${name} ${url}`))) {
      this.#routed.set(`${method} ${url}`, { method, route })
    }
  }

  // Only the first client that goes on beyond a limit needs it: it takes a twentieth of a start.
  #openRouter(): ReturnType<typeof createRouter> {
    const router = createRouter({ maxParamLength: addressCharactersMax })
    for (const { method, route } of this.#routed.values()) {
      router.on(method as 'GET', route.url, () => {}, route)
    }
    return router
  }

  /** Answers a request, or says that it is the framework's. */
  take(raw: IncomingMessage, response: ServerResponse): boolean {
    return (
      this.#refuseAgain(raw, response) || this.#read(raw, response) || this.#write(raw, response)
    )
  }

  /** The first refusal of a window is counted; this is the second, and each further one. */
  #refuseAgain(raw: IncomingMessage, response: ServerResponse): boolean {
    const { limits, addressOf, pipeline, door, showsErrorPage } = this.#options
    if (!limits.isAnyRefused(() => addressOf(raw))) return false
    const { method = '', url = '', headers } = raw
    // A key in the address has marks of its own on the reply.
    if (url.includes('api_key') || !hasOnlyHeaders(headers, limitedHeaders)) return false
    this.#router ??= this.#openRouter()
    const route = this.#router.find(method as 'GET', routedUrl(url))?.store as Route | undefined
    if (route === undefined || showsErrorPage?.({ originalUrl: url, headers }) === true)
      return false
    const visit = this.#visit(raw, response, route)
    const { request, reply } = visit
    try {
      for (const step of pipeline.enter) step(request, reply)
    } catch {
      return false
    }
    const refusal = door.refusalAgain(request, reply)
    if (refusal === undefined) return false
    this.#answer(visit, plainError(replyOf(refusal, request.id)), { isRepeated: true })
    return true
  }

  #read(raw: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = raw
    if (raw.method !== 'GET') return false
    const route = this.#reads.find(({ prefix }) => url.startsWith(prefix))
    const key = route && cacheKey(raw, url)
    if (route === undefined || key === undefined || isBehind(raw)) return false
    const visit = this.#visit(raw, response, route)
    if (!this.#enter(visit)) return true
    const hot = this.#hot.get(key)
    if (hot?.isCurrent() === true) {
      this.#send(visit, hot)
      return true
    }
    this.#hot.delete(key)
    const made = readOrNone(route, url)
    if (made === undefined || made.body.length > bodyBytesMax) {
      const { access } = route.config
      const { caller } = visit.request
      this.#options.begun.set(raw, { access, caller, headers: visit.reply.values })
      return false
    }
    this.#answer(visit, made, { key })
    return true
  }

  #write(raw: IncomingMessage, response: ServerResponse): boolean {
    const route = raw.method === 'POST' ? this.#writes.get(raw.url ?? '') : undefined
    const length = route && plainLength(raw, route)
    if (route === undefined || length === undefined || isBehind(raw)) return false
    const visit = this.#visit(raw, response, route)
    if (this.#enter(visit)) {
      readBody(raw, length, (bytes) => this.#carryOut(visit, route, bytes))
    }
    return true
  }

  #visit(raw: IncomingMessage, response: ServerResponse, { url: routeUrl, config }: Route): Visit {
    const { addressOf, elapsedMs } = this.#options
    const { method = '', url = '', headers } = raw
    const request = {
      id: requestId(raw),
      ip: addressOf(raw),
      method,
      url,
      originalUrl: url,
      headers,
      query: {},
      is404: false,
      raw,
      routeOptions: { url: routeUrl, config },
      caller: undefined as unknown as Caller,
    }
    return { request, reply: new ReplyHead(), response, startedMs: elapsedMs() }
  }

  /** Whether a request may go on; otherwise it is refused. */
  #enter(visit: Visit): boolean {
    const { enter, admit } = this.#options.pipeline
    const { request, reply } = visit
    try {
      for (const step of enter) step(request, reply)
      const waiting = admit(request, reply)
      // Only a one-time code takes waiting, and its header is none of a plain request.
      assert(waiting === undefined, 'a plain request is admitted at once')
      return true
    } catch (error) {
      this.#refuse(visit, error)
      return false
    }
  }

  #carryOut(visit: Visit, { config }: Route, bytes: Buffer): void {
    const { caller, headers, query } = visit.request
    const { plainWrite, plainBytes } = config
    let writing: Promise<PlainReply> | undefined
    try {
      writing = plainWrite
        ? plainWrite({ caller, headers, query, body: parseStrictJson(bytes) })
        : plainBytes?.(bytes)
    } catch (error) {
      return this.#refuse(visit, error)
    }
    writing?.then(
      (reply) => this.#answer(visit, reply),
      (error: unknown) => this.#refuse(visit, error),
    )
  }

  #refuse(visit: Visit, error: unknown): void {
    const { id, method, originalUrl } = visit.request
    const log = this.#options.logger
    this.#answer(visit, plainError(errorReply(error, { id, method, originalUrl, log })))
  }

  /** Codes a reply and sends it; it is kept under `key`, if it has one and may be kept. */
  #answer(
    visit: Visit,
    { status, headers, body, uses, isCurrent }: PlainReply,
    { key, isRepeated }: { readonly key?: string; readonly isRepeated?: boolean } = {},
  ): void {
    const head = new ReplyHead(status, headers)
    const send = (sent: PlainReply['body']) => {
      head.header('content-length', String(sent.length))
      const ready = { status, headers: head.values, body: sent, ...(uses && { uses }) }
      if (key !== undefined && isCurrent?.() === true) {
        this.#hot.set(key, { ...ready, body: ownMemory(sent), isCurrent })
      }
      this.#send(visit, ready, isRepeated)
    }
    const coding = this.#options.pipeline.code(visit.request, head, body)
    if (coding === undefined) return send(body)
    coding.then(
      (coded) => send(coded ?? body),
      (error: unknown) => this.#refuse(visit, error),
    )
  }

  #send(
    { request, reply, response, startedMs }: Visit,
    { status, headers, body, uses }: ReadyReply,
    isRepeated = false,
  ): void {
    const { pipeline, elapsedMs } = this.#options
    reply.statusCode = status
    for (const step of pipeline.leave) step(request, reply)
    response.writeHead(status, Object.assign(reply.values, headers))
    response.end(body)
    const sent = { statusCode: status, elapsedTime: elapsedMs() - startedMs, uses, isRepeated }
    for (const step of pipeline.after) step(request, sent)
  }
}

/**
 * Whether a request has only headers that change nothing, and those of `own`, which its way takes
 * into account. Any other request is the framework's, so that a header which nothing here knows
 * costs time and nothing else.
 */
export function hasOnlyHeaders(headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean {
  for (const name in headers) {
    if (!neutral.has(name) && !own.has(name) && !neutralPrefix.test(name)) return false
  }
  return headers.cookie?.includes(readAfterCookie) !== true
}

/** Behind replies that are still to be read, it would be measured before it is sent. */
function isBehind({ socket }: IncomingMessage): boolean {
  return socket.writableLength > 0
}

/**
 * The key under which the reply to a plain read is kept: its address, as the client sent it, and
 * the codings that it takes. Undefined for a read that is not plain.
 */
function cacheKey({ headers }: IncomingMessage, url: string): string | undefined {
  if (url.includes('?') || !hasOnlyHeaders(headers, readHeaders)) return undefined
  const key = `${url} ${headers['accept-encoding'] ?? ''}`
  return key.length <= keyCharactersMax ? key : undefined
}

/** The length of a body that has the form of nearly all; undefined for any other. */
function plainLength({ headers }: IncomingMessage, route: Route): number | undefined {
  if (!hasOnlyHeaders(headers, writeHeaders)) return undefined
  const length = parseDecimal(headers['content-length'] ?? '')
  if (length === undefined || length > route.bodyBytesMax) return undefined
  if (route.config.plainBytes !== undefined) return length
  return length > 0 && jsonType.test(headers['content-type'] ?? '') ? length : undefined
}

/** Gives the body once all of it is there; a client that leaves before has sent nothing. */
function readBody(raw: IncomingMessage, length: number, take: (body: Buffer) => void): void {
  if (length === 0) return take(Buffer.alloc(0))
  const chunks: Buffer[] = []
  let missing = length
  raw.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    missing -= chunk.length
    if (missing === 0) take(chunks.length === 1 ? chunk : Buffer.concat(chunks))
  })
}

function readOrNone({ config, prefix }: Route, url: string): PlainReply | undefined {
  try {
    return config.plainRead?.(url.slice(prefix.length))
  } catch {
    // The route meets the same error, and tells of it.
    return undefined
  }
}

function plainError({ status, headers, body }: ReturnType<typeof replyOf>): PlainReply {
  return { status, headers, body: Buffer.from(body) }
}

/** Has a server answer past the framework what can be answered there. Register it before routes. */
export function registerFastPath(
  server: FastifyInstance,
  turns: Pick<RequestTurns, 'interceptRequests'>,
  options: FastPathOptions,
): void {
  const path = new FastPath(options)
  server.addHook('onRoute', (route) => path.add(route))
  turns.interceptRequests((request, response) => path.take(request, response))
}
