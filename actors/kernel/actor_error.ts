import { CodedError } from '#log/base/errors.ts'

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

/** What is passed on stays as it is; anything else is a fault, which `message` tells of. */
export function asActorError(error: unknown, message: string): ActorError {
  return error instanceof ActorError ? error : new ActorError('fault', message, { cause: error })
}
