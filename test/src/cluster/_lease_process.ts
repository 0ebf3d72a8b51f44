// Wants a lease as a process: it is given CLUSTER_URL, the name of a bucket, its own, and for how
// long a lease lives. It tells every few milliseconds which token it holds, 0 for none.

import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { connectEngine } from '#src/cluster/engine.ts'
import { Lease } from '#src/cluster/lease.ts'
import { openLeaseBucket } from '#src/cluster/lease_bucket.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'

const [, , url = '', name = '', holder = '', ttlMs = ''] = process.argv
const report = () => undefined
const connection = await connectEngine({
  url: parseClusterUrl(url),
  node: holder,
  patience: testPatience,
  report,
})
const store = await openLeaseBucket({
  connection,
  name,
  ttlMs: Number(ttlMs),
  patience: testPatience,
  report,
})
/** What a process held, at a moment on the clock that all processes of a machine share. */
export type LeaseSample = { readonly atMs: number; readonly token: number }

const lease = new Lease({
  store,
  key: 'leader',
  holder,
  describe: () => ({}),
  elapsedMs: () => performance.now(),
  changed: () => undefined,
  report,
})
setInterval(() => {
  // The moment first: whatever comes between, what is held afterwards was held then.
  const atMs = Number(process.hrtime.bigint()) / 1e6
  process.send?.({ atMs, token: lease.held?.token ?? 0 } satisfies LeaseSample)
}, 5)
process.once('disconnect', () => process.exit())
