import test from 'ava'

import { killDuringDeliveries } from '#test/scenario/_webhook_kills.ts'

test('kills during deliveries lose no message, and keep the order of each work', async (t) => {
  t.timeout(600_000)
  await killDuringDeliveries(t, { lives: 3, worksOfALife: 6 })
})
