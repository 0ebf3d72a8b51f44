import test from 'ava'

import type { SignInMethod, WebSession } from '#src/identity/accounts/web_session.ts'
import { authenticationOf } from '#src/identity/oauth/authentication_context.ts'

const refeds = 'https://refeds.org/profile/mfa'
const password = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

const told: readonly (readonly [readonly SignInMethod[], string | undefined, string[]?])[] = [
  [['password'], password, ['pwd']],
  [['password', 'totp'], refeds, ['pwd', 'otp', 'mfa']],
  [['password', 'recovery_code'], refeds, ['pwd', 'otp', 'mfa']],
  [['device_passkey'], 'phr', ['hwk', 'mfa']],
  [['synced_passkey'], 'phr', ['swk', 'mfa']],
  [['password', 'synced_passkey'], 'phr', ['pwd', 'swk', 'mfa']],
  [['passkey'], 'phr', ['pop', 'mfa']],
  // Nobody knows what was shown elsewhere.
  [['elsewhere'], undefined],
  [['elsewhere', 'totp'], undefined, ['otp']],
]

test('what a person has shown has a class and the names of RFC 8176', (t) => {
  const session = { created_at: '2026-01-01T00:00:01.999Z' } as WebSession
  const ts = Date.parse('2026-01-01T00:00:01.000Z') / 1_000
  t.deepEqual(authenticationOf(session), { ts })
  for (const [methods, acr, amr] of told) {
    const expected = { ts, ...(acr && { acr }), ...(amr && { amr }) }
    t.deepEqual(authenticationOf({ ...session, methods }), expected, methods.join())
  }
})
