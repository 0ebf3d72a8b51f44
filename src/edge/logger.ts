import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type DestinationStream, type Logger, pino } from 'pino'

import type { LastStep } from '#src/edge/step.ts'

/** What stands in a log where a credential was. */
const mask = '[redacted]'

/** Query parameters whose values are credentials, or lead to some. */
const secretParameters: ReadonlySet<string> = new Set([
  'api_key',
  'access_token',
  'refresh_token',
  'id_token_hint',
  'code',
  'code_verifier',
  'client_secret',
])

// Keys, and the tokens of links that work once.
const keyForm = /(?:svc(?:_live_|_test_|-)|once_)[0-9A-Za-z]{10,}/g

/** The logger of the process: JSON lines without credentials, for `destination`. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const headers = ['authorization', 'cookie', 'x-api-key', 'x-admin-code']
  const paths = headers.map((name) => `headers["${name}"]`)
  return pino({ level, base: null, redact: { paths, censor: mask } }, destination)
}

/** A URL as it may be logged: secret parameters, and whatever reads as a key, masked. */
export function maskedUrl(url: string): string {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return url.replace(keyForm, mask)
  const query = url
    .slice(queryAt + 1)
    .split('&')
    .map(maskedParameter)
    .join('&')
  return `${url.slice(0, queryAt)}?${query}`.replace(keyForm, mask)
}

function maskedParameter(parameter: string): string {
  const name = parameter.split('=', 1)[0] ?? ''
  return secretParameters.has(decodedName(name)) ? `${name}=${mask}` : parameter
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

/** What a line tells of a request that was answered; `url` is as the client sent it. */
type AnsweredRequest = {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ip: string
  readonly elapsedMs: number
  /** Whether it was refused as one before it. */
  readonly isRepeated?: boolean
}

/**
 * Writes one line for a request: at `debug`, or at `info` if it was refused, but for refusals that
 * are repeated, so that a client beyond its limit does not fill the log. What failed has been
 * logged with its cause already.
 */
export function logRequest(logger: Logger, answered: AnsweredRequest): void {
  const { id, elapsedMs, method, status, ip, isRepeated = false } = answered
  const level = status < 400 || isRepeated ? 'debug' : 'info'
  if (!logger.isLevelEnabled(level)) return
  const ms = Math.round(elapsedMs * 10) / 10
  const url = maskedUrl(answered.url)
  logger[level]({ request_id: id, method, url, status, ip, ms }, 'request')
}

/** Writes a line for every request of a server. */
export function logRequests(logger: Logger): LastStep {
  return ({ id, method, originalUrl: url, ip }, reply) => {
    const { statusCode: status, elapsedTime: elapsedMs, isRepeated = false } = reply
    logRequest(logger, { id, method, url, status, ip, elapsedMs, isRepeated })
  }
}

const idForm = /^[\w-]{8,64}$/

/** A fresh id for a request. */
export function newRequestId(): string {
  return randomUUID()
}

/** The id of a request: the client's own `X-Request-Id` if it is 8 to 64 of `A-Za-z0-9_-`. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && idForm.test(sent) ? sent : newRequestId()
}
