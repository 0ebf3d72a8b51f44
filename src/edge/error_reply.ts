import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { ActorError, type ActorErrorCode } from '#actors/kernel/actor_error.ts'
import { QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { isDamage, LogError, type LogErrorCode } from '#log/tlog/errors.ts'
import {
  type ErrorCode,
  errorStatus,
  HttpError,
  invalidInput,
  RenderingError,
  type RenderingErrorCode,
} from '#src/edge/errors.ts'
import { maskedUrl, newRequestId } from '#src/edge/logger.ts'
import { http } from '#src/edge/node_http.ts'
import { advice } from '#src/edge/request_path.ts'
import { IdentityError, type IdentityErrorCode } from '#src/identity/store/identity_error.ts'

/** What a client reads in place of the thing it asked for. */
export type ErrorBody = {
  readonly error: ErrorCode
  readonly message: string
  readonly details?: readonly FieldFault[]
  readonly request_id: string
}

/** Answers a request that has failed. */
export type AnswerError = (failure: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Seconds after which a client may try again when the registry was busy. */
const busyRetryAfterSeconds = 1

/** The same when an operator has to do something first. */
const clockRetryAfterSeconds = 60

const actorErrors: Readonly<Record<ActorErrorCode, ErrorCode>> = {
  overloaded: 'unavailable',
  stopped: 'unavailable',
  clock_wrong: 'clock_wrong',
  timeout: 'timeout',
  // It may have been carried out, as after a time-out.
  lost: 'timeout',
  fault: 'internal_error',
}

/** Why a request was not given its turn: a client that asks for less, or later, is let in. */
const queueErrors: Readonly<Record<QueueErrorCode, ErrorCode>> = {
  queue_full_for_caller: 'rate_limit_exceeded',
  queue_full: 'unavailable',
  queue_left: 'request_timeout',
}

/** What became of a rendering: it was given up, and others go on. */
const renderingErrors: Readonly<Record<RenderingErrorCode, ErrorCode>> = {
  too_slow: 'timeout',
  too_large: 'unavailable',
  thread_failed: 'unavailable',
}

/** Faults of the log and its store that clients can tell apart; others are an `internal_error`. */
const logErrors: Partial<Record<LogErrorCode, ErrorCode>> = {
  malformed_tile_path: 'not_found',
  out_of_range: 'not_found',
  store_corrupt: 'record_damaged',
  store_full: 'unavailable',
  // The grace of a stop is over: the next start answers.
  store_closed: 'unavailable',
}

/** Faults of a store that several nodes share; others are an `internal_error`. */
const identityErrors: Partial<Record<IdentityErrorCode, ErrorCode>> = {
  identity_stale: 'unavailable',
  identity_contended: 'unavailable',
  identity_outrun: 'unavailable',
  // It may have been written, as after a time-out.
  identity_undecided: 'timeout',
}

/** Refusals of the framework, with the words that a client reads in place of its own. */
const frameworkErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['bad_request', 'The percent-encoding of the path is not that of UTF-8 text'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A segment of the path is too long'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this address takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json'],
  ERR_STREAM_PREMATURE_CLOSE: ['bad_request', 'The client left before its body was whole'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'bad_request',
    'The body is not as long as Content-Length says',
  ],
}

/** The HttpError that any failure of a request comes down to. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof ActorError) {
    return fault(isDamage(error) ? 'record_damaged' : actorErrors[error.code], error)
  }
  if (error instanceof LogError) {
    const code = logErrors[error.code] ?? 'internal_error'
    return code === 'not_found' ? new HttpError(code, error.message) : fault(code, error)
  }
  if (error instanceof IdentityError) {
    return fault(identityErrors[error.code] ?? 'internal_error', error)
  }
  if (error instanceof RenderingError) return fault(renderingErrors[error.code], error)
  if (error instanceof QueueError) return refusedTurn(queueErrors[error.code], error)
  return fromFramework(error as FastifyError) ?? fault('internal_error', error)
}

function fault(code: ErrorCode, cause: unknown): HttpError {
  const retry_after = retryAfterSeconds[code]
  const extra = retry_after === undefined ? {} : { retry_after }
  return new HttpError(code, faultMessages[code] ?? 'The server failed', { cause, extra })
}

const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  unavailable: busyRetryAfterSeconds,
  clock_wrong: clockRetryAfterSeconds,
}

function refusedTurn(code: ErrorCode, cause: QueueError): HttpError {
  if (code === 'unavailable') return fault(code, cause)
  const retry_after = busyRetryAfterSeconds
  return code === 'rate_limit_exceeded'
    ? new HttpError(code, manyAtATime, { cause, extra: { retry_after } })
    : new HttpError(code, 'The client left before it was its turn', { cause })
}

const manyAtATime =
  'Too many of your requests are under way at a time; wait for the answers to some of them'

const faultMessages: Partial<Record<ErrorCode, string>> = {
  record_damaged: 'What is stored of this is damaged; the operator has been told',
  unavailable: 'The registry is busy; try again after a moment',
  clock_wrong:
    'The clock of the registry is wrong, so nothing that carries a time is written; reading goes ' +
    'on. Try again later; the operator finds what to do with "arklog clock status"',
  timeout: 'The registry did not answer in time; the request may have been carried out',
}

function fromFramework(error: FastifyError): HttpError | undefined {
  if (error.validation !== undefined) {
    return invalidInput('The body is not as it should be', error.validation.map(schemaFault))
  }
  const [code, message] = frameworkErrors[error.code] ?? []
  if (code !== undefined && message !== undefined) {
    return new HttpError(code, message, { cause: error })
  }
  // A request that broke off, or whatever else of it the framework could not read.
  const isRefusal = error.statusCode !== undefined && error.statusCode < 500
  return isRefusal ? new HttpError('bad_request', error.message, { cause: error }) : undefined
}

type SchemaFault = NonNullable<FastifyError['validation']>[number]

/** What a schema has against a body, in the words of a field fault. */
function schemaFault({ instancePath, keyword, params, message }: SchemaFault): FieldFault {
  const parent = instancePath.slice(1).replaceAll('/', '.')
  const member = params['missingProperty'] ?? params['additionalProperty']
  const field = [parent, member].filter((part) => part !== undefined && part !== '').join('.')
  if (keyword === 'required') return { field, code: 'required', message: `${field} is required` }
  if (keyword === 'additionalProperties') {
    return { field, code: 'unknown_field', message: `${field} is not a field` }
  }
  const allowed = params['allowedValues'] as readonly unknown[] | undefined
  const list = allowed === undefined ? '' : `: ${allowed.join(', ')}`
  return {
    field,
    code: 'bad_value',
    message: `${field || 'the body'} ${message ?? keyword}${list}`,
  }
}

/** The body of an error as JSON text. 5xx bodies say nothing of what failed. */
function errorJson(error: HttpError, requestId: string): string {
  return JSON.stringify({ ...errorBody(error), request_id: requestId })
}

/** An error as the members of a JSON object, without the id of its request. */
export function errorBody(error: HttpError): Omit<ErrorBody, 'request_id'> {
  const { code, message, details, extra } = error
  return { error: code, message, ...(details !== undefined && { details }), ...extra }
}

/** What a client is sent in place of what it asked for: status, headers of its own, a text. */
export type ErrorReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * The reply that tells of an error: its status by the table of `src/edge/errors.ts`, the body of
 * `ErrorBody`, and the headers that belong to its code.
 */
export function replyOf(error: HttpError, requestId: string): ErrorReply {
  const status = errorStatus[error.code]
  return { status, headers: errorHeaders(error, requestId), body: errorJson(error, requestId) }
}

/** The reply to a request that has failed. Faults are logged with their cause. */
export function errorReply(failure: unknown, request: LoggedRequest): ErrorReply {
  const error = toHttpError(failure)
  if (errorStatus[error.code] >= 500) logFault(error, request)
  return replyOf(error, request.id)
}

/** Answers a request with an error. */
export function sendError(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorReply(failure, request)
  reply.code(status).headers(headers).send(body)
}

/** The headers that belong to an error. */
function errorHeaders(error: HttpError, requestId: string): Record<string, string> {
  const { code, etag, extra } = error
  const { retry_after: retryAfter } = extra
  return {
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer realm="svc"' }),
    ...(etag !== undefined && { etag }),
    ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }),
  }
}

