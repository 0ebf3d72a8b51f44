import type { ExecutionContext } from 'ava'

import { connectEngine } from '#src/cluster/engine.ts'
import { openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { ClusterNode } from '#src/cluster/node.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

let lives = 0

type BareNodeOptions = {
  readonly name: string
  /** Where its leases are. */
  readonly bucket: string
  readonly stopped?: (error: unknown) => void
  readonly elapsedMs?: () => number
}

/** A node without environments, until the end of the test. */
export async function bareNode(
  t: ExecutionContext,
  servers: NatsServers,
  {
    name,
    bucket,
    stopped = (error) => t.fail(String(error)),
    elapsedMs = () => performance.now(),
  }: BareNodeOptions,
) {
  const connection = await connectEngine(engineOptions(servers, name))
  t.teardown(() => connection.close())
  const report = () => undefined
  const leases = await openLeaseBucket({
    connection,
    name: bucket,
    ttlMs: 5_000,
    patience: testPatience,
    report,
  })
  const node = new ClusterNode({
    connection,
    leases,
    node: name,
    host: 'host-1',
    drawId: () => `${name}-${process.pid}-${(lives += 1)}`,
    patience: testPatience,
    elapsedMs,
    clock: { systemMs: Date.now, hear: () => undefined },
    report,
    reportActor: report,
    stopped,
  })
  t.teardown(() => node.close())
  return { node, leases, connection }
}
