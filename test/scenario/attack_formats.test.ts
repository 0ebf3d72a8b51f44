import test from 'ava'

import { readLongestForms } from '#test/scenario/_longest_forms.ts'

// The long suite reads the longest work that there may be, from more connections.
test('a long work in every form stops nobody', (t) =>
  readLongestForms(t, { authors: 5_000, connections: 2 }))
