import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination, type Logger } from 'pino'

import { elapsedMs, formatTimestamp } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/base/errors.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { entryBytesMax } from '#log/tlog/tile.ts'
import type { Edge } from '#src/edge/edge.ts'
import { writeError } from '#src/edge/error_reply.ts'
import { createLogger, logRequest, requestId } from '#src/edge/logger.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import { replyHeaders, whyRefused } from '#src/edge/request_guard.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import { registerLogRoutes } from '#src/http/log/log_routes.ts'
import { dataDirOptions, openDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { chooseAddress } from '#src/start/address.ts'
import { type AddAnswer, type BareLog, openBareLog, overloaded } from '#src/start/bare_log.ts'
import { exitOnUncertainWrite } from '#src/start/fatal.ts'
import type { LogFacts } from '#src/start/banner.ts'
import { listenForMetrics, serveEverybody } from '#src/start/ports.ts'

/** A bare log that runs. */
export type LogService = { readonly facts: LogFacts; close(): Promise<void> }

/**
 * Runs a bare log on a data directory of its own: the log endpoints, and `POST /log/add`, which
 * takes the bytes of an entry and answers with its leaf index in decimal. For load tools. `onStep`
 * and errors as of `openService`.
 */
export async function openLogService(
  config: Config,
  onStep: (step: string) => void,
): Promise<LogService> {
  await using opened = new AsyncDisposableStack()
  const address = await chooseAddress(config, { listen: true })
  const options = dataDirOptions(config, 'log', address.baseUrl)
  onStep(`opening the data directory ${options.dataDir}`)
  const dataDir = await openDataDir(options, Date.now)
  opened.defer(() => dataDir.release())
  const pinned = dataDir.logs.get('log')
  assert(pinned !== undefined, 'the data directory of a bare log pins one')
  onStep('opening the store and checking the log')
  const log = await openBareLog({
    storeDir: path.join(options.dataDir, 'log'),
    headFile: path.join(options.dataDir, 'log.head'),
    origin: pinned.origin,
    key: pinned.keys.log,
    create: dataDir.creating,
    createdAt: formatTimestamp(Date.now()),
    writeBufferBytes: config.STORE_WRITE_BUFFER_BYTES,
    cacheBytes: config.STORE_CACHE_BYTES,
    fatal: exitOnUncertainWrite(() => closing.disposeAsync()),
  })
  opened.defer(() => log.close())
  await dataDir.finishCreation()
  onStep('opening the port')
  const metrics = createMetrics([], Date.now)
  await listenForMetrics(config, { metrics }, opened)
  const server = {
    // Load tools come from one address, with as many connections as they have writers.
    config: { ...config, CONNECTIONS_PER_ADDRESS_MAX: 'off' as const },
    address,
    logger: createLogger(config.LOG_LEVEL, destination(2)),
    metrics,
  }
  const registerRoutes = (routes: FastifyInstance, edge: Edge) => {
    registerLogRoutes(routes, edge, { prefix: '', reader: log.reader, vkey: log.vkey })
    registerAddRoute(routes, log)
    takeAddsDirectly(edge.turns, { ...server, log, baseUrl: address.baseUrl, elapsedMs })
  }
  await serveEverybody(server, registerRoutes, opened)
  const closing = opened.move()
  return {
    facts: {
      address,
      dataDir: options.dataDir,
      origin: pinned.origin,
      vkey: log.vkey,
      warnings: [...dataDir.warnings, 'This is a bare log: anyone who reaches it can add entries.'],
    },
    close: () => closing.disposeAsync(),
  }
}

/** `POST /log/add`: the body is the entry, whatever type it is said to have. */
function registerAddRoute(server: FastifyInstance, log: BareLog): void {
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    const options = { bodyLimit: entryBytesMax, schema: { hide: true } }
    scope.post(addPath, options, async (request, reply) => {
      const answer = await log.add(entryOf(request.body))
      if (answer.type === 'overloaded') throw overloaded()
      return reply.type('text/plain; charset=utf-8').send(String(answer.leafIndex))
    })
    done()
  })
}

