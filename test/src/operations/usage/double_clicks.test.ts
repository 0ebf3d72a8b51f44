import { randomBytes } from 'node:crypto'
import test from 'ava'

import { createClickMemory, DoubleClicks } from '#src/operations/usage/usage.ts'

const day = 20_000
const noon = day * 86_400_000 + 43_200_000

test('of the same within 30 s one is counted, however often it is clicked', (t) => {
  const clicks = new DoubleClicks(createClickMemory(), randomBytes)
  const at = [0, 30_000, 59_000, 89_000, 119_001]
  const repeated = at.map((ms) => clicks.isRepeated('a work, a client', day, noon + ms))
  t.deepEqual(repeated, [false, true, true, true, false])
  t.false(clicks.isRepeated('a work, another client', day, noon + 119_001))
})

test('threads see the clicks of one another', (t) => {
  const memory = createClickMemory()
  const [one, other] = [
    new DoubleClicks(memory, randomBytes),
    new DoubleClicks(memory, randomBytes),
  ]
  t.false(one.isRepeated('click', day, noon))
  t.true(other.isRepeated('click', day, noon + 1_000))
})

test('another day begins under another salt, and nothing of the old one is left', (t) => {
  const memory = createClickMemory()
  const clicks = new DoubleClicks(memory, randomBytes)
  t.false(clicks.isRepeated('click', day, noon))
  const before = new Int32Array(memory).slice()
  t.false(clicks.isRepeated('another', day + 1, noon + 86_400_000))
  const after = new Int32Array(memory)
  t.notDeepEqual(after.slice(0, 2), before.slice(0, 2))
  const kept = [...before.keys()].filter((at) => at > 3 && before[at] !== 0 && after[at] !== 0)
  t.deepEqual(kept, [])
})

test('more clicks than there is room for take no more memory', (t) => {
  const clicks = new DoubleClicks(createClickMemory(), randomBytes)
  for (let count = 0; count < 300_000; count += 1) clicks.isRepeated(`${count}`, day, noon)
  t.true(clicks.isRepeated('299999', day, noon))
})
