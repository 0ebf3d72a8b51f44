import type { People } from '#actors/people/port.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'
import {
  type Account,
  type AccountRows,
  emailTaken,
  invitationSpent,
  linkTaken,
  setupOver,
  usernameTaken,
} from '#src/identity/accounts/account.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** What became of accounts that were brought to the end of what was cut off. */
export type SettledAccounts = {
  /** Accounts whose person was made, or found, and those that were recovered. */
  readonly finished: readonly string[]
  /** Accounts that were given up, because their person cannot be made: nobody was told of them. */
  readonly dropped: readonly string[]
  /** Accounts whose removal was brought to its end. */
  readonly removed: readonly string[]
}

export type AccountRepair = SettledAccounts & {
  /** Persons without an account: an operator can make them one, with a reset link. */
  readonly orphans: readonly string[]
}

export type AccountLifecycleOptions = {
  readonly store: IdentityStore
  readonly rows: AccountRows
  readonly people: Pick<People, 'create' | 'erase' | 'read' | 'list'>
  readonly personKeys: PersonKeys
  readonly sessions: WebSessions
  readonly browsers: KnownBrowsers
  readonly links: OneTimeLinks
}

/** On which terms an account is made. */
export type JoiningTerms = {
  /** The token of an invitation, which is used up. */
  readonly invitation?: string
  /** Whether it is made only if nobody administers the registry. */
  readonly isFirstAdmin?: boolean
}

const peoplePage = 1_000

/**
 * How accounts come and go. An account and its person live in two stores, so they are made, and
 * erased, in an order that can be finished from wherever it was cut off: account `joining` and key,
 * then the person, then `active`; and `leaving`, then the person erased, then key and account gone.
 * A recovery that ends what was made before is `recovering` until all of it has ended.
 */
export class AccountLifecycle {
  readonly #options: AccountLifecycleOptions
  readonly #removalListeners: ((ppid: string) => Promise<void>)[] = []
  readonly #recoveryListeners: ((ppid: string) => Promise<void>)[] = []

  constructor(options: AccountLifecycleOptions) {
    this.#options = options
  }

  /** Called in order before a removal counts as done, and again if a crash came between. */
  onRemoval(listener: (ppid: string) => Promise<void>): void {
    this.#removalListeners.push(listener)
  }

  /** Called in order before a recovery counts as done, and again if a crash came between. */
  onRecovery(listener: (ppid: string) => Promise<void>): void {
    this.#recoveryListeners.push(listener)
  }

  /** Begins an account that is `joining`, and finishes it. Gives why it cannot be, if so. */
  async join(account: Account, terms: JoiningTerms): Promise<readonly FieldFault[]> {
    const fault = await this.#begin(account, terms)
    return fault === undefined ? this.#finishJoining(account) : [fault]
  }

  /** Brings an account to the end of what was cut off. */
  async settle(account: Account): Promise<void> {
    if (account.state === 'joining') await this.#finishJoining(account)
    if (account.state === 'leaving') await this.#finishLeaving(account)
    if (account.recovering === true) await this.#finishRecovering(account)
  }

  /** Brings every account to the end of what was cut off, and looks for persons without one. */
  async repair(): Promise<AccountRepair> {
    return { ...(await this.settleAll()), orphans: await this.#orphans() }
  }

  /** Brings every account to the end of what was cut off; what goes on meanwhile may go on. */
  async settleAll(): Promise<SettledAccounts> {
    const { rows } = this.#options
    const unsettled: Account[] = []
    for await (const account of rows.all()) {
      const isCutOff = account.state === 'joining' || account.state === 'leaving'
      if (isCutOff || account.recovering === true) unsettled.push(account)
    }
    const lists = { finished: [] as string[], dropped: [] as string[], removed: [] as string[] }
    for (const account of unsettled) {
      await this.settle(account)
      const end = rows.read(account.ppid)?.state
      const list = end === 'active' ? 'finished' : end === 'gone' ? 'removed' : 'dropped'
      lists[list].push(account.ppid)
    }
    return lists
  }

  async #orphans(): Promise<string[]> {
    const { people, rows } = this.#options
    const orphans: string[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: readonly string[] = await people.list({ after, limit: peoplePage })
      const alone = page.filter((ppid) => rows.read(ppid) === undefined)
      orphans.push(...alone.filter((ppid) => people.read(ppid)?.type === 'person'))
      after = page.at(-1)
    }
    return orphans
  }

