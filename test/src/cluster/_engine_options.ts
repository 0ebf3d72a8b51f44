import { type EngineOptions } from '#src/cluster/engine.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

/** Patience of tests: a failure that passes is waited for, on a busy machine too. */
export const testPatience = { forMs: 30_000, elapsedMs: () => performance.now() }

/** How a node of the tests reaches servers. */
export function engineOptions(servers: NatsServers, node = 'a'): EngineOptions {
  return {
    url: parseClusterUrl(servers.url),
    node,
    patience: testPatience,
    report: () => undefined,
  }
}
