import type { Owner, OwnerRef } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { checkNewProfile } from '#actors/people/checks.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'
import {
  type Account,
  AccountRows,
  emailTaken,
  type NewProfile,
  noEmail,
  readEmail,
  type UpstreamLink,
  wrongPassword,
} from '#src/identity/accounts/account.ts'
import { AccountLinks } from '#src/identity/accounts/account_links.ts'
import {
  AccountLifecycle,
  type AccountLifecycleOptions,
  type AccountRepair,
  type SettledAccounts,
} from '#src/identity/accounts/account_lifecycle.ts'
import { type AuditAction, AuditLog } from '#src/identity/store/audit.ts'
import { passwordFault, type PasswordHasher } from '#src/identity/accounts/password_hash.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** An account that somebody wants. */
export type NewAccount = NewProfile & {
  /** Null only for an account that an upstream link signs in. */
  readonly email: string | null
  /** Whether somebody who is trusted says that the address is theirs. */
  readonly email_verified?: boolean
  /** As it was typed; null for an account that only an upstream link signs in. */
  readonly password: string | null
  /** The tag of the language that its person reads. */
  readonly language?: string
  readonly link?: UpstreamLink
  readonly isAdmin?: boolean
  /** Whether it is made only if nobody administers the registry: else a fault of `setup`. */
  readonly isFirstAdmin?: boolean
  /** Of a test person: who makes them. */
  readonly madeBy?: OwnerRef
  /** The token of an invitation, which is used up. */
  readonly invitation?: string
  /** From where somebody asks, by which passwords are hashed in turn. */
  readonly from?: string
}

export type SignUpAnswer =
  | { readonly type: 'signed_up'; readonly account: Account }
  /** Faults of `name`, `username`, `email`, `password`, `link`, `invitation`, `setup`. */
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

export type SignInAnswer =
  | { readonly type: 'signed_in'; readonly account: Account }
  /** No such account, or another password: nobody is told which. */
  | { readonly type: 'refused' }

export type AccountsOptions = Omit<AccountLifecycleOptions, 'rows'> & {
  readonly hasher: PasswordHasher
  readonly clock: Clock
  /** A ppid that nobody has. */
  readonly mintPpid: () => string
}

/** By whose hand an address is replaced, or the hash that the account must still have. */
type GivenEmail = {
  readonly hand?: { readonly by: Owner; readonly because: string } | undefined
  readonly password?: string | null
}

/**
 * Accounts by ppid: every change is durable when its promise resolves. What hashes a password
 * throws HttpError `unavailable` when too many wait for theirs.
 */
export class Accounts {
  /** What the holders of one-time links may do. */
  readonly byLink: AccountLinks
  readonly #options: AccountsOptions
  readonly #rows: AccountRows
  readonly #lifecycle: AccountLifecycle
  readonly #audit: AuditLog

  constructor(options: AccountsOptions) {
    this.#options = options
    this.#rows = new AccountRows(options.store)
    this.#audit = new AuditLog(options.store)
    this.#lifecycle = new AccountLifecycle({ ...options, rows: this.#rows })
    this.byLink = new AccountLinks({
      ...options,
      rows: this.#rows,
      lifecycle: this.#lifecycle,
      note: (ppid, action, by) => this.#note(ppid, action, by),
    })
  }

  /** The account of a person, if it is active. */
  find(ppid: string): Account | undefined {
    const account = this.#rows.read(ppid)
    return account?.state === 'active' ? account : undefined
  }

  /** The active account with an e-mail address, in whatever case. */
  findByEmail(email: string): Account | undefined {
    return this.#findIf(this.#rows.ppidOfEmail(email))
  }

  /** The active account that an account elsewhere signs in. */
  findByLink(link: UpstreamLink): Account | undefined {
    return this.#findIf(this.#rows.ppidOfLink(link))
  }

  /** Every account that is not gone, in no order that means anything. */
  async list(): Promise<readonly Account[]> {
    const accounts: Account[] = []
    for await (const account of this.#rows.all()) {
      if (account.state !== 'gone') accounts.push(account)
    }
    return accounts
  }

