/**
 * How somebody showed who they are: by a password, a sign-in elsewhere, a code of an app, a
 * recovery code, or a passkey: one that stays on its device, or one that its person has on several.
 * Sign-ins that were noted before the two were told apart have `passkey`.
 */
export type SignInMethod =
  | 'password'
  | 'elsewhere'
  | 'totp'
  | 'recovery_code'
  | 'passkey'
  | 'device_passkey'
  | 'synced_passkey'

/** From where a session is begun. */
export type SessionOrigin = {
  readonly ip: string
  readonly userAgent: string
  readonly methods?: readonly SignInMethod[]
  /** The name of the provider that has said who it is. */
  readonly issuer?: string
}