/** A request that faults are logged with. */
export type LoggedRequest = Pick<FastifyRequest, 'method' | 'originalUrl' | 'id'> & {
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/** Logs what an error that is the server's own came from. */
export function logFault(error: HttpError, request: LoggedRequest): void {
  const { method, originalUrl, id } = request
  const fields = { request_id: id, method, url: maskedUrl(originalUrl), err: error.cause ?? error }
  // A full mailbox or a full disk is told by the metrics too; it would flood the log as an error.
  if (error.code in retryAfterSeconds) request.log.warn(fields, error.message)
  else request.log.error(fields, error.message)
}

/** The message of an address that there is not. */
export const nothingHere = 'There is nothing at this address'

/**
 * Makes every error that reaches the server's handlers, and every unknown address, one of ours,
 * answered by `answer`.
 */
export function registerErrorReplies(server: FastifyInstance, answer: AnswerError): void {
  server.setErrorHandler(answer)
  server.setNotFoundHandler((request, reply) => {
    const message = [nothingHere, advice(request.url)].filter(Boolean)
    answer(new HttpError('not_found', message.join('; ')), request, reply)
  })
}

/** Node's codes for requests that never became one, with what they mean to a client. */
const parserErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large', 'The chunk extensions are too large'],
}

/** Answers what the HTTP parser refused, on the bare socket, in the same shape; then closes it. */
export function clientErrorHandler(logger: Logger) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const [code, message] = parserErrors[error.code ?? ''] ?? [
      'bad_request',
      'This is not HTTP/1.1',
    ]
    logger.debug({ code: error.code }, 'refused what the HTTP parser could not read')
    socket.end(rawReply(new HttpError(code, message)))
  }
}

/** An error as the bytes of a whole reply, after which its connection is closed. */
export function rawReply(error: HttpError): string {
  const body = errorJson(error, newRequestId())
  const status = errorStatus[error.code]
  const { retry_after: retryAfter } = error.extra
  return [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...(typeof retryAfter === 'number' ? [`Retry-After: ${retryAfter}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
