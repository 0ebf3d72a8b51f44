import type { SignInMethod, WebSession } from '#src/identity/accounts/web_session.ts'

/** When and how a person has signed in, as the identity provider tells applications of it. */
export type AuthenticationContext = {
  /** `auth_time`: in whole seconds since 1970. */
  readonly ts: number
  /** The class of the authentication; absent where it is not known. */
  readonly acr?: string
  /** The methods (RFC 8176 §2); absent where they are not known. */
  readonly amr?: string[]
}

/**
 * The classes (`acr`) of a sign-in: with a passkey, which no other site can be shown (OpenID EAP
 * ACR Values 1.0 §2); with two factors (REFEDS MFA); with a password alone (SAML 2.0, §3.4.2 of its
 * authentication contexts).
 */
const classes = {
  passkey: 'phr',
  twoFactors: 'https://refeds.org/profile/mfa',
  password: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
} as const

/** All classes that a sign-in can have, the strongest first. */
export const authenticationClasses: readonly string[] = Object.values(classes)

// What somebody has shown to another provider, we are not told.
const methodNames: Readonly<Record<SignInMethod, readonly string[]>> = {
  password: ['pwd'],
  elsewhere: [],
  totp: ['otp'],
  recovery_code: ['otp'],
  passkey: ['pop'],
  device_passkey: ['hwk'],
  synced_passkey: ['swk'],
}

/** When and how the person of a session has signed in. */
export function authenticationOf({ created_at, methods = [] }: WebSession): AuthenticationContext {
  const ts = Math.floor(Date.parse(created_at) / 1_000)
  const names = [...new Set(methods.flatMap((method) => methodNames[method]))]
  // A passkey that signs in by itself is two factors: the device, and what it asked of its person.
  const hasPasskey = names.some((name) => name === 'pop' || name === 'hwk' || name === 'swk')
  const isTwo = hasPasskey || (methods.includes('password') && methods.length > 1)
  const acr = hasPasskey
    ? classes.passkey
    : isTwo
      ? classes.twoFactors
      : methods.includes('password')
        ? classes.password
        : undefined
  const amr = isTwo ? [...names, 'mfa'] : names
  return { ts, ...(acr !== undefined && { acr }), ...(amr.length > 0 && { amr }) }
}
