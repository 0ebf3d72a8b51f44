import test from 'ava'

import { countWalks } from '#test/walks/_figures.ts'
import {
  figuresOf,
  lowerFigures,
  readKeptFigures,
  risenFigures,
} from '#test/walks/_kept_figures.ts'

/** How often walks are counted: what a thread does by the clock can only add to a figure. */
const countsMax = 3

test('no walk of a request has become longer', async (t) => {
  t.timeout(30 * 60_000)
  const kept = readKeptFigures()
  let now = figuresOf(await countWalks([0, 1]))
  for (let count = 1; count < countsMax && risenFigures(kept, now).length > 0; count += 1) {
    now = lowerFigures(now, figuresOf(await countWalks([0, 1])))
  }
  t.deepEqual(risenFigures(kept, now), [])
})
