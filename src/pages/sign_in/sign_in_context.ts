import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { SignUp } from '#config/schema.ts'
import { HttpError } from '#src/errors.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { SetupToken } from '#src/identity/accounts/setup_token.ts'
import type { WebSessions } from '#src/identity/accounts/web_session.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'

/** What the pages of set-up, sign-up, sign-in, password reset and verification work with. */
export type SignInContext = {
  readonly accounts: Accounts
  readonly links: OneTimeLinks
  readonly passkeys: Passkeys
  readonly sessions: WebSessions
  readonly mail: AccountMail
  readonly setup: SetupToken
  readonly signUp: SignUp
  readonly environment: EnvironmentName
  /** Accounts elsewhere that sign people in: a name, and a path below the prefix. */
  readonly upstreams: readonly { readonly name: string; readonly path: string }[]
}

/** The answer to a one-time link that was used already or has expired. */
export function expiredLink(): HttpError {
  return new HttpError('gone', 'This link was used already, or its time is over: ask for a new one')
}
