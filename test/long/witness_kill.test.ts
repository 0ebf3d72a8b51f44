import test from 'ava'

import { seed } from '#test/_seed.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { runWitnessKills } from '#test/scenario/_witness_kills.ts'

const rounds = countOf({ few: 4, full: 60 })

test.serial(
  `${rounds} kills of a witness under load leave every log with one history`,
  async (t) => {
    t.timeout(45 * 60_000)
    await runWitnessKills(t, { rounds, seed })
  },
)
