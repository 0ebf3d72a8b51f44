import type { Owner } from '#actors/values/agent.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'

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
