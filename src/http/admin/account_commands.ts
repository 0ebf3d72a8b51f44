import { Type } from 'typebox'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { type AdminRegistry, command, environment } from '#src/http/admin/command.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { endSecondStep, invitationUrl, resetUrl } from '#src/use_cases/account_service.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'

/** A ppid or an e-mail address. */
const account = Type.String({ minLength: 1, maxLength: 254 })

/** An account as an operator sees it. */
export type AccountInfo = ReturnType<typeof accountReply>

const address = Type.String({ minLength: 3, maxLength: 254, pattern: '@' })

/** The commands on mails: addresses to which no news go, as after a bounce. */
export const mailCommands = {
  '/mails/suppressed': command({}, async ({ accounts }) => ({
    addresses: await accounts.mailLog.suppressed(),
  })),
  '/mails/suppress': command(
    { address, reason: Type.String({ minLength: 1, maxLength: 200 }) },
    async ({ accounts }, { address: to, reason }) => ({
      suppressed: await accounts.mailLog.suppress(to, reason.replaceAll(/\s+/g, ' ')),
    }),
  ),
  '/mails/allow': command({ address }, async ({ accounts }, { address: to }) => {
    if (!accounts.mailLog.isSuppressed(to)) {
      throw new HttpError('not_found', `News go to ${to} already`)
    }
    await accounts.mailLog.lift(to)
    return { address: to }
  }),
}

/** The commands on the accounts of people. */
export const accountCommands = {
  '/accounts/list': command({ environment }, async (registry, { environment: name = 'live' }) => {
    const accounts = await realmOf(registry, name).accounts.accounts.list()
    const byAge = accounts.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    return { accounts: byAge.map((each) => accountReply(registry, each, name)) }
  }),
  /** With `email`, for a person who has lost their account. */
  '/accounts/reset-link': command(
    { account, email: Type.Optional(account) },
    async (registry, { account: text, email }) => {
      const { accounts: service } = registry
      const found =
        email === undefined
          ? namedAccount(registry, text)
          : await service.accounts.adopt(text, email)
      if (found === undefined) {
        const message = `${text} is no person without an account, or ${email} is not a free address`
        throw new HttpError('conflict', message)
      }
      const link = await resetUrl(service, found.ppid, operator)
      return { account: accountReply(registry, found), ...link }
    },
  ),
  '/accounts/invite': command({}, ({ accounts }) => invitationUrl(accounts)),
  '/accounts/set-admin': command(
    { account, admin: Type.Boolean() },
    async (registry, { account: text, admin }) => {
      const { accounts, setup } = registry.accounts
      const { ppid } = namedAccount(registry, text)
      const changed = await accounts.setAdmin(ppid, admin, operator)
      if (admin) await setup.end()
      return { account: accountReply(registry, changed) }
    },
  ),
  '/accounts/end-second-factor': command({ account }, async (registry, { account: text }) => {
    const found = namedAccount(registry, text)
    const ended = await endSecondStep(registry.accounts, found, operator)
    return { account: accountReply(registry, found), ended }
  }),
  '/accounts/remove': command(
    { environment, account },
    async (registry, { environment: name = 'live', account: text }) => {
      const { ppid } = namedAccount(registry, text, name)
      await realmOf(registry, name).accounts.accounts.remove(ppid)
      return { ppid }
    },
  ),
}

function namedAccount(
  registry: AdminRegistry,
  text: string,
  name: EnvironmentName = 'live',
): Account {
  const { accounts } = realmOf(registry, name).accounts
  const found = text.includes('@') ? accounts.findByEmail(text) : accounts.find(text)
  if (found !== undefined) return found
  throw new HttpError('not_found', `There is no account ${text}`)
}

function accountReply(
  { environments }: AdminRegistry,
  { ppid, state, email, email_verified, roles, created_at, ...rest }: Account,
  name: EnvironmentName = 'live',
) {
  const person = environments[name].people.read(ppid)
  const profile = person?.type === 'person' ? person.profile : rest.joining
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
