import test from 'ava'

import { lowerFigures, readKeptFigures, risenFigures } from '#test/walks/_kept_figures.ts'

const figures = { files: 3, functions: 20, shapes: 2 }

test('the figures of walks may fall, and none may rise or be left out', (t) => {
  const kept = { mint: figures, resolve: figures }
  t.deepEqual(risenFigures(kept, kept), [])
  t.deepEqual(risenFigures(kept, { ...kept, mint: { ...figures, files: 2 }, new: figures }), [])
  t.deepEqual(risenFigures(kept, { ...kept, mint: { ...figures, functions: 21 } }), [
    'mint: 21 functions, not 20 at most',
  ])
  t.deepEqual(risenFigures(kept, { mint: figures }), ['resolve: was not counted'])
})

test('what is kept is the lowest of each figure', (t) => {
  const first = { mint: figures }
  const second = { mint: { files: 4, functions: 19, shapes: 2 }, token: figures }
  const lower = { mint: { files: 3, functions: 19, shapes: 2 }, token: figures }
  t.deepEqual(lowerFigures(first, second), lower)
})

test('each walk is kept in one thread and with an edge thread', (t) => {
  const names = Object.keys(readKeptFigures())
  const alone = names.filter((name) => name.endsWith(', in one thread'))
  t.true(alone.length >= 9)
  t.deepEqual(
    alone.map((name) => name.replace(', in one thread', ', with an edge thread')).toSorted(),
    names.filter((name) => !alone.includes(name)).toSorted(),
  )
})
