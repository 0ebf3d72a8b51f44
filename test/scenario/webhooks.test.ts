import test from 'ava'

import { killDuringDeliveries } from '#test/scenario/_webhook_kills.ts'

test('kills during deliveries lose no message, and keep the order of each work', async (t) => {
  await killDuringDeliveries(t, { lives: 3, worksOfALife: 6 })
})
