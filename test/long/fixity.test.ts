import test from 'ava'

import { runFixity } from '#test/scenario/_fixity_run.ts'

test.serial(
  '5,000 works of all sorts of content end in their states, through ten kills',
  async (t) => {
    t.timeout(20 * 60_000)
    await runFixity(t, { works: 5_000, kills: 10, patienceMs: 90_000 })
  },
)
