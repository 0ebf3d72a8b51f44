import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { harvestLongest } from '#test/scenario/_longest_harvests.ts'

const harvesters = countOf({ few: 8, full: 24 })
const works = countOf({ few: 12, full: 50 })

test(`${harvesters} harvests of ${works} of the longest works stop nobody`, (t) =>
  harvestLongest(t, { works, authors: 20_000, harvesters }))
