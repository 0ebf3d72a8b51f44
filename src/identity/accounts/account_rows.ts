import type { Operation } from '#log/base/store.ts'
import { type Account, foldEmail, type UpstreamLink } from '#src/identity/accounts/account.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** The rows of accounts, and the two ways in which an account is found but by its ppid. */
export class AccountRows {
  readonly #accounts: SealedRows<Account>
  readonly #emails: SealedRows<string>
  readonly #links: SealedRows<string>

  constructor(store: IdentityStore) {
    this.#accounts = new SealedRows(store, 'account')
    this.#emails = new SealedRows(store, 'account_email')
    this.#links = new SealedRows(store, 'account_link')
  }

  /** The account of a ppid in whatever state. */
  read(ppid: string): Account | undefined {
    return this.#accounts.read(ppid)
  }

  /** The ppid of the account that has an e-mail address, in whatever case it is written. */
  ppidOfEmail(email: string): string | undefined {
    return this.#emails.read(foldEmail(email))
  }

  /** The ppid of the account that an account elsewhere signs in. */
  ppidOfLink(link: UpstreamLink): string | undefined {
    return this.#links.read(linkId(link))
  }

  /** Every account, those that are gone included. */
  async *all(): AsyncGenerator<Account> {
    for await (const [, account] of this.#accounts.entries()) yield account
  }

  /** Whether anybody administers the registry, or is about to. */
  async hasAdmin(): Promise<boolean> {
    for await (const { state, roles } of this.all()) {
      if (state !== 'gone' && roles.includes('admin')) return true
    }
    return false
  }

  /** Writes an account, and makes it found by what it has now and no longer by what it had. */
  replace(before: Account | undefined, after: Account): Operation[] {
    return [
      ...(before === undefined ? [] : this.#unlist(before)),
      this.#accounts.put(after.ppid, after),
      ...(after.email === null ? [] : [this.#emails.put(foldEmail(after.email), after.ppid)]),
      ...after.links.map((link) => this.#links.put(linkId(link), after.ppid)),
    ]
  }

  /** Leaves nothing of an account. */
  delete(account: Account): Operation[] {
    return [...this.#unlist(account), this.#accounts.delete(account.ppid)]
  }

  /** The keys of all rows of an account, to be purged. */
  keysOf(account: Account): string[] {
    return this.delete(account).map(({ key }) => key)
  }

  #unlist({ email, links }: Account): Operation[] {
    return [
      ...(email === null ? [] : [this.#emails.delete(foldEmail(email))]),
      ...links.map((link) => this.#links.delete(linkId(link))),
    ]
  }
}

// No issuer has a NUL, so no two links have the same id.
function linkId({ iss, sub }: UpstreamLink): string {
  return `${iss}\0${sub}`
}
