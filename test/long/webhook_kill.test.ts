// A registry is killed again and again while it delivers: with FULL_COUNTS=1 20 times during 10,000
// events.

import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { killDuringDeliveries } from '#test/scenario/_webhook_kills.ts'

test('kills during many deliveries lose none, and keep the order of each work', async (t) => {
  t.timeout(3_600_000)
  const lives = countOf({ few: 3, full: 21 })
  const worksOfALife = countOf({ few: 6, full: 239 })
  await killDuringDeliveries(t, { lives, worksOfALife })
})
