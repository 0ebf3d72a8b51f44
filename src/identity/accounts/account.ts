import type { Profile } from '#actors/people/port.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import { findLongMarkRun, normalForm } from '#actors/values/text.ts'

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
