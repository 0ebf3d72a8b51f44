import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'

import type { Clock } from '#actors/values/clock.ts'
import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import { mintPpid } from '#actors/values/identifier.ts'
import type { Config } from '#config/schema.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'
import type { SettledAccounts } from '#src/identity/accounts/account_lifecycle.ts'
import { Accounts } from '#src/identity/accounts/accounts.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { MemberInvitations } from '#src/identity/accounts/member_invitations.ts'
import { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import { operator, personOwner } from '#src/identity/store/owner_text.ts'
import { type PasswordCost, PasswordHasher } from '#src/identity/accounts/password_hash.ts'
import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { Passkeys, type PasskeySupport, passkeySupport } from '#src/identity/accounts/passkeys.ts'
import { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import {
  joinSetupToken,
  openSetupToken,
  SetupToken,
  type SetupTokenOptions,
} from '#src/identity/accounts/setup_token.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { setupTokenName } from '#src/keeping/data_dir/secret_file.ts'
import { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { type Mail, remoteMail } from '#src/delivery/mail/mailer.ts'
import { elapsedMs } from '#src/start/elapsed.ts'

export type AccountServiceOptions = {
  readonly role: ThreadRole
  readonly config: Config
  readonly baseUrl: string
  readonly logger: Logger
  readonly store: IdentityStore
  readonly personKeys: PersonKeys
  readonly environment: Pick<Environment, 'name' | 'people'>
  readonly keys: KeyStore
  readonly clock: Clock
  readonly folders: Pick<DataFolders, 'keysDir'>
  /** Less than the usual one for tests only. */
  readonly passwordCost?: PasswordCost
}

/** Threads of libuv that hash passwords at most: it has four, which read files as well. */
const hashingThreadsMax = 3

/** What one password of a test person costs: a tenth of another. */
const testPersonCost: PasswordCost = { memory: 19_456, passes: 2 }

/**
 * The public address of the pages and of the identity provider, without a slash at its end. Those
 * of the sandbox are below the others.
 */
function authUrlOf({ config, baseUrl, environment }: AccountServiceOptions): string {
  const authUrl = config.AUTH_URL ?? `${baseUrl}/auth`
  return environment.name === 'sandbox' ? `${authUrl}/sandbox` : authUrl
}

/**
 * Opens the accounts, and closes with `opened`. Call `repairAccounts` before anybody uses them. In
 * the sandbox nobody signs up, nobody administers, and no mail is sent.
 */
export async function openAccountService(
  options: AccountServiceOptions,
  opened: AsyncDisposableStack,
): Promise<AccountService> {
  const { role, config, baseUrl, logger, store, personKeys, keys, clock, passwordCost } = options
  const { name, people } = options.environment
  const isLive = name === 'live'
  const report = (err: unknown) => logger.error({ err }, 'an account could not be written')
  const parts = { store, clock, random: randomBytes, report }
  const sessions = new WebSessions(parts)
  const browsers = new KnownBrowsers(parts)
  const links = new OneTimeLinks(parts)
  const hasher = new PasswordHasher({
    store,
    secret: store.deriveKey('password'),
    random: randomBytes,
    ...hashing(isLive, passwordCost),
  })
  const accounts = new Accounts({
    ...parts,
    people,
    personKeys,
    sessions,
    browsers,
    links,
    hasher,
    mintPpid: () => mintPpid(randomBytes),
  })
  accounts.onRemoval((ppid) => revokeKeys(keys, ppid))
  accounts.onRecovery(async (ppid) => void (await keys.revokeOfMaker(ppid, personOwner(ppid))))
  const secondFactors = new SecondFactors({ ...parts, issuer: new URL(baseUrl).host })
  accounts.onRemoval((ppid) => secondFactors.forget(ppid))
  const authUrl = authUrlOf(options)
  // People of the sandbox would be offered beside those of the registry: both have one host.
  const support: PasskeySupport = isLive
    ? passkeySupport(authUrl)
    : { type: 'impossible', why: 'sandbox' }
  accounts.onRemoval((ppid) => sessions.history.forget(ppid))
  const readNotices = new ReadNotices(store)
  accounts.onRemoval((ppid) => readNotices.forget(ppid))
  const passkeys = new Passkeys({ ...parts, support })
  accounts.onRecovery((ppid) => passkeys.removeAll(ppid))
  const requests = new OrganizationRequests({ store, clock })
  accounts.onRemoval((ppid) => requests.forget(ppid))
  const mail = isLive ? await openMail(options, opened) : undefined
  const setup = { file: path.join(options.folders.keysDir, setupTokenName), accounts, store }
  const messages = { mail, links, authUrl, baseUrl, elapsedMs, report }
  const invitations = new MemberInvitations(parts)
  if (isLive && role.type !== 'joins') forgetRegularly(invitations, report, opened)
  return {
    accounts,
    sessions,
    browsers,
    links,
    secondFactors,
    passkeys,
    readNotices,
    mail: new AccountMail(messages),
    setup: isLive ? await findSetupToken(role, setup) : new SetupToken(setup, undefined),
    requests,
    invitations,
    signUp: isLive ? config.SIGN_UP : 'off',
    adminsNeedSecondStep: isLive && config.ADMINS_NEED_SECOND_STEP,
    authUrl,
    csrfKey: store.deriveKey('csrf'),
  }
}

/**
 * Brings accounts to the end of what a crash has cut off, once all who listen for removals do; says
 * what was found.
 */
export async function repairAccounts(
  { accounts }: AccountService,
  name: EnvironmentName,
  logger: Logger,
): Promise<void> {
  const { orphans, ...settled } = await accounts.repair()
  tellOfSettled(settled, logger)
  for (const ppid of orphans) {
    const advice =
      name === 'live'
        ? `run "arklog account reset-link ${ppid} --email ADDRESS" to give them one`
        : 'nobody can be this test person any more'
    logger.error({ ppid }, `a person has no account: ${advice}`)
  }
}

/**
 * Brings accounts to the end of what a thread was doing with them when it died; says what was
 * found. It may be called while they are used.
 */
export async function settleAccounts({ accounts }: AccountService, logger: Logger): Promise<void> {
  tellOfSettled(await accounts.settleAll(), logger)
}

function tellOfSettled({ finished, dropped, removed }: SettledAccounts, logger: Logger): void {
  if (finished.length + dropped.length + removed.length === 0) return
  logger.warn({ finished, dropped, removed }, 'accounts that a crash had cut off are settled')
}

/** Invitations whose time is over are forgotten as often. */
const forgottenEveryMs = 10 * 60_000

/** Forgets the addresses of invitations that nobody has answered, until `opened` closes. */
function forgetRegularly(
  invitations: MemberInvitations,
  report: (err: unknown) => void,
  opened: AsyncDisposableStack,
): void {
  let running = Promise.resolve()
  const forget = () => {
    running = running.then(() => invitations.forgetExpired()).then(() => undefined, report)
  }
  const timer = setInterval(forget, forgottenEveryMs).unref()
  opened.defer(() => {
    clearInterval(timer)
    return running
  })
}

/** The passwords of test people guard nothing, and nobody waits for those of others behind them. */
function hashing(isLive: boolean, cost: PasswordCost | undefined) {
  if (!isLive) return { cost: cost ?? testPersonCost, runningMax: 1 }
  // One core is left for everybody else.
  const runningMax = Math.max(1, Math.min(os.availableParallelism() - 1, hashingThreadsMax))
  return { ...(cost && { cost }), runningMax }
}

function findSetupToken(role: ThreadRole, setup: SetupTokenOptions): Promise<SetupToken> {
  return role.type === 'joins'
    ? joinSetupToken(setup)
    : openSetupToken({ ...setup, random: randomBytes })
}

async function openMail(
  { role, config, logger }: AccountServiceOptions,
  opened: AsyncDisposableStack,
): Promise<Mail | undefined> {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config
  if (smtpUrl === undefined || from === undefined) return undefined
  if (role.type === 'joins') return remoteMail(role.owner)
  // Loaded here because most registries send no mail.
  const { Mailer } = await import('#src/delivery/mail/mailer.ts')
  const mailer = new Mailer({ smtpUrl, from, logger })
  opened.defer(() => mailer.close())
  return mailer
}

async function revokeKeys(keys: KeyStore, ppid: string): Promise<void> {
  for (const { id } of keys.list({ type: 'person', id: ppid })) await keys.revoke(id, operator)
}
