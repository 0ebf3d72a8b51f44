import test from 'ava'

import { runWitnessKills } from '#test/scenario/_witness_kills.ts'

test.serial('4 kills of a witness under load leave every log with one history', async (t) => {
  await runWitnessKills(t, { rounds: 4, seed: 1 })
})
