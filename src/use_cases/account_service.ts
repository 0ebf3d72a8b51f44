import type { Owner } from '#actors/values/agent.ts'
import type { SignUp } from '#config/schema.ts'
import type { Account } from '#src/identity/accounts/account.ts'
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

/** An address that works once. */
export type OneTimeUrl = { readonly url: string; readonly expires_at: string }

/** The address at which a person chooses a new password, once. */
export async function resetUrl(
  { accounts, authUrl }: AccountService,
  ppid: string,
  by: Owner,
): Promise<OneTimeUrl> {
  const { token, expires_at } = await accounts.byLink.issueReset(ppid, by)
  return { url: `${authUrl}/reset/${token}`, expires_at }
}

/** The address at which somebody can make an account, once. */
export async function invitationUrl({ links, authUrl }: AccountService): Promise<OneTimeUrl> {
  const { token, expires_at } = await links.issue({ kind: 'invite' })
  return { url: `${authUrl}/sign-up?invite=${token}`, expires_at }
}

/**
 * Ends the second step of the sign-in of a person who has lost device and recovery codes: they are
 * signed out everywhere, and told of it. False if the account has no second step.
 */
export async function endSecondStep(
  { secondFactors, sessions, mail }: AccountService,
  account: Account,
  by: Owner,
): Promise<boolean> {
  if (!(await secondFactors.end(account.ppid, by))) return false
  await sessions.endAll(account.ppid)
  mail.sendSecondFactorChanged(account, 'off')
  return true
}
