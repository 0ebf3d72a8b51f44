import type { Config } from '#config/schema.ts'
import { HttpError } from '#src/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { SetupToken } from '#src/identity/accounts/setup_token.ts'
import type { AccountMail } from '#src/mail/account_mail.ts'
import type { PageReply, Pages, Visit } from '#src/web/kit/pages.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { home } from '#src/web/kit/return_path.ts'

/** What the pages need by which people come in: set-up, sign-up, sign-in, reset, verification. */
export type Entrance = {
  readonly accounts: Accounts
  readonly links: OneTimeLinks
  readonly mail: AccountMail
  readonly setup: SetupToken
  readonly signUp: Config['SIGN_UP']
  /** Accounts elsewhere that sign people in: a name, and a path below the prefix. */
  readonly upstreams: readonly { readonly name: string; readonly path: string }[]
}

/** Where a form, or the address of its page, says to go on; `home` if nowhere of ours. */
export function returnTo(pages: Pages, given: string | null | undefined): string {
  return pages.readReturnTo(given) ?? home
}

/** The query that carries where to go on from one page to the next; empty for `home`. */
export function returnQuery(pages: Pages, given: string | null | undefined): string {
  const path = pages.readReturnTo(given)
  return path === undefined ? '' : `?${new URLSearchParams({ return_to: pages.prefix + path })}`
}

/** What is answered to a one-time link that is good for nothing any more. */
export function linkOver(): HttpError {
  return new HttpError('gone', 'This link was used already, or its time is over: ask for a new one')
}

/** A fault in the words of a page: what programs may leave out, its form must have. */
export function asPersonFault(fault: FieldFault): FieldFault {
  const isNameless = fault.field === 'name' && fault.code === 'empty'
  return isNameless ? { ...fault, message: 'Write your name.' } : fault
}

/** Signs in who an account is of, and sends them on. */
export async function enter(
  pages: Pages,
  visit: Visit,
  account: Account,
  to: string,
): Promise<PageReply> {
  await pages.signIn(visit, account.ppid)
  return { redirect: to }
}
