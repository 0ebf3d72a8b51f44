import test from 'ava'

import { checkJournalRun } from '#test/simulation/_journal_checks.ts'
import { runJournal } from '#test/simulation/_journal_run.ts'

// The long suite runs ten thousand seeds; these show with every change that the run still works.
const seeds = 30
const steps = 300

test.serial(`three nodes keep one journal (seeds 0 to ${seeds - 1})`, async (t) => {
  let acknowledged = 0
  for (let seed = 0; seed < seeds; seed += 1) {
    const run = await runJournal(seed, steps)
    checkJournalRun(t, run, seed)
    acknowledged += run.acknowledged.size
  }
  t.true(acknowledged > seeds * 5, `${acknowledged} changes were acknowledged`)
})
