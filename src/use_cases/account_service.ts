import type { SignUp } from '#config/schema.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { KnownBrowsers } from '#src/identity/accounts/known_browser.ts'
import type { MemberInvitations } from '#src/identity/accounts/member_invitations.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import type { Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { SetupToken } from '#src/identity/accounts/setup_token.ts'
import type { WebSessions } from '#src/identity/accounts/web_session.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'

/** Everything about accounts that the pages and the commands use. */
export type AccountService = {
  readonly accounts: Accounts
  readonly sessions: WebSessions
  readonly browsers: KnownBrowsers
  readonly links: OneTimeLinks
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly readNotices: ReadNotices
  readonly mail: AccountMail
  readonly setup: SetupToken
  readonly requests: OrganizationRequests
  readonly invitations: MemberInvitations
  readonly signUp: SignUp
  /** Whether nobody administers the registry without a second step of the sign-in. */
  readonly adminsNeedSecondStep: boolean
  /** The public address of the pages and of the provider, without a slash at its end. */
  readonly authUrl: string
  /** 32 secret bytes from which the tokens of forms are made. */
  readonly csrfKey: Uint8Array
}

/** The address of the set-up, as long as nobody administers the registry. */
export function setupUrl({ setup, authUrl }: AccountService): string | undefined {
  return setup.token === undefined ? undefined : `${authUrl}/setup/${setup.token}`
}
