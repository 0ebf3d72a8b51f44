import test from 'ava'

import { checkIdentityRun } from '#test/simulation/_identity_checks.ts'
import { runIdentity } from '#test/simulation/_identity_run.ts'

// The long suite runs a thousand seeds; these show with every change that the run still works.
const seeds = 10
const steps = 200

test.serial(`three nodes share one identity store (seeds 0 to ${seeds - 1})`, async (t) => {
  t.timeout(5 * 60_000)
  let acknowledged = 0
  for (let seed = 0; seed < seeds; seed += 1) {
    const run = await runIdentity(seed, steps)
    checkIdentityRun(t, run, seed)
    acknowledged += run.acknowledged.length + run.added.least
  }
  t.true(acknowledged > seeds * 10, `${acknowledged} changes were acknowledged`)
})
