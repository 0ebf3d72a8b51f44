import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import type { ClusterNode } from '#src/cluster/node.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { SharedUsageEvent } from '#src/usage/shared_usage.ts'
import { OwnUsage } from '#src/usage/usage.ts'

/** What the counts of uses are opened from. */
export type UsageParts = {
  readonly folder: DataFolders
  readonly logger: Logger
  /** The cluster that this process is a node of, if it is one: its nodes count together. */
  readonly cluster: ClusterNode | undefined
}

/** Opens the counts of uses of a data directory, for whoever closes them. */
export function openUsage({ folder, logger, cluster }: UsageParts): OwnUsage {
  const shared = cluster && {
    open: () => cluster.openCounts(),
    life: randomBytes(12).toString('hex'),
    report: (event: SharedUsageEvent) => reportShared(logger, event),
  }
  const usage = new OwnUsage(folder, {
    nowMs: Date.now,
    report: (err) => logger.error({ err }, 'counts of uses could not be written, and are lost'),
    ...(shared && { shared }),
  })
  if (usage.shared !== undefined) cluster?.watchCounts(usage.shared)
  return usage
}

function reportShared(logger: Logger, event: SharedUsageEvent): void {
  switch (event.type) {
    case 'usage_failed':
      return logger.warn({ err: event.error }, 'counts of uses were not shared: tried again')
    case 'usage_dropped':
      return logger.error('counts of uses are lost: there was no contact with the NATS servers')
    case 'usage_stream_changed':
      return logger.warn(event, 'the stream of counts is another one: going on from what it has')
    case 'usage_missed':
      return logger.error(
        event,
        'counts of other nodes are missing here: this one was away too long',
      )
    case 'usage_malformed':
      return logger.warn(event, 'a message of the stream of counts is passed over')
  }
}
