import test from 'ava'

import { seed } from '#test/_seed.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { runFlowKills } from '#test/scenario/_flow_kills.ts'

const rounds = countOf({ few: 1, full: 20 })

test.serial(
  `${rounds} rounds of kills in each step of a flow leave nothing half done`,
  async (t) => {
    t.timeout(30 * 60_000)
    await runFlowKills(t, { rounds, seed })
  },
)
