import {
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'

import { checkStream } from '#src/cluster/engine.ts'
import { journalAgeMs, journalReplicas, type judgeStream } from '#src/cluster/engine_state.ts'
import { isRefusal, nameInUse } from '#src/cluster/engine_refusal.ts'
import { type Patience, patiently } from '#src/cluster/passing_fault.ts'

/** What streams that nodes share differ in: its subject, and what it does when it is full. */
export type KeptStream = {
  readonly name: string
  readonly subject: string
  readonly settings: Pick<StreamConfig, 'discard'> &
    Partial<Pick<StreamConfig, 'max_bytes' | 'compression'>>
  /** Says what is wrong with a stream that is there; if it is left out, what a journal needs. */
  readonly judge?: typeof judgeStream
}

/**
 * Opens a stream that nodes share, and makes it if it is missing: on three servers, in files, of
 * which nothing can be deleted before its time. ClusterError `engine_unsafe` where there is one of
 * that name that is not fit.
 */
export async function openKeptStream(
  connection: NatsConnection,
  { name, subject, settings, judge }: KeptStream,
  patience: Patience,
): Promise<JetStreamManager> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const configuration = {
    name,
    subjects: [subject],
    num_replicas: journalReplicas,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(journalAgeMs),
    deny_delete: true,
    deny_purge: true,
    allow_direct: false,
    ...settings,
  }
  await patiently(() => makeStream(manager, configuration), patience)
  await checkStream(connection, name, patience, judge)
  return manager
}

// A stream that is there stays as it is: the same configuration is no change of it.
async function makeStream(
  manager: JetStreamManager,
  configuration: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  try {
    await manager.streams.add(configuration)
  } catch (error) {
    if (!isRefusal(error, [nameInUse])) throw error
  }
}
