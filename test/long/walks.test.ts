import test from 'ava'

import { countWalks } from '#test/walks/_figures.ts'
import { figuresOf, readKeptFigures, risenFigures } from '#test/walks/_kept_figures.ts'

test('no walk of a request has become longer', async (t) => {
  t.timeout(20 * 60_000)
  const now = figuresOf(await countWalks([0, 1]))
  t.deepEqual(risenFigures(readKeptFigures(), now), [])
})
