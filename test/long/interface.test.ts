// Every row of the interface, tried against a registry that runs (npm run check:interface).

import test from 'ava'

import { checkInterface } from '#test/interface/_check.ts'
import { formatOutcomes } from '#test/interface/_table.ts'

test('every row of the interface is as written, or explained', async (t) => {
  const outcomes = await checkInterface()
  t.true(outcomes.length > 500)
  const others = outcomes.filter(({ result }) => result === 'failed' || result === 'not_tried')
  t.deepEqual(others, [], formatOutcomes(others))
})