/** The entry of a request: one without a body is the empty entry. */
function entryOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array(0)
}

/** Where entries are added. */
const addPath = '/log/add'

/** What adds past the framework need. */
export type DirectAddOptions = {
  readonly log: Pick<BareLog, 'add'>
  readonly baseUrl: string
  readonly metrics: Pick<Metrics, 'requests'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/**
 * Takes entries past the framework, whose hooks and handlers take longer than the log does: those
 * whose length is told and right, from connections that are not behind with their replies. All else
 * that comes to the address is its route's, which must be registered, also during a shutdown.
 */
export function takeAddsDirectly(
  turns: Pick<RequestTurns, 'interceptRequests'>,
  options: DirectAddOptions,
): void {
  const adds = new DirectAdds(options)
  turns.interceptRequests((request, response) => {
    const isTaken = adds.takes(request)
    if (isTaken) adds.take(request, response)
    return isTaken
  })
}

class DirectAdds {
  readonly #options: DirectAddOptions
  readonly #common: Readonly<Record<string, string>>
  readonly #headers: readonly string[]

  constructor(options: DirectAddOptions) {
    this.#options = options
    this.#common = { ...replyHeaders(options.baseUrl), vary: 'Accept-Encoding' }
    const type = { 'content-type': 'text/plain; charset=utf-8' }
    this.#headers = Object.entries({ ...this.#common, ...type }).flat()
  }

  takes(request: IncomingMessage): boolean {
    const { method, url, headers, socket } = request
    if (method !== 'POST' || url !== addPath || socket.writableLength > 0) return false
    if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
    const length = parseDecimal(headers['content-length'] ?? '')
    if (length === undefined || length > entryBytesMax) return false
    return whyRefused(request) === undefined
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const length = Number(request.headers['content-length'])
    const chunks: Buffer[] = []
    let missing = length
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      missing -= chunk.length
      // A client that leaves before its entry is whole has added nothing.
      if (missing === 0) this.#add(joined(chunks), request, response)
    })
    if (length === 0) this.#add(joined(chunks), request, response)
  }

  #add(entry: Uint8Array, request: IncomingMessage, response: ServerResponse): void {
    const id = requestId(request)
    const startedMs = this.#options.elapsedMs()
    this.#options.log.add(entry).then(
      (answer) => this.#answer(answer, { id, startedMs }, response),
      (error: unknown) => this.#refuse(error, { id, startedMs }, response),
    )
  }

  #answer(answer: AddAnswer, asked: Asked, response: ServerResponse): void {
    if (answer.type === 'overloaded') return this.#refuse(overloaded(), asked, response)
    const body = String(answer.leafIndex)
    const own = ['x-request-id', asked.id, 'content-length', String(body.length)]
    response.writeHead(200, [...this.#headers, ...own])
    response.end(body, 'latin1')
    this.#note(response, asked)
  }

  #refuse(error: unknown, asked: Asked, response: ServerResponse): void {
    const { logger } = this.#options
    const request = { id: asked.id, method: 'POST', originalUrl: addPath, log: logger }
    writeError(error, request, response, this.#common)
    this.#note(response, asked)
  }

  #note({ statusCode: status, req }: ServerResponse, { id, startedMs }: Asked): void {
    const { metrics, logger } = this.#options
    const tookMs = this.#options.elapsedMs() - startedMs
    metrics.requests.count('POST', addPath, status, tookMs / 1_000)
    const { remoteAddress: ip = '' } = req.socket
    logRequest(logger, { id, method: 'POST', url: addPath, status, ip, elapsedMs: tookMs })
  }
}

// Nearly all entries come in one piece.
function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

/** A request whose entry is whole: its id, and when it was. */
type Asked = { readonly id: string; readonly startedMs: number }
