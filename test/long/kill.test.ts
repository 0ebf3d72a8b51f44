import test from 'ava'

import { seed } from '#test/_seed.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { runKillRounds } from '#test/scenario/_kill_round.ts'

const rounds = countOf({ few: 2, full: 30 })

test.serial(`${rounds} kills under load break no promise`, async (t) => {
  t.timeout(45 * 60_000)
  await runKillRounds(t, { rounds, seed })
})
