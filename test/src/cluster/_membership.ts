import type { ExecutionContext } from 'ava'

import { Membership, type MembershipOptions } from '#src/cluster/membership.ts'

let lives = 0

/** Joins as a node, until the end of the test. */
export function join(
  t: ExecutionContext,
  options: Pick<MembershipOptions, 'store' | 'node'> & Partial<MembershipOptions>,
): Membership {
  const membership = new Membership({
    life: `life-${(lives += 1)}`,
    describe: () => ({}),
    heard: () => undefined,
    elapsedMs: () => performance.now(),
    changed: () => undefined,
    replaced: (error) => t.fail(error.message),
    report: () => undefined,
    ...options,
  })
  t.teardown(() => membership.leave())
  return membership
}
