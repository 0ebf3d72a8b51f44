import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'

import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import { type Clock, elapsedMs } from '#actors/values/clock.ts'
import { mintPpid } from '#actors/values/identifier.ts'
import type { Config } from '#config/schema.ts'
import { AccountMail } from '#src/delivery/mail/account_mail.ts'
import type { Mailer } from '#src/delivery/mail/mailer.ts'
import { Outbox, OutboxSender } from '#src/delivery/mail/outbox.ts'
import { MailLog } from '#src/delivery/mail/mail_log.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import { Newsroom, NewsWatch } from '#src/delivery/mail/newsroom.ts'
import { openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import type { SettledAccounts } from '#src/identity/accounts/account_lifecycle.ts'
import { Accounts } from '#src/identity/accounts/accounts.ts'
import { MemberInvitations } from '#src/identity/accounts/member_invitations.ts'
import { SavedSearches } from '#src/identity/accounts/saved_searches.ts'
import { NewsSwitches } from '#src/identity/accounts/news_switches.ts'
import { WorkReports } from '#src/identity/accounts/work_reports.ts'
import { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import { Passkeys, type PasskeySupport, passkeySupport } from '#src/identity/accounts/passkeys.ts'
import { type PasswordCost, PasswordHasher } from '#src/identity/accounts/password_hash.ts'
import type { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { ReadNotices } from '#src/identity/accounts/read_notices.ts'
import { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import {
  joinSetupToken,
  openSetupToken,
  SetupToken,
  type SetupTokenOptions,
} from '#src/identity/accounts/setup_token.ts'
import { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'
import { applicationIdPrefixes } from '#src/identity/oauth/applications.ts'
import { type OAuthService, openOAuth } from '#src/identity/oauth/oauth.ts'
import { readUpstreamIssuers, type UpstreamLogin } from '#src/identity/oauth/upstream_login.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { operator, personOwner } from '#src/identity/store/owner_text.ts'
import { Suspensions } from '#src/identity/store/suspensions.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { setupTokenName } from '#src/keeping/data_dir/secret_file.ts'
import { readBranding } from '#src/pages/kit/branding.ts'
import { plainTitle } from '#src/pages/kit/words.ts'
import { providerPages } from '#src/pages/sign_in/interaction_pages.ts'
import { callbackPath } from '#src/pages/sign_in/upstream_pages.ts'
import { BulkChanges } from '#src/use_cases/bulk_change_jobs.ts'
import type { Usage } from '#src/operations/usage/usage.ts'
import { countNew } from '#src/use_cases/record_search.ts'
import { isMadeOf } from '#src/use_cases/takedown.ts'
import { weekReader } from '#src/use_cases/usage_report.ts'
import { operatorAddress } from '#src/use_cases/operator_address.ts'
import type { AccountService, Realm, Realms } from '#src/use_cases/registry_edge.ts'
import { bindTestPeopleToMakers } from '#src/use_cases/test_people.ts'

/** What the people of an environment are opened from. */
export type RealmOptions = {
  /**
   * Of a realm that joins, `store` and `environment` have joined those of the owner.
   */
  readonly role: ThreadRole
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  /** The realm's own part of the identity store, and the keys of its people, which lie there. */
  readonly store: IdentityStore
  readonly personKeys: PersonKeys
  readonly environment: Pick<
    Environment,
    'name' | 'people' | 'organizations' | 'holdings' | 'claims' | 'catalogue'
  >
  /** Where works are found, for what people are told of their saved searches. */
  readonly search?: Pick<Readonly<Record<EnvironmentName, RecordSearch>>, 'live'>
  /** Where uses are counted, for what organizations are told of a week. */
  readonly usage?: Pick<Usage, 'read' | 'mostUsed'>
  /** How a work of either environment stands, for the audit list of both; else of this one. */
  readonly stateOf?: Environment['catalogue']['state']
  readonly clock: Clock
  readonly logger: Logger
  /** Those of the other realm, which are of both; without them, the realm has them in its store. */
  readonly suspensions?: Suspensions
  /** Less than the usual one for tests only. */
  readonly passwordCost?: PasswordCost
}

/** An environment, its part of the identity store, and the keys of its people. */
export type Tenant<E = RealmOptions['environment']> = Pick<RealmOptions, 'store' | 'personKeys'> & {
  readonly environment: E
}

/** Both of them. */
export type Tenants<E = RealmOptions['environment']> = Readonly<Record<EnvironmentName, Tenant<E>>>

/**
 * Opens the people of both environments, and closes with `opened`. What ends with a person of the
 * live one ends in the sandbox as well. Errors as `openRealm`.
 */
export async function openRealms(
  options: Omit<RealmOptions, keyof Tenant>,
  tenants: Tenants,
  opened: AsyncDisposableStack,
): Promise<Realms> {
  const { environment } = tenants.sandbox
  const stateOf = (ark: string) =>
    tenants.live.environment.catalogue.state(ark) ?? environment.catalogue.state(ark)
  const live = await openRealm({ ...options, ...tenants.live, stateOf }, opened)
  const { suspensions } = live
  const sandbox = await openRealm({ ...options, ...tenants.sandbox, suspensions }, opened)
  endSecretsAfterRecovery(live, sandbox)
  bindTestPeopleToMakers(live, sandbox)
  return { ...live, sandbox }
}

/**
 * Opens the people of an environment, and closes with `opened`. Errors: those of the identity
 * provider; ConfigError. Call `repairAccounts` before anybody uses those that run. A realm that
 * joins can be opened once that of the other thread is, and is closed before it.
 */
export async function openRealm(
  options: RealmOptions,
  opened: AsyncDisposableStack,
): Promise<Realm> {
  const { store, clock, logger, environment } = options
  const report = (err: unknown) => logger.error({ err }, 'the use of a key could not be recorded')
  const suspensions = options.suspensions ?? (await openSuspensions(options))
  const keys = new KeyStore({ store, clock, random: randomBytes, report })
  if (options.role.type === 'runs') await keys.repair()
  const accounts = await openAccountService(options, keys, opened)
  accounts.accounts.onRemoval((ppid) => environment.organizations.leaveAll(ppid))
  accounts.accounts.onRemoval((ppid) => suspensions.forget(ppid))
  const oauth = await openOAuthService(options, accounts, suspensions, opened)
  await openNewsroom(options, { accounts, oauth, keys }, opened)
  const webhooks = await openEndpointStore({ store, clock, random: randomBytes })
  oauth.grants.writeWithEnd((ended) => webhooks.rowsOfEnded(ended))
  const bulkChanges = new BulkChanges({ store, clock, random: randomBytes })
  return { accounts, oauth, keys, webhooks, bulkChanges, suspensions }
}

/** Tells people what is theirs to know; one thread of each node does so. */
async function openNewsroom(
  options: RealmOptions,
  { accounts, oauth: { audit }, keys }: Pick<Realm, 'accounts' | 'oauth' | 'keys'>,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { role, environment, clock, config, baseUrl, logger, usage, search } = options
  const { switches, reports, savedSearches } = accounts
  accounts.accounts.onRemoval((ppid) => switches.forget(ppid))
  accounts.accounts.onRemoval((ppid) => savedSearches.forget(ppid))
  accounts.accounts.onRemoval((ppid) => reports.forget(personOwner(ppid)))
  if (role.type === 'joins') return
  const { organizations, holdings } = environment
  const { stateOf = (ark: string) => environment.catalogue.state(ark) } = options
  const source = search && { service: search.live, searcher: { caller: 'saved searches' } }
  const searches = source && {
    saved: savedSearches,
    countNew: (query: string, span: { readonly fromMs: number; readonly untilMs: number }) =>
      countNew(source, query, span),
  }
  const watch = new NewsWatch({
    audit,
    isMade: (entry) => isMadeOf(entry, stateOf),
    keys,
    organizations,
    holdings,
    clock,
    report: (err) => logger.error({ err }, 'news could not be looked for'),
    ...(searches && { searches }),
  })
  opened.defer(() => watch.close())
  const ofWeek = { environment, keys, ...(usage && { usage }), nowMs: () => clock.nowMs() }
  const { mailLog } = accounts
  const mailer = await openMailer(options, mailLog)
  const newsroom = new Newsroom({
    audit,
    accounts: accounts.accounts,
    organizations: environment.organizations,
    nameOf(ppid) {
      const person = environment.people.read(ppid)
      return person?.type === 'person' ? person.profile.name : ppid
    },
    titleOf(ark) {
      const owner = environment.catalogue.state(ark)?.owner
      const title = owner && holdings.work(owner, ark)?.work_title
      return title ? plainTitle(title) : undefined
    },
    switches,
    mail: mailer,
    bounced: (address) => mailLog.isSuppressed(address),
    weekOf: weekReader(ofWeek),
    authUrl: accounts.authUrl,
    baseUrl,
    contact: operatorAddress(config, baseUrl),
    clock,
    report: (err) => logger.error({ err }, 'news could not be sent'),
  })
  const sender =
    mailer &&
    new OutboxSender({
      outbox: new Outbox(options),
      mailer,
      bounced: (address, isAsked) => mailLog.isSuppressed(address, isAsked),
      clock,
      report: (err) => logger.error({ err }, 'mails could not be sent'),
    })
  opened.defer(async () => {
    // What waits for another attempt is given up first, so that nobody waits for its end.
    await Promise.all([mailer?.close(), newsroom.close(), sender?.close()])
  })
}

async function openSuspensions({ store, clock, config, baseUrl }: RealmOptions) {
  const contact = operatorAddress(config, baseUrl)
  const suspensions = new Suspensions({ store, clock, contact })
  await suspensions.follow()
  return suspensions
}

/**
 * Has the recovery of a person's account end what acts for them in the sandbox as well: what does
 * so there for an organization may have been made by a person of the live realm.
 */
function endSecretsAfterRecovery(live: Realm, sandbox: Realm): void {
  live.accounts.accounts.onRecovery(async (ppid) => {
    const { applications } = sandbox.oauth
    for (const { client_id } of await applications.listOfSecret(ppid)) {
      await applications.endSecret(client_id, personOwner(ppid))
    }
  })
}

/** Threads of libuv that hash passwords at most: it has four, which read files as well. */
const hashingThreadsMax = 3

/** What one password of a test person costs: a tenth of another. */
const testPersonCost: PasswordCost = { memory: 19_456, passes: 2 }

/**
 * The public address of the pages and of the identity provider, without a slash at its end. Those
 * of the sandbox are below the others.
 */
function authUrlOf({ config, baseUrl, environment }: RealmOptions): string {
  const authUrl = config.AUTH_URL ?? `${baseUrl}/auth`
  return environment.name === 'sandbox' ? `${authUrl}/sandbox` : authUrl
}

const passkeysInSandbox: PasskeySupport = { type: 'impossible', why: 'sandbox' }

/**
 * Opens the accounts, and closes with `opened`. Call `repairAccounts` before anybody uses them. In
 * the sandbox nobody signs up, nobody administers, and no mail is sent.
 */
async function openAccountService(
  options: RealmOptions,
  keys: KeyStore,
  opened: AsyncDisposableStack,
): Promise<AccountService> {
  const { role, config, baseUrl, logger, store, personKeys, clock, passwordCost } = options
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
  const support = isLive ? passkeySupport(authUrl, config.REPOSITORY_NAME) : passkeysInSandbox
  accounts.onRemoval((ppid) => sessions.history.forget(ppid))
  const readNotices = new ReadNotices(store)
  accounts.onRemoval((ppid) => readNotices.forget(ppid))
  const passkeys = new Passkeys({ ...parts, support })
  accounts.onRecovery((ppid) => passkeys.removeAll(ppid))
  const requests = new OrganizationRequests({ store, clock })
  accounts.onRemoval((ppid) => requests.forget(ppid))
  const mailLog = new MailLog(parts)
  const outbox = mailServerOf(options) && new Outbox(parts)
  const setup = { file: path.join(options.folders.keysDir, setupTokenName), accounts, store }
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
    switches: new NewsSwitches(store),
    savedSearches: new SavedSearches(store),
    reports: new WorkReports(store),
    mailLog,
    mail: new AccountMail({ outbox, links, authUrl, baseUrl, elapsedMs, report }),
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
        : 'nobody can sign in as this test person any more'
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
  logger.warn({ finished, dropped, removed }, 'accounts that a crash had interrupted are finished')
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

/** The mail server, and from whom mails are; undefined where none are sent. */
function mailServerOf({ config, environment }: RealmOptions) {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config
  if (environment.name !== 'live' || smtpUrl === undefined || from === undefined) return undefined
  return { smtpUrl, from }
}

/** Opens what sends mail; undefined in the sandbox, and where no mail server is configured. */
async function openMailer(options: RealmOptions, mailLog: MailLog): Promise<Mailer | undefined> {
  const { config, baseUrl, logger } = options
  const server = mailServerOf(options)
  if (server === undefined) return undefined
  // Loaded here because most registries send no mail.
  const { Mailer } = await import('#src/delivery/mail/mailer.ts')
  return new Mailer({
    ...server,
    registry: `${config.REPOSITORY_NAME}, ${baseUrl}, ${operatorAddress(config, baseUrl)}`,
    logger,
    note: (message, outcome) => mailLog.note(message, outcome),
  })
}

async function revokeKeys(keys: KeyStore, ppid: string): Promise<void> {
  for (const { id } of keys.list({ type: 'person', id: ppid })) await keys.revoke(id, operator)
}

/** Of each environment: its store, the keys of its ID tokens, and what its cookies begin with. */
const ownNames = {
  live: { dir: 'oauth', keyFile: 'token-keys.json', cookie: 'svc_op' },
  sandbox: { dir: 'sandbox-oauth', keyFile: 'sandbox-token-keys.json', cookie: 'svc_test_op' },
} as const

/** Opens the identity provider, and closes with `opened`. Errors as `openOAuth`; ConfigError. */
async function openOAuthService(
  options: RealmOptions,
  service: AccountService,
  suspensions: Suspensions,
  opened: AsyncDisposableStack,
): Promise<OAuthService> {
  const { role, config, baseUrl, folders, store, clock, logger } = options
  const { name, people, organizations } = options.environment
  const { dir, keyFile, cookie } = ownNames[name]
  const { authUrl, accounts } = service
  const report = (err: unknown): void => logger.error({ err }, 'the identity provider failed')
  const organizationName = (slug: string) => organizations.read(slug)?.name
  const prefix = new URL(authUrl).pathname.replace(/\/$/, '')
  const oauth = await openOAuth({
    role,
    dir: path.join(folders.dataDir, dir),
    keyFile: path.join(folders.keysDir, keyFile),
    idPrefix: applicationIdPrefixes[name],
    cookie,
    store,
    clock,
    elapsedMs,
    random: randomBytes,
    issuer: authUrl,
    accounts,
    suspensions,
    people,
    organizationName,
    pages: providerPages({
      branding: readBranding(config).branding,
      prefix,
      baseUrl,
      maySignUp: service.signUp === 'open',
      environment: name,
    }),
    report,
  })
  opened.defer(() => oauth.close())
  return {
    ...oauth,
    // People of the sandbox have no account elsewhere.
    upstreams: name === 'live' ? await openUpstreams(config, authUrl) : [],
    upstreamCookieKey: store.deriveKey('upstream login'),
    organizationName,
    report,
  }
}

async function openUpstreams(
  { UPSTREAM_ISSUERS: file }: Config,
  authUrl: string,
): Promise<UpstreamLogin[]> {
  if (file === undefined) return []
  const issuers = await readUpstreamIssuers(path.resolve(file))
  // Loaded here because most registries let nobody in from elsewhere.
  const { UpstreamLogin } = await import('#src/identity/oauth/upstream_login.ts')
  return issuers.map((issuer) => new UpstreamLogin(issuer, authUrl + callbackPath(issuer.id)))
}
