import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { destination, type Logger } from 'pino'

import type { ClockGuard } from '#actors/journal/clock_guard.ts'
import type { ActorReport } from '#actors/kernel/actor_error.ts'
import {
  type Environment,
  environmentLimits,
  type EnvironmentName,
  environmentNames,
  type Environments,
  type OpeningStep,
  perEnvironment,
} from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import { monotoneClock } from '#actors/values/clock.ts'
import type { ContentFetcher } from '#actors/works/fixity/client.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import { misspelledVariables } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/tlog/errors.ts'
import { type Address, chooseAddress } from '#src/cli/start/address.ts'
import { configWarnings, type FirstKey, type StartFacts } from '#src/cli/start/banner.ts'
import { clockProblems, openClock, soundStartMs, watchClock } from '#src/cli/start/clock.ts'
import {
  campaign,
  openCluster,
  openNodeAdmin,
  refuseSecondBeginning,
  sharedIdentity,
} from '#src/cli/start/cluster.ts'
import { DeliveringThread } from '#src/cli/start/delivering_thread.ts'
import { exitOnUncertainWrite } from '#src/cli/start/fatal.ts'
import { environmentSettings, type RunningRegistry } from '#src/cli/start/joined_thread.ts'
import { Listeners } from '#src/cli/start/listeners.ts'
import {
  collectCosignatures,
  openLogWitnesses,
  type WitnessesByLog,
} from '#src/cli/start/log_witnesses.ts'
import { RegistrySnapshots } from '#src/cli/start/node_copy.ts'
import type { OpenedRegistry } from '#src/cli/start/public_server.ts'
import { openRealms, repairAccounts, type Tenant } from '#src/cli/start/realm.ts'
import { deleteIndexes, hasRoom, openSearch } from '#src/cli/start/search.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import { configuredFetcher, contentFetcher } from '#src/delivery/fetch/content_fetcher.ts'
import { dumpsFolder, makeDailyDumps, removeDumps } from '#src/discovery/dump/dump_writer.ts'
import { createLogger } from '#src/edge/logger.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { listenOnAdminSocket } from '#src/cli/start/ports.ts'
import type { AdminRegistry } from '#src/http/admin/command.ts'
import { buildAdminServer, runCommand } from '#src/http/admin/command_table.ts'
import type { PasswordCost } from '#src/identity/accounts/password_hash.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import {
  type DataDir,
  type DataDirOptions,
  dataDirOptions,
  dataFolders,
  type DataFolders,
  identityPaths,
  logOrigin,
  openDataDir,
} from '#src/keeping/data_dir/data_dir.ts'
import type { ReceiptKeyFiles } from '#src/keeping/data_dir/key_file.ts'
import { EventTap } from '#src/operations/kept_events.ts'
import type { SharedUsageEvent } from '#src/operations/usage/shared_usage.ts'
import { OwnUsage } from '#src/operations/usage/usage.ts'
import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
import { realmOf, setupUrl } from '#src/use_cases/registry_edge.ts'

/** Something that runs: what there is to say of its start, and how to end it. */
export type Service = { readonly facts: StartFacts; close(): Promise<void> }

/** Says what a start does next, and of a long step how far it is. */
export type OnStep = (step: string, done?: number, total?: number) => void

/** The organization that a first start makes, and what its 24-hour key may do: never administer. */
const demo = { slug: 'demo', name: 'Demonstration' }
const demoKey = {
  owner: `org:${demo.slug}`,
  scopes: [
    'works:read',
    'works:write',
    'receipts:read',
    'receipts:verify',
    'search:read',
    'people:read',
  ],
  hours: 24,
}

/** How a registry is opened beside its configuration. */
type ServiceOptions = {
  readonly listen: boolean
  readonly onStep?: OnStep
  /** What one hash of a password costs; tests, which guard nobody's, make many. */
  readonly passwordCost?: PasswordCost
}

/**
 * Opens the registry of a configuration: data directory, stores with all their checks, the two
 * environments, keys, the admin socket and, with `listen`, the public server and its metrics. What
 * was opened is closed again when a later part fails. `onStep` is told what is done. Errors:
 * StartError, IdentityError and LogError, whose messages say what to do.
 */
