import test from 'ava'

import { runKillRounds } from '#test/scenario/_kill_round.ts'

test.serial('2 kills under load break no promise', async (t) => {
  await runKillRounds(t, { rounds: 2, seed: 1 })
})
