import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { checkIdentityRun } from '#test/simulation/_identity_checks.ts'
import { runIdentity } from '#test/simulation/_identity_run.ts'

const seeds = countOf({ few: 50, full: 1_000 })
const steps = 200

test.serial(`three nodes share one identity store under ${seeds} seeds`, async (t) => {
  t.timeout(30 * 60_000)
  let acknowledged = 0
  for (let seed = 0; seed < seeds; seed += 1) {
    const run = await runIdentity(seed, steps)
    checkIdentityRun(t, run, seed)
    acknowledged += run.acknowledged.length + run.added.least
    if (seed % 100 === 99) t.log(`${seed + 1} seeds, ${acknowledged} changes acknowledged`)
  }
  t.true(acknowledged > seeds * 10, `${acknowledged} changes were acknowledged`)
})
