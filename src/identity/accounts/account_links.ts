import type { Owner } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Operation } from '#log/store/store.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type {
  AccountLifecycle,
  AccountLifecycleOptions,
} from '#src/identity/accounts/account_lifecycle.ts'
import { passwordFault, type PasswordHasher } from '#src/identity/accounts/password_hash.ts'
import type { AuditAction } from '#src/identity/store/audit.ts'
import type { IssuedLink, LinkPurpose } from '#src/identity/accounts/one_time_links.ts'

export type AccountLinksOptions = Omit<AccountLifecycleOptions, 'people' | 'personKeys'> & {
  readonly lifecycle: AccountLifecycle
  readonly hasher: PasswordHasher
  /** Rows that tell a person what happened to their account, and by whom; called in turn. */
  readonly note: (ppid: string, action: AuditAction, by?: Owner) => Promise<Operation[]>
}

/** What the holder of a one-time link may do with an account: recover it, confirm its address. */
export class AccountLinks {
  readonly #options: AccountLinksOptions

  constructor(options: AccountLinksOptions) {
    this.#options = options
  }

  /** Makes a link to set a password with, to be handed on; the audit list says by whom. */
  async issueReset(ppid: string, by: Owner): Promise<IssuedLink> {
    const { links, note, store } = this.#options
    await store.inTurn(async () => store.commit(await note(ppid, 'reset_link_made', by)))
    return links.issue({ kind: 'reset', ppid })
  }

  /** The account that a link to set a password is for, if the link is still good. */
  ofReset(token: string): Account | undefined {
    return this.#ofLink('reset', token)?.account
  }

  /**
   * Sets the password that a link is for; ends all sessions and all such links, and forgets all
   * browsers. If the address was never confirmed, somebody else may have made the account: then
   * everything else that acts for it or signs it in ends too. Gives the faults of `new_password`;
   * undefined if the link is no longer good.
   */
  async resetPassword(
    token: string,
    next: string,
    from = '',
  ): Promise<readonly FieldFault[] | undefined> {
    const { browsers, hasher, lifecycle, links, note, rows, sessions, store } = this.#options
    const account = this.ofReset(token)
    if (account === undefined) return undefined
    const fault = passwordFault(next, 'new_password', [account.email])
    if (fault !== undefined) return [fault]
    const password = await hasher.hash(next, from)
    const recovered = await store.inTurn(async () => {
      // The link may have been used meanwhile.
      const found = this.#ofLink('reset', token)
      if (found === undefined) return undefined
      const { account: now, purpose } = found
      const email_verified = now.email_verified || isSentTo(purpose, now)
      const spent = await links.endings(({ kind, ppid }) => kind === 'reset' && ppid === now.ppid)
      const changed: Account = {
        ...now,
        password,
        email_verified,
        ...(isUnconfirmed(now) && { links: [], recovering: true }),
      }
      const noted = await note(now.ppid, 'password_changed')
      const ended = [...sessions.endings(now.ppid), ...browsers.endings(now.ppid)]
      await store.commit([...rows.replace(now, changed), ...spent, ...ended, ...noted])
      return changed
    })
    if (recovered === undefined) return undefined
    await lifecycle.settle(recovered)
    return []
  }

  /** The account whose password a link lets a browser try, if the link is still good. */
  ofUnlock(token: string): Account | undefined {
    return this.#ofLink('unlock', token)?.account
  }

  /** Uses such a link up; gives its account, or undefined if the link is no longer good. */
  unlock(token: string): Promise<Account | undefined> {
    const { links, store } = this.#options
    return store.inTurn(async () => {
      const account = this.ofUnlock(token)
      if (account !== undefined) await store.commit([links.spend(token)])
      return account
    })
  }

  /** The account whose address a link verifies, if the link is still good. */
  ofVerification(token: string): Account | undefined {
    const found = this.#ofLink('verify', token)
    return found !== undefined && isSentTo(found.purpose, found.account) ? found.account : undefined
  }

  /** Notes that an address is its account's; false if the link is no longer good. */
  verifyEmail(token: string): Promise<boolean> {
    const { links, rows, store } = this.#options
    return store.inTurn(async () => {
      const account = this.ofVerification(token)
      if (account === undefined) return false
      const changed = rows.replace(account, { ...account, email_verified: true })
      await store.commit([...changed, links.spend(token)])
      return true
    })
  }

  #ofLink(kind: LinkPurpose['kind'], token: string) {
    const { links, rows } = this.#options
    const purpose = links.read(kind, token)
    const account = purpose?.ppid === undefined ? undefined : rows.read(purpose.ppid)
    if (purpose === undefined || account?.state !== 'active') return undefined
    // Who has an address no longer must not get in by what was once sent to it.
    const isStale = purpose.email !== undefined && !isSentTo(purpose, account)
    return isStale ? undefined : { purpose, account }
  }
}

/** Whether an account has an address of which nobody has shown that it is theirs. */
export function isUnconfirmed({ email, email_verified }: Account): boolean {
  return email !== null && !email_verified
}

/** Whether a link was sent to the address that the account has now. */
function isSentTo({ email }: LinkPurpose, account: Account): boolean {
  return email !== undefined && email === account.email
}
