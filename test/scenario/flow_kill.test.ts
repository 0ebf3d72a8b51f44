import test from 'ava'

import { runFlowKills } from '#test/scenario/_flow_kills.ts'

test.serial('a kill in any step of the flow leaves nothing half done', async (t) => {
  t.timeout(5 * 60_000)
  await runFlowKills(t, { rounds: 1, seed: 1 })
})
