import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { checkJournalRun } from '#test/simulation/_journal_checks.ts'
import { runJournal } from '#test/simulation/_journal_run.ts'

const seeds = countOf({ few: 800, full: 10_000 })
const steps = 300

test.serial(`three nodes keep one journal under ${seeds} seeds`, async (t) => {
  t.timeout(30 * 60_000)
  let acknowledged = 0
  for (let seed = 0; seed < seeds; seed += 1) {
    const run = await runJournal(seed, steps)
    checkJournalRun(t, run, seed)
    acknowledged += run.acknowledged.size
    if (seed % 1_000 === 999) t.log(`${seed + 1} seeds, ${acknowledged} changes acknowledged`)
  }
  t.true(acknowledged > seeds * 5, `${acknowledged} changes were acknowledged`)
})
