import type { ExecutionContext } from 'ava'

import { connectEngine } from '#src/cluster/engine.ts'
import { openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { ClusterNode } from '#src/cluster/node.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

let lives = 0

/** A node without environments, until the end of the test; `bucket` names where its leases are. */
export async function bareNode(
  t: ExecutionContext,
  servers: NatsServers,
  { name, bucket }: { readonly name: string; readonly bucket: string },
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
    drawId: () => `${name}-${process.pid}-${(lives += 1)}`,
    patience: testPatience,
    elapsedMs: () => performance.now(),
    report,
    reportActor: report,
    halted: (error) => t.fail(String(error)),
  })
  t.teardown(() => node.close())
  return { node, leases, connection }
}
