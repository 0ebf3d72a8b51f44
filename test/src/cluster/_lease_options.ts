import type { ExecutionContext } from 'ava'
import { connectEngine } from '#src/cluster/engine.ts'
import { Lease, type LeaseOptions, type LeaseStore, type LeaseValue } from '#src/cluster/lease.ts'
import { openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { engineOptions, testPatience } from '#test/src/cluster/_engine_options.ts'
import { patiently } from '#src/cluster/passing_fault.ts'
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

/** Writes a key from outside, whatever stands there, and also where servers answer late. */
export async function writeOver(store: LeaseStore, key: string, value: LeaseValue): Promise<void> {
  const write = async () => {
    const before = await store.read(key)
    if (before === undefined) return store.create(key, value)
    return store.update(key, value, before.revision)
  }
  while ((await patiently(write, testPatience)) === undefined);
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
