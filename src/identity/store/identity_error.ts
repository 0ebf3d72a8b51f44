import { CodedError } from '#log/tlog/errors.ts'

/** Every way in which the identity store refuses to work; tests assert the code and the message. */
export type IdentityErrorCode =
  | 'secret_mismatch'
  | 'keys_unwritable'
  | 'keys_rolled_back'
  | 'keys_inconsistent'
  | SharedIdentityErrorCode

/**
 * What only a store that several nodes share can fail with. For the caller: `identity_outrun`,
 * another node has changed something first, and what was read has to be judged again;
 * `identity_contended`, that went on for too long, and nothing was written; `identity_undecided`,
 * it is not known whether it was; `identity_stale`, this node has lost contact. For the operator,
 * and the node stops: `identity_rolled_back`, `identity_gap`, `identity_forked`.
 */
export type SharedIdentityErrorCode =
  | 'identity_outrun'
  | 'identity_contended'
  | 'identity_undecided'
  | 'identity_stale'
  | 'identity_rolled_back'
  | 'identity_gap'
  | 'identity_forked'

/** A fault of the identity store. `message` says what was wrong and what to do about it. */
export class IdentityError extends CodedError<IdentityErrorCode> {
  override readonly name: string = 'IdentityError'
}

const passing: readonly IdentityErrorCode[] = [
  'identity_outrun',
  'identity_contended',
  'identity_undecided',
  'identity_stale',
]

/** Whether what was asked of a store may be done a moment later, or may have been done. */
export function isPassingFault(error: unknown): boolean {
  return error instanceof IdentityError && passing.includes(error.code)
}