  /** The first step: the account and the key of its person, in one change. */
  #begin(
    account: Account,
    { invitation, isFirstAdmin }: JoiningTerms,
  ): Promise<FieldFault | undefined> {
    const { store, rows, personKeys, links } = this.#options
    return store.inTurn(async () => {
      const { email, links: upstream } = account
      if (email !== null && rows.ppidOfEmail(email) !== undefined) return emailTaken
      if (upstream.some((link) => rows.ppidOfLink(link) !== undefined)) return linkTaken
      if (invitation !== undefined && links.read('invite', invitation) === undefined) {
        return invitationSpent
      }
      if (isFirstAdmin === true && (await rows.hasAdmin())) return setupOver
      const spent = invitation === undefined ? [] : [links.spend(invitation)]
      const key = personKeys.create(account.ppid)
      await store.commit([...rows.replace(undefined, account), key, ...spent])
      return undefined
    })
  }

  /** The second and third steps; the account is dropped if its person cannot be made. */
  async #finishJoining({ ppid, joining }: Account): Promise<readonly FieldFault[]> {
    const { people, rows } = this.#options
    const answer = await people.create({ ppid, by: personAgent(ppid), body: joining })
    if (answer.type === 'created' || answer.type === 'exists') {
      await this.#change(ppid, 'joining', (now) => {
        const { joining: _joining, ...account } = now
        return rows.replace(now, { ...account, state: 'active' })
      })
      return []
    }
    await this.#change(ppid, 'joining', (now) => rows.delete(now), 'with key')
    return answer.type === 'invalid' ? answer.faults : [usernameTaken]
  }

  /**
   * What the account is found by goes before the account itself, so that a removal that was cut off
   * still knows what to purge.
   */
  async #finishLeaving({ ppid }: Account): Promise<void> {
    const { people, rows, sessions, browsers, links } = this.#options
    await sessions.endAll(ppid)
    for (const listener of this.#removalListeners) await listener(ppid)
    const answer = await people.erase({ ppid, by: personAgent(ppid) })
    assert(answer.type !== 'forbidden', 'a person may leave')
    await this.#change(
      ppid,
      'leaving',
      async (now) => {
        const spent = await links.endings((purpose) => purpose.ppid === ppid)
        const left = rows.replace(undefined, blank(ppid, 'leaving'))
        return [...rows.delete(now), ...spent, ...browsers.endings(ppid), ...left]
      },
      'with key',
    )
    await this.#change(ppid, 'leaving', () => rows.replace(undefined, blank(ppid, 'gone')))
  }

  async #finishRecovering({ ppid }: Account): Promise<void> {
    for (const listener of this.#recoveryListeners) await listener(ppid)
    await this.#change(ppid, 'active', ({ recovering: _recovering, ...account }) => {
      return this.#options.rows.replace(account, account)
    })
  }

  /** Changes an account that is still in the state it was found in; with its key, both end. */
  async #change(
    ppid: string,
    state: Account['state'],
    change: (account: Account) => readonly Operation[] | Promise<readonly Operation[]>,
    end?: 'with key',
  ): Promise<void> {
    const { store, rows, personKeys } = this.#options
    await store.inTurn(async () => {
      const account = rows.read(ppid)
      if (account?.state !== state) return
      const operations = await change(account)
      if (end === undefined) return store.commit(operations)
      await store.commit([...operations, personKeys.destroy(ppid)])
      await store.purge([...rows.keysOf(account), personKeys.rowKey(ppid)])
    })
  }
}

function personAgent(ppid: string) {
  return { type: 'person', id: ppid, name: ppid, via: 'ui' } as const
}

/** All that stays of an account: that its ppid had one. */
function blank(ppid: string, state: 'leaving' | 'gone'): Account {
  return {
    ppid,
    state,
    email: null,
    email_verified: false,
    password: null,
    roles: [],
    links: [],
    created_at: '',
  }
}
