import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import { formatTimestamp } from '#actors/values/clock.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { JoinEvent, NodeAdmin } from '#src/cluster/invitations.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import { markLeft } from '#src/keeping/data_dir/instance.ts'
import { type CopiedNode, copyNode } from '#src/start/node_copy.ts'

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
      // As whoever stops it does: what is under way is answered first.
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
    'This node has lost contact with the others, so it does not know how the cluster stands. Try ' +
      'again once "arklog cluster status" shows them.',
  )
}

function lastNode(node: string): ClusterError {
  return new ClusterError(
    'node_last',
    `${node} is the only node of the cluster that runs: whoever leaves has to leave the registry ` +
      'to others. Start another one first; to take the registry down, stop this one.',
  )
}