  /** Whether anybody administers the registry, or is about to. */
  hasAdmin(): Promise<boolean> {
    return this.#rows.hasAdmin()
  }

  /** Makes an account with its person. */
  async signUp(newAccount: NewAccount): Promise<SignUpAnswer> {
    const profile = checkNewProfile(profileOf(newAccount))
    const faults = [
      ...(profile.type === 'ok' ? [] : profile.faults),
      ...credentialFaults(newAccount),
    ]
    if (faults.length > 0) return { type: 'invalid', faults }
    const { password, from = '' } = newAccount
    const hash = password === null ? null : await this.#options.hasher.hash(password, from)
    const joining = this.#newAccount(newAccount, hash)
    const refusals = await this.#lifecycle.join(joining, newAccount)
    if (refusals.length > 0) return { type: 'invalid', faults: refusals }
    return { type: 'signed_up', account: this.#known(joining.ppid) }
  }

  /**
   * Who an e-mail address and password belong to. Takes as long whether or not there is one. `from`
   * as in `NewAccount`.
   */
  async signIn(email: string, password: string, from = ''): Promise<SignInAnswer> {
    const { hasher } = this.#options
    const found = this.#readIf(this.#rows.ppidOfEmail(email))
    const hash = found?.password ?? null
    const isRight = await hasher.verify(password, hash, from)
    if (!isRight || found === undefined) return { type: 'refused' }
    await this.#lifecycle.settle(found)
    const account = this.find(found.ppid)
    // It may have been removed, or given another password, while this one was verified.
    if (account?.password !== hash || hash === null) return { type: 'refused' }
    if (!hasher.isOutdated(hash)) return { type: 'signed_in', account }
    const renewed = await hasher.hash(password, from)
    return {
      type: 'signed_in',
      account: await this.#change(account.ppid, (now) =>
        now.password === hash ? { ...now, password: renewed } : now,
      ),
    }
  }

  /** Whether a password is that of an account; never, if it has none. `from` as in `NewAccount`. */
  async hasPassword(ppid: string, password: string, from = ''): Promise<boolean> {
    const hash = this.find(ppid)?.password ?? null
    const isRight = await this.#options.hasher.verify(password, hash, from)
    return isRight && hash !== null && this.find(ppid)?.password === hash
  }

  /** Who an account elsewhere signs in, after its provider has said so. */
  async signInByLink(link: UpstreamLink): Promise<SignInAnswer> {
    const found = this.#readIf(this.#rows.ppidOfLink(link))
    if (found !== undefined) await this.#lifecycle.settle(found)
    const account = this.findByLink(link)
    return account === undefined ? { type: 'refused' } : { type: 'signed_in', account }
  }

