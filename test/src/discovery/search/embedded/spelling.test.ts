import test from 'ava'
import fc from 'fast-check'

import {
  errorsAllowed,
  lettersOf,
  mayBeNear,
  spellingDistance,
} from '#src/discovery/search/embedded/vocabulary.ts'

test('longer words may have more wrong letters, and numbers none', (t) => {
  t.deepEqual(
    ['four', 'fives', 'eightfold', '20245', 'covid19'].map(errorsAllowed),
    [0, 1, 2, 0, 0],
  )
})

test('a letter changed, added, left out or exchanged is one', (t) => {
  for (const near of ['netwark', 'networks', 'netork', 'newtork', 'etwork']) {
    t.is(spellingDistance('network', near, 2), 1, near)
  }
  t.is(spellingDistance('network', 'network', 2), 0)
  t.is(spellingDistance('network', 'nwtork', 2), 2)
  t.true(spellingDistance('network', 'planet', 2) > 2)
})

test('the distance is the same both ways, and none only of a word to itself', (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  t.notThrows(() =>
    fc.assert(
      fc.property(word, word, (one, other) => {
        const distance = spellingDistance(one, other, 8)
        return distance === spellingDistance(other, one, 8) && (distance === 0) === (one === other)
      }),
    ),
  )
})

test('no words that are near are told apart by their letters alone', (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'z', 'é', 'д'), maxLength: 6 })
  t.notThrows(() =>
    fc.assert(
      fc.property(word, word, (one, other) => {
        const distance = spellingDistance(one, other, 2)
        return distance > 2 || mayBeNear(lettersOf(one), lettersOf(other), distance)
      }),
    ),
  )
  t.false(mayBeNear(lettersOf('network'), lettersOf('planet'), 1))
})
