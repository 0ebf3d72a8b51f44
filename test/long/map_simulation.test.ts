import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { checkJournalRun } from '#test/simulation/_journal_checks.ts'
import { runMaps } from '#test/simulation/_map_run.ts'

const steps = 500
const seeds = countOf({ few: 12, full: 200 })

for (const nodes of [['a'], ['a', 'b', 'c']]) {
  test.serial(
    `${seeds * steps} operations with crashes raise no alarm, nodes: ${nodes.join()}`,
    async (t) => {
      t.timeout(60 * 60_000)
      let [crashes, leaves, statements] = [0, 0, 0]
      for (let seed = 0; seed < seeds; seed += 1) {
        const run = await runMaps(seed, steps, nodes)
        checkJournalRun(t, run, seed)
        crashes += run.crashes
        leaves += run.mapLeaves
        statements += run.statements
        if (seed % 20 === 19) {
          t.log(
            `${seed + 1} seeds: ${crashes} crashes, ${leaves} map leaves, ${statements} statements`,
          )
        }
      }
      // Of the full counts that is 500 crashes in 100,000 operations.
      t.true(crashes >= 2.5 * seeds && leaves >= seeds && statements >= 5 * seeds)
    },
  )
}
