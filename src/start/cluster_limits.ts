import { randomBytes } from 'node:crypto'

import type { Config } from '#config/schema.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import { LimitExchange } from '#src/limits/limit_exchange.ts'
import { createLimitMemory, createNodeLimitMemory, type LimitMemory } from '#src/limits/limits.ts'
import type { OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { elapsedMs } from '#src/start/elapsed.ts'

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