export async function openService(
  config: Config,
  { listen, onStep = () => {}, passwordCost }: ServiceOptions,
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const address = await chooseAddress(config, { listen })
  // A command has its own words; of a registry that it opens for itself only the faults matter.
  const events = new EventTap(destination(2), Date.now)
  const logger = createLogger(listen ? config.LOG_LEVEL : 'warn', events)
  const asked = { config, address, logger, onStep, ...(listen && { events }) }
  const { clockGuard, folder, dataDir } = await openFolder(asked, opened)
  const fatal = exitOnUncertainWrite(() => closing.disposeAsync())
  const { baseUrl } = address
  // A command that opens the registry for itself is over too soon to read what others serve.
  const fetches = listen && config.FETCH_CONTENT
  const fetchContent = fetches ? openFetching(config, baseUrl, logger, opened) : undefined
  const witnesses = openLogWitnesses(config, dataDir.logs, logger, opened)
  if (config.CLUSTER_URL !== undefined) onStep('joining the other nodes of the cluster')
  const cluster = await openCluster(config, { logger, clockGuard, stopped: fatal }, opened)
  const parts = {
    config,
    logger,
    folder,
    dataDir,
    fatal,
    baseUrl,
    fetchContent,
    witnesses,
    cluster,
    onStep,
    clockGuard,
    passwordCost,
    events,
  }
  const registry = await openRegistry(parts, opened)
  await openBulkRunner(parts, registry, listen, opened)
  const snapshots = new RegistrySnapshots({ config, folders: folder, ...registry })
  opened.defer(() => snapshots.close())
  const firstKey = dataDir.creating ? await beginRegistry(registry, listen) : undefined
  await dataDir.finishCreation()
  const listeners = new Listeners()
  opened.defer(() => listeners.close())
  await openAdminSocket(parts, { registry, snapshots }, listeners)
  if (listen) {
    onStep('loading the server')
    // Loaded here because no command needs it, nor does a start that is refused.
    const { openPublicServer } = await import('#src/cli/start/public_server.ts')
    const collectors = collectCosignatures(witnesses, registry.environments)
    const deliveries = openDeliveries(parts, registry, opened)
    await openPublicServer({ ...parts, collectors, deliveries }, address, registry, listeners)
    keepDumps({ config, environments: registry.environments, baseUrl, logger }, opened)
  }
  const closing = opened.move()
  const { origin, vkey } = registry.environments.live
  return {
    facts: {
      address,
      dataDir: folder.dataDir,
      origin,
      vkey,
      firstKey,
      setupUrl: setupUrl(registry.accounts),
      warnings: warningsOf(parts, registry.environments, address),
    },
    close: () => closing.disposeAsync(),
  }
}

/** Opens what fetches the content of works. */
function openFetching(
  config: Config,
  baseUrl: string,
  logger: Logger,
  opened: AsyncDisposableStack,
) {
  const fault = (err: Error) => logger.error({ err }, 'content was not fetched')
  const fetcher = configuredFetcher(config, baseUrl, fault)
  opened.defer(() => fetcher.close())
  return contentFetcher(fetcher, (refused) =>
    logger.warn(refused, 'a private address is not fetched'),
  )
}

type FolderParts = Pick<Parts, 'config' | 'logger' | 'onStep'> & {
  readonly address: Address
  /** Of a registry that serves: what keeps what is logged. */
  readonly events?: EventTap
}

/** Opens the data directory, and what watches the clock that a new one is dated by. */
async function openFolder(
  { config, address, logger, onStep, events }: FolderParts,
  opened: AsyncDisposableStack,
) {
  const clockGuard = openClock(config, dataFolders(config).dataDir, logger)
  const folder = dataDirOptions(config, 'registry', address.baseUrl)
  onStep(`opening the data directory ${folder.dataDir}`)
  const dataDir = await openDataDir(folder, () => soundStartMs(clockGuard))
  opened.defer(() => dataDir.release())
  events?.keepIn(folder, (err) => logger.error({ err }, 'what happened was not kept'))
  opened.defer(() => events?.close())
  watchClock(clockGuard, opened)
  return { clockGuard, folder, dataDir }
}

