import type { FieldFault } from '#actors/values/fault_list.ts'
import { assert, CodedError } from '#log/tlog/errors.ts'

/** The codes a client can receive, with the status of each: the only table of its kind. */
export const errorStatus = {
  bad_request: 400,
  malformed_ark: 400,
  // RFC 6749, section 5.2.
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  // The organization, the account or the application was stopped by an administrator.
  suspended: 403,
  // No 5xx: after those, clients try again.
  loop_detected: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  duplicate_work: 409,
  // More works than one have what was to name one.
  several_works: 409,
  version_unchanged: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  headers_too_large: 431,
  // RFC 7725: an administrator withholds a work for the time being.
  withheld: 451,
  internal_error: 500,
  // A row of the store is damaged: what needs it fails until the operator has restored it.
  record_damaged: 500,
  unavailable: 503,
  // Nothing is dated by a clock that is wrong: what an operator does about it, `/readyz` says.
  clock_wrong: 503,
  timeout: 504,
} as const

export type ErrorCode = keyof typeof errorStatus

/** An answer that is not the thing asked for; the edge turns it into status and JSON body. */
export class HttpError extends CodedError<ErrorCode> {
  override readonly name = 'HttpError'
  readonly details: readonly FieldFault[] | undefined
  /** Further members of the body, such as `existing_ark` or `retry_after`. */
  readonly extra: Readonly<Record<string, unknown>>
  /** The entity tag that stands now, for a change that another one came before. */
  readonly etag: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: readonly FieldFault[]
      extra?: Record<string, unknown>
      etag?: string
    } & ErrorOptions = {},
  ) {
    super(code, message, options)
    this.details = options.details
    this.extra = options.extra ?? {}
    this.etag = options.etag
  }
}

/**
 * The refusal of an input with faults, one at least. `summary` says what cannot be done. The
 * message tells the first fault as well, and how many more there are in `details`.
 */
export function invalidInput(summary: string, details: readonly FieldFault[]): HttpError {
  const [first, ...others] = details
  assert(first !== undefined, 'an input is refused for a fault')
  const more = others.length === 0 ? '' : ` (details has ${others.length} more)`
  const message = `${summary}: ${first.message}${more}`
  return new HttpError('validation_failed', message, { details })
}

/** Why a job was given up: it took too long, or more memory than it may; or its thread died. */
export type RenderingErrorCode = 'too_slow' | 'too_large' | 'thread_failed'

const messages: Readonly<Record<RenderingErrorCode, string>> = {
  too_slow: 'the rendering took too long and was ended',
  too_large: 'the rendering took too much memory and was ended',
  thread_failed: 'the thread that renders has failed',
}

/** A rendering that was not brought to its end. */
export class RenderingError extends Error {
  readonly code: RenderingErrorCode

  constructor(code: RenderingErrorCode, options?: ErrorOptions) {
    super(messages[code], options)
    this.name = 'RenderingError'
    this.code = code
  }
}
