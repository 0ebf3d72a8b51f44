import type { Profile } from '#actors/people/port.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { findLongMarkRun, normalForm } from '#actors/values/text.ts'
import type { Operation } from '#log/store/store.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/**
 * How far an account has come. `joining`: its person is not known to be in the journal yet;
 * `active`: it can be used; `leaving`: its person is being erased; `gone`: nothing personal is left
 * of it. A start and the next sign-in bring `joining` and `leaving` to their end.
 */
export type AccountState = 'joining' | 'active' | 'leaving' | 'gone'

/** What an account may do beyond its own affairs: `admin` may do what the operator may. */
export type Role = 'admin'

/** An account elsewhere that signs its person in: issuer and subject of an OpenID Provider. */
export type UpstreamLink = { readonly iss: string; readonly sub: string }

/** What a person is called when its account is made; afterwards the person's stream knows it. */
export type NewProfile = {
  readonly name: string
  readonly username?: string
  /** Who sees what, if they have said so. */
  readonly visibility?: Profile['visibility']
}

/** The account of a person, whose ppid is its id; it is held in sealed rows, and nowhere else. */
export type Account = {
  readonly ppid: string
  readonly state: AccountState
  /** As it was typed; null for an account that came from elsewhere without one. */
  readonly email: string | null
  readonly email_verified: boolean
  /** A PHC string of argon2id; null if the account has no password. */
  readonly password: string | null
  /** The tag of the language that its person reads; that of each page if they have chosen none. */
  readonly language?: string
  readonly roles: readonly Role[]
  readonly links: readonly UpstreamLink[]
  readonly created_at: string
  /** Of a test person: who has made them. */
  readonly made_by?: OwnerRef
  /** Only while `joining`: what its person will be made from. */
  readonly joining?: NewProfile
  /** Until all has ended that was made for the account before it was recovered. */
  readonly recovering?: true
}

/** Characters of an address, at most (RFC 5321 §4.5.3.1, as corrected). */
const emailCharactersMax = 254

// One mailbox as people write it: no comment, no quoting, nothing that ends a header line.
const mailbox = /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}$/u
const domain = /^(?!.*--?\.)(?!.*\.-)[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]*[\p{L}\p{N}]$/u

/** An address as it is kept, trimmed; undefined if the text is not an address. */
export function readEmail(text: string): string | undefined {
  const email = normalForm(text.trim(), 'NFC')
  if (email.length > emailCharactersMax || findLongMarkRun(email) >= 0) return undefined
  const [local = '', host = '', ...rest] = email.split('@')
  const isOne = rest.length === 0 && mailbox.test(local) && domain.test(host)
  return isOne && !host.includes('..') ? email : undefined
}

/** Addresses that are the same to people are the same text; never one to send mail to. */
export function foldEmail(email: string): string {
  return normalForm(email.trim(), 'NFKC').toLowerCase()
}

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

// What can be wrong with what is asked of an account, but for its password's rules.

export const wrongPassword: FieldFault = {
  field: 'current_password',
  code: 'wrong',
  message: 'This is not your current password.',
}

export const noEmail: FieldFault = {
  field: 'email',
  code: 'bad_value',
  message: 'Write one e-mail address, such as ada@example.org.',
}

export const emailTaken: FieldFault = {
  field: 'email',
  code: 'taken',
  message: 'There is an account with this e-mail address: sign in, or reset its password.',
}

export const linkTaken: FieldFault = {
  field: 'link',
  code: 'taken',
  message: 'This account elsewhere signs another person in already.',
}

export const usernameTaken: FieldFault = {
  field: 'username',
  code: 'taken',
  message: 'Somebody else has this username: choose another one.',
}

export const invitationSpent: FieldFault = {
  field: 'invitation',
  code: 'spent',
  message: 'This invitation was used or has expired: ask for another one.',
}

export const setupOver: FieldFault = {
  field: 'setup',
  code: 'spent',
  message: 'This registry has an administrator already.',
}
