import { CodedError } from '#log/errors.ts'

/** Every way in which the identity store refuses to work; tests assert the code and the message. */
export type IdentityErrorCode =
  | 'secret_mismatch'
  | 'keys_unwritable'
  | 'keys_rolled_back'
  | 'keys_inconsistent'

/** A fault of the identity store. `message` says what was wrong and what to do about it. */
export class IdentityError extends CodedError<IdentityErrorCode> {
  override readonly name: string = 'IdentityError'
}