/** What the parts of a registry are opened from. */
type Parts = {
  readonly config: Config
  readonly logger: Logger
  readonly folder: DataDirOptions
  readonly dataDir: DataDir
  readonly baseUrl: string
  readonly fatal: (error: unknown) => void
  readonly fetchContent: ContentFetcher | undefined
  readonly witnesses: WitnessesByLog
  /** The cluster that this process is a node of, if it is one. */
  readonly cluster: ClusterNode | undefined
  readonly onStep: OnStep
  readonly clockGuard: ClockGuard
  readonly passwordCost: PasswordCost | undefined
}

async function openRegistry(parts: Parts, opened: AsyncDisposableStack): Promise<OpenedRegistry> {
  const { config, folder, dataDir, logger, baseUrl, cluster, onStep, clockGuard } = parts
  const { passwordCost } = parts
  const clock = monotoneClock(Date.now, '')
  const identity = identityPaths(folder)
  if (cluster && dataDir.creating) await refuseSecondBeginning(cluster, identity.dir)
  onStep('opening the store of accounts and keys')
  const store = await openIdentityStore({
    ...identity,
    create: dataDir.creating,
    random: randomBytes,
    ...(cluster && { shared: await sharedIdentity(cluster, config) }),
  })
  opened.defer(() => store.close())
  cluster?.watchIdentity(store)
  const adminCodes = new AdminCodes({ store, clock, random: randomBytes })
  const live = await openTenant(parts, 'live', store, opened)
  const sandbox = await openTenant(parts, 'sandbox', identityPart(store, 'sandbox'), opened)
  const tenants = { live, sandbox }
  const usage = openUsage({ folder, logger, cluster, clockGuard })
  opened.defer(() => usage.close())
  const environments = perEnvironment((name) => tenants[name].environment)
  const search = config.SEARCH && openSearch({ config, logger, environments }, opened)
  const people = {
    config,
    baseUrl,
    usage,
    ...(search && { search }),
    folders: folder,
    clock,
    logger,
    role: { type: 'runs' },
    ...(passwordCost && { passwordCost }),
  } as const
  const realms = await openRealms(people, tenants, opened)
  if (cluster !== undefined) campaign(cluster, environments, logger, opened)
  onStep('checking the accounts')
  for (const name of environmentNames) {
    await repairAccounts(realmOf(realms, name).accounts, name, logger)
  }
  if (!config.SEARCH) await deleteIndexes(config)
  const copied = { config, folders: folder, environments, identity: store }
  return {
    ...realms,
    baseUrl,
    environments,
    clockGuard,
    ...(search && { search }),
    adminCodes,
    receiptKeyFiles: perEnvironment((name) => tenants[name].receiptKeyFiles),
    harvestKey: store.deriveKey('oai tokens'),
    identity: store,
    usage,
    ...(cluster && { cluster, nodeAdmin: openNodeAdmin(cluster, copied, logger, opened) }),
  }
}

const openingSteps: Readonly<Record<OpeningStep, (name: EnvironmentName) => string>> = {
  log: (name) => `checking the log of the ${name} registry`,
  views: (name) => `rebuilding the views of the ${name} registry from its journal`,
  witnesses: (name) => `comparing the log of the ${name} registry with its witnesses`,
}

/** Least time from one map leaf of a witnessed log to the next, unless the settings say another. */
const mapIntervalMs = 1_000

/** An environment that runs here, and the files of the keys of its receipts. */
type OpenedTenant = Tenant<Environment> & { readonly receiptKeyFiles: ReceiptKeyFiles }

