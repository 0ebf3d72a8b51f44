import test from 'ava'

import { checkJournalRun } from '#test/simulation/_journal_checks.ts'
import { runMaps } from '#test/simulation/_map_run.ts'

// The long suite has 200,000 operations and 1,700 crashes; these show that the run still works.
for (const nodes of [['a'], ['a', 'b', 'c']]) {
  test.serial(
    `an honest map raises no alarm through crashes, nodes: ${nodes.join()}`,
    async (t) => {
      let [crashes, leaves, statements] = [0, 0, 0]
      for (let seed = 0; seed < 8; seed += 1) {
        const run = await runMaps(seed, 300, nodes)
        checkJournalRun(t, run, seed)
        crashes += run.crashes
        leaves += run.mapLeaves
        statements += run.statements
      }
      t.log(`${crashes} crashes, ${leaves} map leaves, ${statements} statements`)
      t.true(crashes >= 10 && leaves >= 8 && statements >= 40)
    },
  )
}
