import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'

import { parseDecimal } from '#log/tlog/encoding.ts'
import { entryBytesMax } from '#log/tlog/tile.ts'
import { writeError } from '#src/edge/error_reply.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { replyHeaders, whyRefused } from '#src/edge/request_guard.ts'
import type { RequestTurns } from '#src/edge/request_turns.ts'
import { type AddAnswer, type BareLog, overloaded } from '#src/start/bare_log.ts'

/** Where entries are added. */
export const addPath = '/log/add'

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
    const elapsedMs = this.#options.elapsedMs() - startedMs
    metrics.requests.count('POST', addPath, status, elapsedMs / 1_000)
    const { remoteAddress: ip = '' } = req.socket
    logRequest(logger, { id, method: 'POST', url: addPath, status, ip, elapsedMs })
  }
}

// Nearly all entries come in one piece.
function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

/** A request whose entry is whole: its id, and when it was. */
type Asked = { readonly id: string; readonly startedMs: number }
