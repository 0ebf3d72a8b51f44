import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { runFixity } from '#test/scenario/_fixity_run.ts'

const works = countOf({ few: 300, full: 5_000 })
const kills = countOf({ few: 2, full: 10 })

test.serial(
  `${works} works of all sorts of content end in their states, through ${kills} kills`,
  async (t) => {
    t.timeout(20 * 60_000)
    await runFixity(t, { works, kills, patienceMs: 90_000 })
  },
)
