import { randomInt } from 'node:crypto'
import test from 'ava'

import { runFlowKills } from '#test/scenario/_flow_kills.ts'

// In some of the steps, others in each run: the long suite kills in all of them.
test.serial('a kill in any step of the flow leaves nothing half done', async (t) => {
  t.timeout(600_000)
  await runFlowKills(t, { rounds: 1, seed: randomInt(2 ** 32), stepsOfRound: 5 })
})
