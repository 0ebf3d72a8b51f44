import test from 'ava'

import { harvestLongest } from '#test/scenario/_longest_harvests.ts'

// The long suite harvests as many works as a bulk request and the memory of a process can bear.
test('harvests of the longest works stop nobody', (t) =>
  harvestLongest(t, { works: 10, harvesters: 8 }))
