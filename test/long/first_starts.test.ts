import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { raceFirstStarts } from '#test/scenario/_first_starts.ts'

const rounds = countOf({ few: 2, full: 12 })

test.serial(`of two first starts on one folder one serves, ${rounds} times`, async (t) => {
  t.timeout(10 * 60_000)
  await raceFirstStarts(t, rounds)
})
