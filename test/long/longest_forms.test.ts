import test from 'ava'

import { readLongestForms } from '#test/scenario/_longest_forms.ts'

test('the longest work in every form, from 16 connections, stops nobody', (t) =>
  readLongestForms(t, 16))
