import { ArklogError } from '#src/client/verify/evidence_error.js'
import type { Error as ErrorBody, FieldFault } from '#src/client/types.ts'

/** A setting, an argument or a source of works that cannot be used. */
export class UsageError extends ArklogError {
  override readonly name = 'UsageError'
}

/**
 * No answer that could be read: `network_error`, `timeout`, `redirected` or `malformed_reply`. Of a
 * write nobody knows whether it was carried out; sent again under the same `idempotencyKey`, it is
 * carried out once.
 */
export class ConnectionError extends ArklogError {
  override readonly name = 'ConnectionError'
  /** The name under which a write can be sent again; undefined for a read. */
  readonly idempotencyKey: string | undefined

  constructor(
    code: 'network_error' | 'timeout' | 'redirected' | 'malformed_reply',
    message: string,
    {
      idempotencyKey,
      cause,
    }: { readonly idempotencyKey?: string | undefined; cause?: unknown } = {},
  ) {
    super(code, message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** The parts of a refusal beside its code and message. */
export type Refusal = {
  readonly status: number
  readonly body: Partial<ErrorBody>
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
}

/**
 * The registry's refusal: `code` is the `error` of its answer, such as `validation_failed`,
 * `duplicate_work`, `precondition_failed` or `rate_limit_exceeded`.
 */
export class RefusedError extends ArklogError {
  override readonly name = 'RefusedError'
  readonly status: number
  /** Each wrong field, or, of a `precondition_failed`, what others have changed. */
  readonly details: readonly FieldFault[]
  /** By which the registry's operator finds the request. */
  readonly requestId: string | undefined
  /** After how many milliseconds it is worth while to ask again, if the registry has said so. */
  readonly retryAfterMs: number | undefined
  /** The whole answer, with what belongs to one code alone, such as `existing_ark`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor({ status, body, requestId, retryAfterMs }: Refusal) {
    super(body.error ?? `http_${status}`, body.message ?? `The registry answered ${status}`)
    this.status = status
    this.details = body.details ?? []
    this.requestId = body.request_id ?? requestId
    this.retryAfterMs = retryAfterMs
    this.body = body
  }
}

/** The steps of a verification, in order; an error names the first that failed. */
export type VerificationStep =
  | 'keys'
  | 'form'
  | 'identity'
  | 'receipt_key'
  | 'signature'
  | 'entry'
  | 'inclusion'
  | 'tree_head'
  | 'checkpoint'
  | 'policy'
  | 'witnesses'
  | 'time'
  | 'consistency'
  | 'metadata_hash'
  | 'content_hash'
  | 'newest'

/**
 * A receipt does not prove what it should. Whatever it is about may stand in the registry: the
 * message says what is wrong with its proof. `evidence` has what was seen, to be kept and shown.
 */
export class VerificationError extends ArklogError {
  override readonly name = 'VerificationError'
  readonly step: VerificationStep
  readonly evidence: Readonly<Record<string, unknown>>

  constructor(
    step: VerificationStep,
    message: string,
    {
      evidence = {},
      cause,
    }: { readonly evidence?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super('verification_failed', message, { cause })
    this.step = step
    this.evidence = evidence
  }
}
