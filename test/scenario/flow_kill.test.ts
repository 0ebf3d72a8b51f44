import test from 'ava'

import { seed } from '#test/_seed.ts'
import { runFlowKills } from '#test/scenario/_flow_kills.ts'

// In some of the steps: the long suite kills in all of them.
test.serial('a kill in any step of the flow leaves nothing half done', async (t) => {
  t.timeout(600_000)
  await runFlowKills(t, { rounds: 1, seed, stepsOfRound: 5 })
})
