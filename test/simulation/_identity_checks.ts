import type { ExecutionContext } from 'ava'

import type { MemoryDisk } from '#test/contracts/_memory_store.ts'
import type { IdentityRun } from '#test/simulation/_identity_run.ts'

/** Checks what three nodes that share an identity store have come to, whatever happened to them. */
export function checkIdentityRun(t: ExecutionContext, run: IdentityRun, seed: number): void {
  const { disks, used, added, count, acknowledged } = run
  const all = new Set(disks.map(spelled))
  t.is(all.size, 1, `the rows of all nodes are equal (seed ${seed})`)
  for (const [key, times] of used) t.is(times, 1, `${key} was used once (seed ${seed})`)
  t.true(added.least <= count && count <= added.most, `${count} is no count (seed ${seed})`)
  const lost = acknowledged.filter((key) => disks[0]?.has(key) !== true)
  t.deepEqual(lost, [], `what was acknowledged is there (seed ${seed})`)
}

/** All rows, byte for byte. */
function spelled(disk: MemoryDisk): string {
  const rows = [...disk].map(([key, value]) => `${key} ${Buffer.from(value).toString('hex')}`)
  return rows.toSorted().join('\n')
}
