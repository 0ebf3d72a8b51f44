import type { ExecutionContext } from 'ava'
import { connectEngine } from '#src/cluster/engine.ts'
import { Lease, type LeaseOptions, type LeaseStore } from '#src/cluster/lease.ts'
import { openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import type { NatsServers } from '#test/src/cluster/_nats_servers.ts'

/** After which a lease is gone, unless a test says otherwise: a busy machine renews it in time. */
const ttlMs = 10_000

/** A bucket for leases, over a connection of its own, until the end of the test. */
export async function leaseStore(
  t: ExecutionContext,
  servers: NatsServers,
  options: { readonly name: string; readonly ttlMs?: number },
): Promise<LeaseStore> {
  const connection = await connectEngine(engineOptions(servers))
  t.teardown(() => connection.close())
  const report = () => undefined
  return openLeaseBucket({ connection, ttlMs, patience: testPatience, report, ...options })
}

/** Wants a lease, until the end of the test. */
export function wantLease(
  t: ExecutionContext,
  options: Pick<LeaseOptions, 'store' | 'holder'> & Partial<LeaseOptions>,
): Lease {
  const lease = new Lease({
    key: 'leader',
    describe: () => ({}),
    elapsedMs: () => performance.now(),
    changed: () => undefined,
    report: () => undefined,
    ...options,
  })
  t.teardown(() => lease.release())
  return lease
}