/** Opens an environment; `store` is the part of the identity store that its people are in. */
async function openTenant(
  parts: Parts,
  name: EnvironmentName,
  store: IdentityStore,
  opened: AsyncDisposableStack,
): Promise<OpenedTenant> {
  const { config, folder: folders, dataDir, logger, baseUrl, fetchContent, cluster, onStep } = parts
  const log = dataDir.logs.get(name)
  assert(log?.keys.receipt !== undefined, 'a registry pins both keys of both environments')
  const { receipt: receiptKeyFiles } = log.keys
  const { [name]: ofLog } = parts.witnesses
  const { MAP_INTERVAL_MS: intervalMs = ofLog ? mapIntervalMs : 0 } = config
  onStep(`opening the store of the ${name} registry`)
  const settings = environmentSettings(name, store, {
    config,
    folders,
    baseUrl,
    origin: log.origin,
  })
  const environment = await openEnvironment({
    ...settings,
    clock: parts.clockGuard,
    logKey: log.keys.log,
    logMldsa: config.LOG_MLDSA,
    receiptSigner: (publicKey) => statementSigner(receiptKeyFiles.choose(publicKey)),
    headFile: path.join(folders.dataDir, `${name}.head`),
    // A node may be behind what the others have had witnessed, until it has caught up with them.
    ...(ofLog && !cluster && { compareHead: (reader) => ofLog.compareHead(reader) }),
    ...(cluster && { shared: await cluster.registry(name) }),
    onOpening: (step, done, total) => onStep(openingSteps[step](name), done, total),
    create: dataDir.creating,
    ...(intervalMs > 0 && { map: { intervalMs, isWitnessed: ofLog !== undefined } }),
    limits: {
      ...environmentLimits,
      writeBufferBytes: config.STORE_WRITE_BUFFER_BYTES,
      cacheBytes: config.STORE_CACHE_BYTES,
      replyCacheBytesMax: config.REPLY_CACHE_BYTES,
      diskReserveBytes: config.DISK_RESERVE_BYTES,
      // More checks than fetches, so that what waits for the pace of one host holds up no other.
      checksMax: 4 * config.FETCH_CONCURRENCY_MAX,
      hostChecksMax: config.FETCH_CONCURRENCY_MAX,
    },
    ...(fetchContent && { fetchContent }),
    ...(name === 'live' && {
      removeCopies: () => removeDumps(path.join(folders.dataDir, dumpsFolder)),
    }),
    report: (report) => logActor(logger, name, report),
    damaged: (message) => logger.error({ environment: name }, message),
    fatal: parts.fatal,
  })
  opened.defer(() => environment.close())
  // A rotation that was cut off is brought to its end: the log says which key is in use.
  await receiptKeyFiles.settle(environment.receiptKeys.publicKey)
  return { environment, store, personKeys: settings.personSeal, receiptKeyFiles }
}

function logActor(logger: Logger, environment: EnvironmentName, report: ActorReport): void {
  const { type } = report
  if (type === 'fault') {
    const { actor, message, error: err } = report
    logger.error({ environment, actor, message, err }, 'an actor failed')
  } else {
    logger.warn({ environment, ...report }, 'an actor reports')
  }
}

/** Makes the demonstration organization and, if anyone will read it, the first key. */
async function beginRegistry(
  registry: AdminRegistry,
  listen: boolean,
): Promise<FirstKey | undefined> {
  const { live, sandbox } = registry.environments
  // A first start that was cut short may have made it already.
  const isThere = [live, sandbox].every(({ organizations }) => organizations.read(demo.slug))
  if (!isThere) await runCommand(registry, '/organizations/create', { organization: demo })
  return listen ? runCommand(registry, '/keys/create', demoKey) : undefined
}

/** Changes many works at once; `resumes`: also those that a command or a crash has left. */
async function openBulkRunner(
  { cluster, logger }: Parts,
  { environments, accounts: { accounts }, keys, suspensions, bulkChanges: changes }: OpenedRegistry,
  resumes: boolean,
  opened: AsyncDisposableStack,
): Promise<void> {
  const runner = new BulkRunner({
    changes,
    environments,
    ...(cluster && { isDue: (name) => environments[name].part?.member.leads === true }),
    isAdministrator: (ppid) => accounts.find(ppid)?.roles.includes('admin') === true,
    isKeyInUse: (id) => keys.find(id)?.state !== 'revoked',
    isSuspended: (parties) => suspensions.first(parties) !== undefined,
    report: (err) => logger.error({ err }, 'a bulk change could not continue: it is retried'),
  })
  opened.defer(() => runner.close())
  if (resumes) await runner.resume()
}

function openDeliveries(
  parts: Parts,
  registry: OpenedRegistry,
  opened: AsyncDisposableStack,
): DeliveringThread {
  const { folder: folders } = parts
  const deliveries = new DeliveringThread({ ...parts, ...registry, folders, realms: registry })
  opened.defer(() => deliveries.close())
  return deliveries
}

