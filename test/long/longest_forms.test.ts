import test from 'ava'

import { countOf } from '#test/long/_full_counts.ts'
import { readLongestForms } from '#test/scenario/_longest_forms.ts'

const connections = countOf({ few: 4, full: 16 })

test(`the longest work in every form, from ${connections} connections, stops nobody`, (t) =>
  readLongestForms(t, { authors: 20_000, connections }))
