/**
 * How somebody showed who they are: by a password, a sign-in elsewhere, a code of an app, a
 * recovery code, or a passkey.
 */
export type SignInMethod = 'password' | 'elsewhere' | 'totp' | 'recovery_code' | 'passkey'

/** From where a session is begun. */
export type SessionOrigin = {
  readonly ip: string
  readonly userAgent: string
  readonly methods?: readonly SignInMethod[]
  /** The name of the provider that has said who it is. */
  readonly issuer?: string
}
