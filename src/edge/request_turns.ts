import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'

import { QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import { type AddressOf, countedAddress } from '#src/edge/caller.ts'
import { errorReply } from '#src/edge/error_reply.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { pieceBytes } from '#src/edge/reply_sending.ts'
import { anyOriginHeaders, replyHeaders } from '#src/edge/request_guard.ts'
import { disconnectSignal } from '#src/edge/turns.ts'
import { type LoopTurnLimits, LoopTurns } from '#src/edge/limits/loop_turns.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Says that a request only waits for others from now on, so that its client may have another
     * one. Gives a signal that is set off when the client has gone, or has its reply.
     */
    standAside(): AbortSignal
  }
}

/**
 * A slice is shorter than anybody notices, and longer than what the loop does around it. Two
 * requests of a client may wait for the disk at a time, so that one is made while the other waits.
 */
const limits: LoopTurnLimits = {
  sliceMs: 2,
  quantumMs: 1,
  underWayPerCallerMax: 2,
  underWayMs: 50,
  waitingMax: 16_384,
  waitingPerCallerMax: 1_024,
}

/** Bytes of a reply that are sent in about a millisecond of the loop. */
const bytesPerMs = 262_144

/** Answers a request, or says that it has done nothing with it. */
export type AnswerAtOnce = (request: IncomingMessage, response: ServerResponse) => boolean

/** What the turns of a server are made from. */
export type RequestTurnsOptions = {
  readonly baseUrl: string
  readonly addressOf: AddressOf
  readonly metrics: Pick<Metrics, 'requests'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** The turns in which a server answers its requests. */
export type RequestTurns = {
  /**
   * Has `answer` look at each request before the framework does, which gets what is not answered.
   */
  interceptRequests(answer: AnswerAtOnce): void
  /** Says that a connection was accepted: the loop accepts one in each of its turns. */
  hurry(): void
}

/**
 * Answers each request of a server when it is the turn of its client: its address as limits count
 * it. On a server that has nothing else to do, that is at once. During a shutdown the framework
 * gets all of them, so that it ends each connection with its reply.
 */
export function takeRequestsByTurns(
  server: FastifyInstance,
  options: RequestTurnsOptions,
): RequestTurns {
  const { addressOf, elapsedMs } = options
  const { server: listener } = server
  let answerAtOnce: AnswerAtOnce = () => false
  // A read whose reply is made, or which waits for others, is under way no more.
  const made = new WeakSet<IncomingMessage>()
  const pass = takeListeners(server)
  const callerOf = ({ req }: ServerResponse) => countedAddress(addressOf(req))
  const turns = new LoopTurns<ServerResponse>({
    limits,
    elapsedMs,
    later: setImmediate,
    after: (ms, task) => void setTimeout(task, ms).unref(),
    work: {
      callerOf,
      refuse: createRefusal(options),
      // Writes wait for the disk, which takes many of them at a time. What was sent behind another
      // request of its connection has no socket yet: it waits for the reply to that one.
      isCounted: ({ req: { method }, socket }) =>
        socket !== null && (method === 'GET' || method === 'HEAD'),
      doAtOnce(response) {
        const { req: request } = response
        // A client that has left by now is answered no more.
        return request.socket.destroyed || answerAtOnce(request, response)
      },
      begin(response) {
        const { req: request } = response
        if (request.socket.destroyed) return false
        pass(request, response)
        if (response.headersSent || made.has(request)) return false
        response.once('close', () => turns.ended(response))
        return true
      },
    },
  })
  const standAside = ({ request, raw }: FastifyReply) => {
    made.add(request.raw)
    turns.ended(raw)
  }
  server.decorateReply('standAside', function standAsideUntilGone(this: FastifyReply) {
    standAside(this)
    return disconnectSignal(this)
  })
  listener.on('request', (request, response) => {
    if (listener.listening) turns.take(response)
    else pass(request, response)
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    // A long reply is sent in pieces, and is under way until the last of them has left.
    if (lengthOf(payload) <= pieceBytes) standAside(reply)
    if (turns.size.waiting > 0) turns.charge(callerOf(reply.raw), lengthOf(payload) / bytesPerMs)
    done(null, payload)
  })
  return {
    interceptRequests: (answer) => void (answerAtOnce = answer),
    hurry: () => turns.hurry(),
  }
}

/** Takes the place of what listens for the requests of a server; gives what passes them on. */
function takeListeners({ server: listener }: FastifyInstance) {
  const others = listener.listeners('request')
  listener.removeAllListeners('request')
  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const other of others) other.call(listener, request, response)
  }
}

/** Refuses a request for which there is no room, with 503. */
function createRefusal({ baseUrl, addressOf, metrics, logger }: RequestTurnsOptions) {
  const common = { ...replyHeaders(baseUrl), ...anyOriginHeaders }
  return (response: ServerResponse, code: QueueErrorCode): void => {
    const { req: request } = response
    const { method = 'GET', url = '' } = request
    const id = requestId(request)
    const asked = { id, method, originalUrl: url, log: logger }
    const { status, headers, body } = errorReply(new QueueError(code), asked)
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...common, ...headers, ...length })
    response.end(body)
    metrics.requests.count(method, 'none', status, 0)
    logRequest(logger, { id, method, url, status, ip: addressOf(request), elapsedMs: 0 })
  }
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0
}
