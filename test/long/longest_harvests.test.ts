import test from 'ava'

import { harvestLongest } from '#test/scenario/_longest_harvests.ts'

test('24 harvests of 50 of the longest works stop nobody', (t) =>
  harvestLongest(t, { works: 50, harvesters: 24 }))