  /** Lets an account elsewhere sign this one in; undefined if it signs another in already. */
  link(ppid: string, link: UpstreamLink): Promise<Account | undefined> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const holder = this.#rows.ppidOfLink(link)
      const account = this.#known(ppid)
      if (holder !== undefined) return holder === ppid ? account : undefined
      const linked = { ...account, links: [...account.links, link] }
      await store.commit(this.#rows.replace(account, linked))
      return linked
    })
  }

  /** Takes a link away, unless it is all that signs the account in. */
  unlink(ppid: string, { iss, sub }: UpstreamLink): Promise<Account> {
    return this.#change(ppid, (account) => {
      const links = account.links.filter((link) => link.iss !== iss || link.sub !== sub)
      return account.password === null && links.length === 0 ? account : { ...account, links }
    })
  }

  /** Keeps which language the person of an account reads, by its tag. */
  setLanguage(ppid: string, language: string): Promise<Account> {
    return this.#change(ppid, (account) => ({ ...account, language }))
  }

  /** Gives an account the rights of an administrator, or takes them. */
  setAdmin(ppid: string, isAdmin: boolean, by: Owner): Promise<Account> {
    const action = isAdmin ? 'made_admin' : 'admin_ended'
    return this.#change(
      ppid,
      (account) => ({ ...account, roles: isAdmin ? ['admin'] : [] }),
      () => this.#note(ppid, action, by),
    )
  }

  /** Signs an account out everywhere. */
  endSessions(ppid: string, by: Owner): Promise<void> {
    const { sessions, store } = this.#options
    return store.inTurn(async () => {
      const noted = await this.#note(ppid, 'sessions_ended', by)
      await store.commit([...sessions.endings(ppid), ...noted])
    })
  }

  /**
   * Changes a password, ends all sessions but one and all links to set another, and forgets all
   * browsers. An account without a password is given its first one, and `current` is not looked at.
   * Gives faults of `current_password`, `new_password`.
   */
  async changePassword(change: {
    readonly ppid: string
    readonly current: string
    readonly next: string
    readonly keepSession: string
    readonly from?: string
  }): Promise<readonly FieldFault[]> {
    const { ppid, current, next, keepSession, from = '' } = change
    const { browsers, hasher, links, sessions, store } = this.#options
    const account = this.#known(ppid)
    const { password: hash } = account
    if (hash !== null && !(await hasher.verify(current, hash, from))) return [wrongPassword]
    const fault = passwordFault(next, 'new_password', [account.email])
    if (fault !== undefined) return [fault]
    const password = await hasher.hash(next, from)
    return store.inTurn(async () => {
      const now = this.#known(ppid)
      // A reset may have come between.
      if (now.password !== account.password) return [wrongPassword]
      const changed = this.#rows.replace(now, { ...now, password })
      const noted = await this.#note(ppid, 'password_changed')
      const spent = await links.endings((link) => link.kind === 'reset' && link.ppid === ppid)
      const ended = [...sessions.endings(ppid, keepSession), ...browsers.endings(ppid)]
      await store.commit([...changed, ...spent, ...ended, ...noted])
      return []
    })
  }

  /**
   * Gives an account another address, which is not verified; who knows the password may. Links that
   * were sent to the old one are of no use any more. Gives faults of `current_password`, `email`.
   */
  async changeEmail(change: {
    readonly ppid: string
    readonly current: string
    readonly email: string
    readonly from?: string
  }): Promise<readonly FieldFault[]> {
    const { ppid, current, email, from = '' } = change
    if (readEmail(email) === undefined) return [noEmail]
    const { password: hash } = this.#known(ppid)
    const { hasher } = this.#options
    if (hash !== null && !(await hasher.verify(current, hash, from))) return [wrongPassword]
    return this.#giveEmail(ppid, email, { password: hash })
  }

  /**
   * Gives an account another address, which is not verified. An administrator does it for somebody
   * who has lost theirs, and says how they proved who they are: then all browsers are signed out.
   * Gives faults of `email`.
   */
  replaceEmail(
    ppid: string,
    text: string,
    hand?: { readonly by: Owner; readonly because: string },
  ): Promise<readonly FieldFault[]> {
    return this.#giveEmail(ppid, text, { hand })
  }

  #giveEmail(
    ppid: string,
    text: string,
    { hand, password }: GivenEmail,
  ): Promise<readonly FieldFault[]> {
    const { sessions, store } = this.#options
    const email = readEmail(text)
    if (email === undefined) return Promise.resolve([noEmail])
    return store.inTurn(async () => {
      const now = this.#known(ppid)
      // A reset may have come between.
      if (password !== undefined && now.password !== password) return [wrongPassword]
      const holder = this.#rows.ppidOfEmail(email)
      if (holder !== undefined && holder !== ppid) return [emailTaken]
      const changed = this.#rows.replace(now, { ...now, email, email_verified: false })
      const noted = await this.#note(ppid, 'address_changed', hand?.by, hand?.because)
      const ended = hand === undefined ? [] : sessions.endings(ppid)
      await store.commit([...changed, ...ended, ...noted])
      return []
    })
  }

  /**
   * Makes an account for a person that has lost theirs; a reset link then gives it a password.
   * Undefined if there is no such person, they have an account, or the address is not free.
   */
  adopt(ppid: string, text: string): Promise<Account | undefined> {
    const { store, people, personKeys } = this.#options
    return store.inTurn(async () => {
      const email = readEmail(text)
      if (email === undefined || this.#rows.ppidOfEmail(email) !== undefined) return undefined
      const isAlone = this.#rows.read(ppid) === undefined
      if (!isAlone || people.read(ppid)?.type !== 'person') return undefined
      const { joining: _joining, ...made } = this.#newAccount(
        { name: '', email, password: null },
        null,
      )
      const account: Account = { ...made, ppid, state: 'active' }
      const keyRows = personKeys.has(ppid) ? [] : [personKeys.create(ppid)]
      await store.commit([...this.#rows.replace(undefined, account), ...keyRows])
      return account
    })
  }

  /** Erases the person, then everything held of it: sessions, links, key, account; once. */
  async remove(ppid: string): Promise<void> {
    const { store } = this.#options
    const leaving = await store.inTurn(async () => {
      const account = this.find(ppid)
      // Somebody else has removed it just now.
      if (account === undefined) return undefined
      const changed = { ...account, state: 'leaving' } as const
      await store.commit(this.#rows.replace(account, changed))
      return changed
    })
    if (leaving !== undefined) await this.#lifecycle.settle(leaving)
  }

  /** Called in order before a removal counts as done, and again if a crash came between. */
  onRemoval(listener: (ppid: string) => Promise<void>): void {
    this.#lifecycle.onRemoval(listener)
  }

  /**
   * Called in order when an account is recovered whose address nobody had confirmed: ends what was
   * made for it before. Called again if a crash came between.
   */
  onRecovery(listener: (ppid: string) => Promise<void>): void {
    this.#lifecycle.onRecovery(listener)
  }

  /** Brings every account to the end of what a crash has cut off; once, at the start. */
  repair(): Promise<AccountRepair> {
    return this.#lifecycle.repair()
  }

  /** The same without a search for persons who have no account; after a thread has died. */
  settleAll(): Promise<SettledAccounts> {
    return this.#lifecycle.settleAll()
  }

  #newAccount(newAccount: NewAccount, password: string | null): Account {
    return {
      ppid: this.#options.mintPpid(),
      state: 'joining',
      email: newAccount.email === null ? null : (readEmail(newAccount.email) ?? null),
      email_verified: newAccount.email_verified ?? false,
      password,
      ...(newAccount.language !== undefined && { language: newAccount.language }),
      roles: newAccount.isAdmin === true ? ['admin'] : [],
      links: newAccount.link === undefined ? [] : [newAccount.link],
      ...(newAccount.madeBy && { made_by: newAccount.madeBy }),
      created_at: formatTimestamp(this.#options.clock.nowMs()),
      joining: profileOf(newAccount),
    }
  }

  #change(
    ppid: string,
    change: (account: Account) => Account,
    note: () => Promise<Operation[]> = async () => [],
  ): Promise<Account> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const account = this.#known(ppid)
      const changed = change(account)
      if (changed === account) return account
      await store.commit([...this.#rows.replace(account, changed), ...(await note())])
      return changed
    })
  }

  /** Rows that tell the person what happened to the account. */
  #note(ppid: string, action: AuditAction, by?: Owner, because?: string): Promise<Operation[]> {
    const owner = { type: 'person', id: ppid } as const
    const at = formatTimestamp(this.#options.clock.nowMs())
    const why = because !== undefined && { because }
    return this.#audit.rows([{ owner, at, action, by: by ?? { ...owner, name: ppid }, ...why }])
  }

  #known(ppid: string): Account {
    const account = this.find(ppid)
    assert(account !== undefined, 'who changes an account has one that is active')
    return account
  }

  #findIf(ppid: string | undefined): Account | undefined {
    return ppid === undefined ? undefined : this.find(ppid)
  }

  #readIf(ppid: string | undefined): Account | undefined {
    return ppid === undefined ? undefined : this.#rows.read(ppid)
  }
}

function profileOf({ name, username, visibility }: NewProfile): NewProfile {
  return { name, ...(username !== undefined && { username }), ...(visibility && { visibility }) }
}

/** What is wrong with the e-mail and password of a new account. */
function credentialFaults({ email, password, name, username }: NewAccount): FieldFault[] {
  const faults: FieldFault[] = []
  if (email !== null && readEmail(email) === undefined) faults.push(noEmail)
  const known = [email, name, username]
  const fault = password === null ? undefined : passwordFault(password, 'password', known)
  return fault === undefined ? faults : [...faults, fault]
}
