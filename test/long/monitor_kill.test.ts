import test from 'ava'

import { seed } from '#test/_seed.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { runMonitorKills } from '#test/scenario/_monitor_kills.ts'

const lives = countOf({ few: 2, full: 100 })

test.serial(`a monitor killed ${lives} times tells each statement at least once`, async (t) => {
  t.timeout(30 * 60_000)
  await runMonitorKills(t, { lives, seed })
})
