import { CodedError, LogError, type LogErrorCode } from '#log/tlog/errors.ts'

/** Why an ask has no answer. A refusal by a rule is never one of these: that is an answer. */
export type ActorErrorCode = 'timeout' | 'overloaded' | 'stopped' | 'clock_wrong' | 'lost' | 'fault'

/**
 * A message was not handled, or its handling broke; then `cause` is the fault. After `timeout` and
 * `lost`, when the side that had it has ended, it may have been handled. `clock_wrong`: it would
 * have been dated wrongly, and nothing of it was written.
 */
export class ActorError extends CodedError<ActorErrorCode> {
  override readonly name: string = 'ActorError'
}

/** Whether something is the error of an ask that has no answer for this reason. */
export function isActorError(error: unknown, code: ActorErrorCode): boolean {
  return error instanceof ActorError && error.code === code
}

/** What is passed on stays as it is; anything else is a fault, which `message` tells of. */
export function asActorError(error: unknown, message: string): ActorError {
  return error instanceof ActorError ? error : new ActorError('fault', message, { cause: error })
}

/** Why a message was not handled. */
export type RefusalReason = 'overloaded' | 'stopped' | 'clock_wrong'

/** What the kernel tells its operator; `actor` is the actor's name, `message` a message's type. */
export type ActorReport =
  | {
      readonly type: 'fault'
      readonly actor: string
      readonly message: string
      readonly error: unknown
    }
  /** Nobody waits for an answer to this message, and it will not be handled. */
  | {
      readonly type: 'dead_letter'
      readonly actor: string
      readonly message: string
      readonly reason: RefusalReason
    }

/** A fault on its way to another side, as plain data. */
export type SentFault = {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly cause?: SentFault
}

/** Faults that lay behind one, at most. */
const causesMax = 4

/** What the other side is told of a fault. */
export function sentFault(fault: unknown, causes = causesMax): SentFault {
  if (!(fault instanceof Error)) return { name: 'Error', message: String(fault) }
  const { name, message, stack, cause } = fault
  const code = fault instanceof CodedError ? String(fault.code) : undefined
  const behind = cause !== undefined && causes > 0 ? sentFault(cause, causes - 1) : undefined
  return {
    name,
    message,
    ...(stack && { stack }),
    ...(code && { code }),
    ...(behind && { cause: behind }),
  }
}

/** What broke on the other side, with its name and stack as they were there. */
export function faultOf({ name, message, stack, code, cause }: SentFault): Error {
  const options = cause && { cause: faultOf(cause) }
  // Damage is told from other faults of the log by its class.
  if (name === 'LogError') {
    const fault = new LogError(code as LogErrorCode, message, options)
    return Object.assign(fault, stack && { stack })
  }
  const fault = new Error(message, options)
  return Object.assign(fault, { name, ...(stack && { stack }), ...(code && { code }) })
}
