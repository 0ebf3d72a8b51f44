import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import { realmOf, type Realms } from '#src/use_cases/registry_edge.ts'
import { HttpError } from '#src/errors.ts'
import type { AdminBody, AdminReplies, AccountInfo } from '#src/admin/command_table.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { operator } from '#src/identity/store/owner_text.ts'

/** The commands of the admin socket on accounts. Every refusal is an HttpError. */
export class AccountCommands {
  readonly #realms: Realms
  readonly #environments: Environments

  constructor(realms: Realms, environments: Environments) {
    this.#realms = realms
    this.#environments = environments
  }

  async list({
    environment = 'live',
  }: AdminBody<'/accounts/list'>): Promise<AdminReplies['/accounts/list']> {
    const accounts = await this.#service(environment).accounts.list()
    const byAge = accounts.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    return { accounts: byAge.map((account) => this.#show(account, environment)) }
  }

  /** A link to set a password with; with `email`, for a person who has lost their account. */
  async resetLink(
    body: AdminBody<'/accounts/reset-link'>,
  ): Promise<AdminReplies['/accounts/reset-link']> {
    const { account: named, email } = body
    const { accounts, authUrl } = this.#service('live')
    const account =
      email === undefined ? this.#named(named, 'live') : await accounts.adopt(named, email)
    if (account === undefined) {
      const message = `${named} is no person without an account, or ${email} is not a free address`
      throw new HttpError('conflict', message)
    }
    const { token, expires_at } = await accounts.byLink.issueReset(account.ppid, operator)
    return { account: this.#show(account, 'live'), url: `${authUrl}/reset/${token}`, expires_at }
  }

  async invite(): Promise<AdminReplies['/accounts/invite']> {
    const { links, authUrl } = this.#service('live')
    const { token, expires_at } = await links.issue({ kind: 'invite' })
    return { url: `${authUrl}/sign-up?invite=${token}`, expires_at }
  }

  async setAdmin({
    account,
    admin,
  }: AdminBody<'/accounts/set-admin'>): Promise<AdminReplies['/accounts/set-admin']> {
    const { accounts, setup } = this.#service('live')
    const changed = await accounts.setAdmin(this.#named(account, 'live').ppid, admin, operator)
    if (admin) await setup.end()
    return { account: this.#show(changed, 'live') }
  }

  /** For who has lost device and recovery codes; every browser of theirs is signed out. */
  async endSecondFactor({
    account: named,
  }: AdminBody<'/accounts/end-second-factor'>): Promise<
    AdminReplies['/accounts/end-second-factor']
  > {
    const { secondFactors, sessions, mail } = this.#service('live')
    const account = this.#named(named, 'live')
    const ended = await secondFactors.end(account.ppid, operator)
    if (ended) {
      await sessions.endAll(account.ppid)
      mail.sendSecondFactorChanged(account, 'off')
    }
    return { account: this.#show(account, 'live'), ended }
  }

  async remove({
    environment = 'live',
    account,
  }: AdminBody<'/accounts/remove'>): Promise<AdminReplies['/accounts/remove']> {
    const { ppid } = this.#named(account, environment)
    await this.#service(environment).accounts.remove(ppid)
    return { ppid }
  }

  /** The account of a ppid or an e-mail address. */
  #named(text: string, environment: EnvironmentName): Account {
    const { accounts } = this.#service(environment)
    const account = text.includes('@') ? accounts.findByEmail(text) : accounts.find(text)
    if (account !== undefined) return account
    throw new HttpError('not_found', `There is no account ${text}`)
  }

  #service(environment: EnvironmentName): Realms['accounts'] {
    return realmOf(this.#realms, environment).accounts
  }

  #show(account: Account, environment: EnvironmentName): AccountInfo {
    const { ppid, state, email, email_verified, roles, created_at } = account
    const person = this.#environments[environment].people.read(ppid)
    const profile = person?.type === 'person' ? person.profile : account.joining
    return {
      ppid,
      state,
      name: profile?.name ?? null,
      username: profile?.username ?? null,
      email,
      email_verified,
      roles,
      created_at,
    }
  }
}
