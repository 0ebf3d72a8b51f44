import path from 'node:path'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'

import type { ContentFetcher } from '#actors/works/fixity/client.ts'
import {
  type EnvironmentName,
  type Environments,
  perEnvironment,
} from '#actors/registry/environment.ts'
import { elapsedMs } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import type { AdminRegistry } from '#src/http/admin/command.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import { ContentReader } from '#src/delivery/fetch/content_fetcher.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import { positionsOf } from '#src/edge/read_after.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { OperationsHistory } from '#src/operations/history.ts'
import {
  addClusterMetrics,
  addDiskMetrics,
  addEnvironmentMetrics,
  addIdentityMetrics,
  addMapMetrics,
  addSearchMetrics,
  addUsageMetrics,
  addWebhookMetrics,
  addWitnessMetrics,
  type WitnessedLogs,
} from '#src/cli/start/metrics.ts'
import type { EventTap } from '#src/operations/kept_events.ts'
import {
  type Operations,
  OperationsSampler,
  type RegistryReadiness,
} from '#src/operations/operations.ts'
import type { Address } from '#src/cli/start/address.ts'
import { openLimitMemory } from '#src/cli/start/cluster.ts'
import type { DeliveringThread } from '#src/cli/start/delivering_thread.ts'
import { countEdgeThreads, EdgeThreads } from '#src/cli/start/edge_threads.ts'
import type { Listeners } from '#src/cli/start/listeners.ts'
import type { Collectors } from '#src/cli/start/log_witnesses.ts'
import { listenForMetrics } from '#src/cli/start/ports.ts'
import type { CoreServices } from '#src/cli/start/thread_services.ts'
import type { OwnUsage } from '#src/operations/usage/usage.ts'

/** What the public server shows, and the secret with which it signs what harvesters give back. */
export type OpenedRegistry = AdminRegistry & {
  readonly harvestKey: Uint8Array
  /** The identity store of both realms. */
  readonly identity: OpenedIdentityStore
  readonly usage: OwnUsage
  readonly cluster?: ClusterNode
}

/** What the public server is opened from beside the registry. */
export type PublicParts = {
  readonly config: Config
  readonly logger: Logger
  readonly folder: DataFolders
  readonly baseUrl: string
  readonly fetchContent: ContentFetcher | undefined
  readonly collectors: Collectors
  readonly deliveries: Pick<DeliveringThread, 'status'>
  /** What keeps what is logged for administrators. */
  readonly events: EventTap
  /** Is told what a start does next. */
  readonly onStep: (step: string) => void
}

/**
 * Serves a registry, here or in threads, and its metrics, and lets search follow it, until
 * `listeners` are closed.
 */
export async function openPublicServer(
  parts: PublicParts,
  place: Address,
  registry: OpenedRegistry,
  listeners: Listeners,
): Promise<void> {
  const { config } = parts
  const { environments, identity, search, cluster } = registry
  const metrics = createMetrics()
  addEnvironmentMetrics(metrics.registry, [environments.live, environments.sandbox], Date.now)
  if (search !== undefined) keepSearch(search, metrics)
  addMapMetrics(metrics.registry, [environments.live, environments.sandbox])
  addWitnessMetrics(metrics.registry, witnessedLogs(parts.collectors, environments))
  addWebhookMetrics(
    metrics.registry,
    perEnvironment((name) => ({ status: () => parts.deliveries.status(name) })),
  )
  addDiskMetrics(metrics.registry, {
    dataDir: config.DATA_DIR,
    reserveBytes: config.DISK_RESERVE_BYTES,
  })
  addIdentityMetrics(metrics.registry, identity.rows)
  addMailMetrics(metrics.registry, registry.accounts.mail)
  addUsageMetrics(metrics.registry, registry.usage)
  if (cluster !== undefined) addClusterMetrics(metrics.registry, cluster)
  const { live: collector } = parts.collectors
  const sources = {
    identity: identity.rows,
    ...(search && { search }),
    ...(collector && { collector }),
    ...(cluster && { cluster }),
  }
  const readiness = () => readReadiness({ config, environments, nowMs: Date.now, ...sources })
  const open: PortState = { isOpen: false }
  const told = async () => withPort(await readiness(), open)
  await listenForMetrics(config, { metrics, readiness: told }, listeners.open())
  const operations = watchOperations(parts, metrics, listeners)
  await servePublicly({ parts, place, registry, listeners, metrics, readiness, operations })
  open.isOpen = true
  listeners.open().defer(() => {
    open.isOpen = false
  })
}

