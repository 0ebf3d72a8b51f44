import type { FieldFault } from '#actors/field_fault.ts'
import type { Account, NewProfile, UpstreamLink } from '#src/identity/account.ts'

/** The persons of the journal, as accounts need them. */
export type Persons = {
  /** Makes a person; one that is there already is as good as made. */
  create(ppid: string, profile: NewProfile): Promise<PersonCreation>
  /** Erases a person; one that is erased already is as good as erased. */
  erase(ppid: string): Promise<void>
  /** Whether there is such a person, not erased. */
  has(ppid: string): boolean
  /** Every person, not erased. */
  ppids(): AsyncIterable<string>
}

export type PersonCreation =
  | { readonly type: 'created' }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** An account that somebody wants, already checked to be wanted by who holds its credentials. */
export type NewAccount = NewProfile & {
  readonly email: string | null
  readonly email_verified?: boolean
  /** As it was typed; null for an account that only an upstream link signs in. */
  readonly password: string | null
  readonly link?: UpstreamLink
  readonly isAdmin?: boolean
}

export type SignUpAnswer =
  | { readonly type: 'signed_up'; readonly account: Account }
  /** Faults of `name`, `username`, `email`, `password`; a taken e-mail or username is one too. */
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

export type SignInAnswer =
  | { readonly type: 'signed_in'; readonly account: Account }
  /** No such account, or another password: nobody is told which. */
  | { readonly type: 'refused' }

/** Accounts by ppid; every change is durable when its promise resolves. */
export declare class Accounts {
  /** The account of a person, if it is active. */
  find(ppid: string): Account | undefined
  findByEmail(email: string): Account | undefined
  findByLink(link: UpstreamLink): Account | undefined
  /** Errors: HttpError `unavailable` when too many passwords wait to be hashed; so the next ones. */
  signUp(wish: NewAccount): Promise<SignUpAnswer>
  signIn(email: string, password: string): Promise<SignInAnswer>
  /** For an account that is signed in from elsewhere; undefined if the link is another's. */
  link(ppid: string, link: UpstreamLink): Promise<Account | undefined>
  unlink(ppid: string, link: UpstreamLink): Promise<Account>
  /** Faults of `current_password` and `new_password`, none if it was changed. */
  changePassword(ppid: string, current: string, next: string): Promise<readonly FieldFault[]>
  setAdmin(ppid: string, isAdmin: boolean): Promise<Account>
  /** Erases the person, then everything held of it: account, keys, sessions, grants. */
  remove(ppid: string): Promise<void>
  /** Called, once each, before a removal counts as done; may be called again after a crash. */
  onRemoval(listener: (ppid: string) => Promise<void>): void
}
