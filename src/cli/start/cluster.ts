import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from 'pino'

import type { ClockGuard } from '#actors/journal/clock_guard.ts'
import { environmentNames, type Environments } from '#actors/registry/environment.ts'
import { elapsedMs, formatTimestamp } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/tlog/errors.ts'
import { Candidacy, ClusterNode, type NodeEvent } from '#src/cluster/node.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import {
  checkEngine,
  connectEngine,
  type EngineEvent,
  readCredentials,
  EngineWatch,
} from '#src/cluster/engine.ts'
import type { JoinEvent, NodeAdmin } from '#src/cluster/invitations.ts'
import { awaitFreeName } from '#src/cluster/lease.ts'
import { findLeases, openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { ownNameAdvice } from '#src/cluster/membership.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import type { SharedIdentity } from '#src/identity/store/shared_changes.ts'
import { markLeft } from '#src/keeping/data_dir/instance.ts'
import { LimitExchange } from '#src/edge/limits/limit_exchange.ts'
import {
  createLimitMemory,
  createNodeLimitMemory,
  type LimitMemory,
} from '#src/edge/limits/limits.ts'
import { clockProblems } from '#src/cli/start/clock.ts'
import { type CopiedNode, copyNode } from '#src/cli/start/node_copy.ts'

/** For how long a start waits for the engine, and for its servers to tell how they are set up. */
const engineMs = 30_000
const surveyMs = 3_000

/** Bytes of the longest message: one batch of the journal. */
const messageBytesMax = 8 * 1_048_576

/** How often the engine is checked again: what has become unsafe is seen within a minute. */
const watchMs = 20_000

/** For how long all is well before a node leads again that was kept from it. */
const soundMs = 10_000

const leaseBucket = 'arklog-leases'

/** What a node is made of beside its configuration. */
type ClusterParts = {
  readonly logger: Logger
  readonly clockGuard: ClockGuard
  readonly stopped: (error: unknown) => void
}

/**
 * Makes this process a node of the cluster that CLUSTER_URL names, until `opened` ends; undefined
 * without one. Errors: ClusterError, whose messages say what to do.
 */
export async function openCluster(
  config: Config,
  { logger, clockGuard, stopped }: ClusterParts,
  opened: AsyncDisposableStack,
): Promise<ClusterNode | undefined> {
  if (config.CLUSTER_URL === undefined) return undefined
  const connection = await connectToEngine(config, (event) => {
    logger.warn(event, 'the connection to the NATS servers')
  })
  opened.defer(() => connection.close())
  const { unseen } = await checkEngine(connection, { messageBytesMax }, surveyMs)
  if (unseen > 0) logger.warn({ unseen }, 'NATS servers do not answer, and were not checked')
  const patience = { forMs: engineMs, elapsedMs }
  const report = (event: NodeEvent) => reportNode(logger, event)
  const leases = await openLeaseBucket({
    connection,
    name: leaseBucket,
    ttlMs: config.CLUSTER_LEASE_MS,
    patience,
    report: ({ error: err }) => logger.warn({ err }, 'the watch on leases failed and is repeated'),
  })
  const node = nodeName(config)
  await awaitFreeName({ store: leases, node, elapsedMs, advice: ownNameAdvice })
  const cluster = new ClusterNode({
    connection,
    leases,
    node,
    host: hostname(),
    drawId: () => randomBytes(12).toString('hex'),
    patience,
    elapsedMs,
    clock: { systemMs: Date.now, hear: (name, ms) => clockGuard.hear(`node ${name}`, ms) },
    report,
    reportActor: (told) => logger.warn(told, 'a message to another node is lost'),
    stopped,
  })
  opened.defer(() => cluster.close())
  const watch = new EngineWatch({
    connection,
    needs: { messageBytesMax },
    streams: () => cluster.streams,
    optionalStreams: () => cluster.optionalStreams,
    isConnected: () => cluster.status('live').connected,
    everyMs: watchMs,
    waitMs: surveyMs,
    report: (err) => logger.warn({ err }, 'the NATS servers could not be checked'),
  })
  opened.defer(() => watch.close())
  cluster.blockLeadership(() => watch.faults)
  cluster.describeStreams(watch)
  await cluster.join()
  return cluster
}

/** Connects to the engine that CLUSTER_URL names. Errors: ClusterError, StartError. */
export async function connectToEngine(
  config: Config,
  report: (event: EngineEvent) => void,
): Promise<NatsConnection> {
  const { CLUSTER_URL: url, CLUSTER_CREDENTIALS: file, CLUSTER_CA_FILE: caFile } = config
  assert(url !== undefined, 'a cluster has an engine')
  return connectEngine({
    url: parseClusterUrl(url),
    node: nodeName(config),
    ...(file !== undefined && { credentials: await readCredentials(file) }),
    ...(caFile !== undefined && { caFile }),
    patience: { forMs: engineMs, elapsedMs },
    report,
  })
}

/**
 * Refuses to make a node of the name of one that runs. ClusterError `node_name_taken`, which names
 * it.
 */
export async function refuseTakenName(config: Config, connection: NatsConnection): Promise<void> {
  const patience = { forMs: engineMs, elapsedMs }
  const store = await findLeases({ connection, name: leaseBucket, patience })
  if (store === undefined) return
  const advice =
    'Give this machine a CLUSTER_NODE of its own, and join with the same invitation: it was not ' +
    'used.'
  await awaitFreeName({ store, node: nodeName(config), elapsedMs, advice })
}

function nodeName({ CLUSTER_NODE: node }: Config): string {
  assert(node !== undefined, 'a node of a cluster has a name')
  return node
}

/**
 * Refuses to begin a registry where the cluster has one already: `identityDir` is still to be made
 * then. ClusterError `cluster_begun`.
 */
export async function refuseSecondBeginning(
  cluster: ClusterNode,
  identityDir: string,
): Promise<void> {
  // A first start that was cut off may have begun the cluster itself.
  if (existsSync(identityDir)) return
  const { stream } = await cluster.identity()
  if ((await stream.newest(AbortSignal.timeout(engineMs))) === 0) return
  throw new ClusterError(
    'cluster_begun',
    'The cluster at CLUSTER_URL has a registry already, and this node was to begin another one. ' +
      `Remove ${path.dirname(identityDir)} (and KEYS_DIR), make an invitation at a node that ` +
      'runs ("arklog cluster invite"), and let this one join with it ("arklog cluster join").',
  )
}

/** What the identity store of a node has in common with those of the others. */
export async function sharedIdentity(
  cluster: ClusterNode,
  { CLUSTER_CONTACT_MS: contactMs }: Config,
): Promise<SharedIdentity> {
  return { ...(await cluster.identity()), contactMs }
}

/**
 * Has the environments take part, and this node campaign for the lead while nothing blocks it,
 * until `opened` ends.
 */
export function campaign(
  cluster: ClusterNode,
  environments: Environments,
  logger: Logger,
  opened: AsyncDisposableStack,
): void {
  for (const name of environmentNames) {
    const { part } = environments[name]
    assert(part !== undefined, 'an environment of a cluster has its part in it')
    cluster.add(name, part)
    cluster.blockLeadership(() => (part.hasRoom ? [] : [`${fullDisk} (${name})`]))
  }
  cluster.blockLeadership(() => clockProblems(environments))
  // Before the environments close: what they have taken is answered, and the next node leads.
  opened.defer(() => cluster.handOver())
  const report = (blockers: readonly string[]) => {
    if (blockers.length > 0)
      logger.error({ impediments: blockers }, 'this node cannot be the leader of the cluster')
    else logger.warn('this node can be the leader of the cluster again')
  }
  const candidacy = new Candidacy({ node: cluster, soundMs, elapsedMs, report })
  opened.defer(() => candidacy.close())
}

const fullDisk =
  'The disk of this node has less free than DISK_RESERVE_BYTES: it applies no changes of other ' +
  'nodes, accepts no writes, and answers reads with what it has. Free some space'

function reportNode(logger: Logger, event: NodeEvent): void {
  switch (event.type) {
    case 'lease_failed':
      return logger.warn({ key: event.key, err: event.error }, 'a lease was not renewed')
    case 'members':
      return logger.info({ nodes: event.nodes }, 'nodes of the cluster')
    case 'leads':
      return logger.info('this node is the leader of the cluster')
    case 'follows':
      return logger.info('this node is a follower in the cluster')
  }
}

/** What the limits of a registry are counted by. */
export type LimitParts = {
  readonly config: Config
  readonly identity: Pick<OpenedIdentityStore, 'deriveKey'>
  /** The node of a cluster that runs the registry, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'broadcast' | 'status'>
}

/**
 * The memory that all threads count in. On a node of a cluster, it has what the other nodes count
 * as well, until `opened` ends.
 */
export function openLimitMemory(
  { config, identity, cluster }: LimitParts,
  opened: AsyncDisposableStack,
): LimitMemory {
  if (cluster === undefined) return createLimitMemory(config)
  const memory = createNodeLimitMemory(config, identity.deriveKey('limits'))
  const exchange = new LimitExchange({
    config,
    memory,
    node: cluster.status('live').node,
    life: randomBytes(12).toString('hex'),
    broadcast: cluster.broadcast('limits'),
    contact() {
      const { connected, nodes } = cluster.status('live')
      return { connected, nodes: nodes.map(({ node }) => node) }
    },
    elapsedMs,
  })
  opened.defer(() => exchange.close())
  return memory
}

/** Lets an operator invite nodes at this one, and have it leave, until `opened` ends. */
export function openNodeAdmin(
  cluster: ClusterNode,
  copied: CopiedNode,
  logger: Logger,
  opened: AsyncDisposableStack,
): NodeAdmin {
  const invitations = cluster.invitations({
    random: randomBytes,
    systemMs: Date.now,
    copy: () => copyNode(copied),
    report: (event) => reportJoin(logger, event),
  })
  opened.defer(() => invitations.close())
  return {
    invite() {
      if (!cluster.status('live').connected) throw noContact()
      return invitations.create()
    },
    async leave() {
      const { node, nodes, connected } = cluster.status('live')
      if (!connected) throw noContact()
      const others = nodes.filter((member) => member.node !== node).map((member) => member.node)
      if (others.length === 0) throw lastNode(node)
      await cluster.handOver()
      await markLeft(copied.folders.dataDir, formatTimestamp(Date.now()))
      logger.warn({ others }, 'this node leaves the cluster')
      // As an operator stops it: requests under way are answered first.
      process.kill(process.pid, 'SIGTERM')
      return { node, others }
    },
  }
}

function reportJoin(logger: Logger, event: JoinEvent): void {
  const { type, id } = event
  if (type === 'copy_failed') logger.error({ id, err: event.error }, 'a copy could not be sent')
  else logger.info({ id, event: type }, 'an invitation to the cluster')
}

function noContact(): ClusterError {
  return new ClusterError(
    'node_unconnected',
    'This node has lost contact with the others, so it does not know the state of the ' +
      'cluster. Try again once "arklog cluster status" shows them.',
  )
}

function lastNode(node: string): ClusterError {
  return new ClusterError(
    'node_last',
    `${node} is the only running node of the cluster, so it cannot leave. Start another one ` +
      'first. To shut the registry down, stop this one.',
  )
}
