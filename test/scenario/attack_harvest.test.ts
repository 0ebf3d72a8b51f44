import test from 'ava'

import { harvestLongest } from '#test/scenario/_longest_harvests.ts'

// The long suite harvests the longest works that there may be.
test('harvests of long works stop nobody', (t) =>
  harvestLongest(t, { works: 10, authors: 5_000, harvesters: 8 }))
