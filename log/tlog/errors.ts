/** A fault: an error with a literal code, which is stable. `message` says what was wrong. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Every way in which the log refuses or fails; tests assert the code and the message. */
export type LogErrorCode =
  | 'malformed_base64'
  | 'malformed_note'
  | 'malformed_vkey'
  | 'malformed_private_key'
  | 'unverified_note'
  | 'malformed_checkpoint'
  | 'malformed_tile_path'
  | 'malformed_entry_bundle'
  | 'malformed_cosignature'
  | 'malformed_proof'
  | 'malformed_policy'
  | 'malformed_map_leaf'
  | 'quorum_missed'
  | 'proof_mismatch'
  | 'out_of_range'
  | 'entry_too_large'
  | 'store_missing'
  | 'store_locked'
  | 'store_corrupt'
  | 'store_full'
  | 'store_closed'
  | 'store_failed'
  | 'log_rolled_back'
  | 'log_inconsistent'

/** A fault of the log. `code` is stable; `message` says what was wrong and what would be right. */
export class LogError extends CodedError<LogErrorCode> {
  override readonly name: string = 'LogError'
}

/** Whether an error, or what caused it, says that rows of a store are damaged or lost. */
export function isDamage(error: unknown): boolean {
  if (error instanceof LogError) return error.code === 'store_corrupt'
  return error instanceof Error && error.cause !== undefined && isDamage(error.cause)
}

/** What `read` gives; undefined if it needs what is damaged: a list shows what is sound. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    return undefinedIfDamage(error)
  }
}

/** The same for a promise, as its `catch`. */
export function undefinedIfDamage(error: unknown): undefined {
  if (isDamage(error)) return undefined
  throw error
}

/** What `read` gives; undefined if it throws a LogError: the log does not take what was read. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof LogError) return undefined
    throw error
  }
}

/** Fails for our own bugs only: an assertion that does not hold is never the caller's input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