async function openAdminSocket(
  { config, folder, logger }: Parts,
  { registry, snapshots }: { registry: OpenedRegistry; snapshots: RegistrySnapshots },
  listeners: Listeners,
): Promise<void> {
  const server = buildAdminServer(registry, {
    logger,
    graceMs: config.SHUTDOWN_GRACE_MS,
    snapshot: () => snapshots.read(),
  })
  listeners.open().defer(() => server.close())
  await listenOnAdminSocket(server, adminSocketPath(folder.dataDir))
}

/** What an operator should know of a start that went well. */
function warningsOf(
  { config, dataDir, witnesses }: Parts,
  environments: Environments,
  address: Address,
): readonly string[] {
  // The policy of both logs is one.
  const ofPolicy = new Set(Object.values(witnesses).flatMap(({ warnings }) => warnings))
  return [
    ...dataDir.warnings,
    ...clockProblems(environments),
    ...configWarnings(config),
    ...movedWarnings(environments.live.origin, address),
    ...Array.from(ofPolicy, (warning) => `WITNESS_POLICY: ${warning}.`),
    ...misspelledVariables(process.env),
  ]
}

/** A log keeps its origin; that the address has changed since should not go unnoticed. */
function movedWarnings(origin: string, { baseUrl }: Address): string[] {
  if (origin === logOrigin(baseUrl)) return []
  return [
    `The log keeps the origin of its first start, ${origin}, although the address is now ` +
      `${baseUrl}.`,
  ]
}

/** What the counts of uses are opened from. */
type UsageParts = {
  readonly clockGuard: ClockGuard
  readonly folder: DataFolders
  readonly logger: Logger
  /** The cluster that this process is a node of, if it is one: its nodes count together. */
  readonly cluster: ClusterNode | undefined
}

/** Opens the counts of uses of a data directory; the caller closes them. */
function openUsage({ folder, logger, cluster, clockGuard }: UsageParts): OwnUsage {
  const shared = cluster && {
    open: () => cluster.openCounts(),
    life: randomBytes(12).toString('hex'),
    report: (event: SharedUsageEvent) => reportShared(logger, event),
  }
  const usage = new OwnUsage(folder, {
    nowMs: Date.now,
    isClockSound: () => clockGuard.fault === undefined,
    report: (err) => logger.error({ err }, 'counts of uses could not be written, and are lost'),
    ...(shared && { shared }),
  })
  if (usage.shared !== undefined) cluster?.watchCounts(usage.shared)
  return usage
}

function reportShared(logger: Logger, event: SharedUsageEvent): void {
  switch (event.type) {
    case 'usage_failed':
      return logger.warn({ err: event.error }, 'counts of uses were not shared: it is retried')
    case 'usage_dropped':
      return logger.error('counts of uses are lost: there was no contact with the NATS servers')
    case 'usage_stream_changed':
      return logger.warn(event, 'the stream of counts is another one: continuing from what it has')
    case 'usage_missed':
      return logger.error(
        event,
        'counts of other nodes are missing here: this one was away too long',
      )
    case 'usage_malformed':
      return logger.warn(event, 'a message of the stream of counts is skipped')
  }
}

/** What dumps are made from. */
type DumpParts = Pick<RunningRegistry, 'config' | 'environments' | 'baseUrl' | 'logger'>

/** How long after a start the first look is, and how often it is looked whether a day is new. */
const firstMs = 60_000
const everyMs = 600_000

/** Makes a dump of the live works each day, until it is closed. */
function keepDumps(parts: DumpParts, opened: AsyncDisposableStack): void {
  const { config, environments, baseUrl, logger } = parts
  if (!config.DATA_DUMPS) return
  const ended = new AbortController()
  const source = {
    environment: environments.live,
    name: config.REPOSITORY_NAME,
    baseUrl,
    nowMs: Date.now,
    signal: ended.signal,
  }
  const making = makeDailyDumps(source, path.join(config.DATA_DIR, dumpsFolder), {
    firstMs,
    everyMs,
    hasRoom: () => hasRoom(config),
    made: ({ counts, log }) =>
      logger.info({ ...counts, tree_size: log.tree_size }, 'a dump of all works was made'),
    failed: (err) => logger.error({ err }, 'no dump of the works could be made'),
  })
  opened.defer(async () => {
    ended.abort()
    await making
  })
}