/** Whether requests reach the registry. */
type PortState = { isOpen: boolean }

/** Who asks on the administrator's port is to send no client to a port that does not answer yet. */
function withPort(found: RegistryReadiness, { isOpen }: PortState): RegistryReadiness {
  if (isOpen) return found
  const listening = { ok: false, problem: 'its public port does not listen' }
  return { ...found, ready: false, checks: { ...found.checks, listening } }
}

/** What the public port answers with. */
type PublicService = {
  readonly parts: PublicParts
  readonly place: Address
  readonly registry: OpenedRegistry
  readonly listeners: Listeners
  readonly metrics: Metrics
  readonly readiness: CoreServices['readiness']
  readonly operations: Operations
}

/** Answers at the public port, here or in threads; resolves when it listens. */
async function servePublicly(service: PublicService): Promise<void> {
  const { parts, registry, listeners, metrics, readiness, operations } = service
  const { host, port } = service.place
  const { config, logger, baseUrl, folder: folders, fetchContent, onStep } = parts
  const { environments, search, identity, cluster, usage } = registry
  const contentReader = new ContentReader(fetchContent)
  const services = { readiness, operations, contentReader, ...(search && { search }) }
  const count = countEdgeThreads(config)
  const limitMemory = openLimitMemory({ ...registry, config }, listeners.open())
  if (count > 0) {
    onStep(`starting ${count} edge ${count === 1 ? 'thread' : 'threads'}`)
    const place = { host, port }
    const serving = { count, config, baseUrl, folders, place, logger, metrics, limitMemory }
    const threads = new EdgeThreads({
      ...serving,
      realms: registry,
      environments,
      identity,
      services,
      usage,
    })
    listeners.open().defer(() => threads.close())
    countThreads(threads, metrics)
    return threads.start()
  }
  const edge = {
    ...registry,
    ...services,
    config,
    limitMemory,
    baseUrl,
    authenticate: createAuthenticate(registry, registry.adminCodes),
    logger,
    metrics,
    nowMs: Date.now,
    elapsedMs,
    ...(cluster && { positions: positionsOf(environments, identity) }),
  }
  onStep('opening the port')
  // Where threads serve, this one loads no page and no route.
  const { serveEdge } = await import('#src/cli/start/registry_server.ts')
  await serveEdge(edge, { host, port, isShared: false }, listeners)
}

/** Keeps how the registry does, in `operations.db` of the data directory. */
function watchOperations(
  { folder, logger, events }: PublicParts,
  { registry }: Metrics,
  listeners: Listeners,
): Operations {
  const report = (err: unknown) =>
    logger.error({ err }, 'the samples of the operations page could not be saved')
  const history = OperationsHistory.open(path.join(folder.dataDir, 'operations.db'), report)
  const sampler = new OperationsSampler({ registry, history, events, nowMs: Date.now, report })
  const opened = listeners.open()
  opened.defer(() => history.close())
  opened.defer(() => sampler.close())
  void sampler.take()
  return sampler
}

function addMailMetrics(registry: Registry, mail: { waiting(): Promise<number> }): void {
  const gauge: Gauge = new Gauge({
    name: 'arklog_mail_waiting',
    help: 'Mails about accounts and webhooks that are being sent, or wait for that.',
    registers: [registry],
    collect: async () => gauge.set(await mail.waiting()),
  })
}

function keepSearch(search: NonNullable<AdminRegistry['search']>, { registry }: Metrics): void {
  search.live.start()
  search.live.prepareSoon()
  search.sandbox.start()
  addSearchMetrics(registry, search)
}

function witnessedLogs(collectors: Collectors, environments: Environments): WitnessedLogs {
  const witnessed = Object.entries(collectors).map(([name, collector]) => {
    const { log } = environments[name as EnvironmentName]
    return [name, { collector, treeSize: () => log.head().treeSize }] as const
  })
  return Object.fromEntries(witnessed)
}

function countThreads(threads: EdgeThreads, { registry }: Metrics): void {
  const gauge: Gauge = new Gauge({
    name: 'arklog_edge_threads',
    help: 'Threads that answer requests now.',
    registers: [registry],
    collect: () => gauge.set(threads.serving),
  })
}
