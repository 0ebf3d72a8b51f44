// As many works as a library has: more than a mirror reads at a time.

import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { recoverOverHttp } from '#test/scenario/_newer_recovery.ts'

test('a large registry goes on from an older backup as mirrors have it', async (t) => {
  t.timeout(3_600_000)
  await recoverOverHttp(t, { before: countOf({ few: 1_000, full: 20_000 }), after: 400 })
})
