import test from 'ava'

import { readLongestForms } from '#test/scenario/_longest_forms.ts'

// The long suite reads them from four times as many connections.
test('the longest work in every form stops nobody', (t) => readLongestForms(t, 2))
