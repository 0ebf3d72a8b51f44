import test from 'ava'

import { canBeSameName, isSameName } from '#actors/values/author_name.ts'

test('a name is the same in either order and in any case', (t) => {
  t.true(isSameName('Lovelace, Ada', 'ada  LOVELACE'))
  t.false(isSameName('Lovelace, A.', 'Ada Lovelace'))
})

for (const [one, other, expected] of [
  ['Lovelace, Ada', 'Ada Lovelace', true],
  ['A. Lovelace', 'Ada Lovelace', true],
  ['Lovelace, A. K.', 'Ada King Lovelace', true],
  ['Ada King Lovelace', 'Ada Lovelace', true],
  ['Müller, Jörg', 'Jorg Muller', true],
  ['van Rossum, Guido', 'Guido van Rossum', true],
  ['王 小明', '小明 王', true],
  ['Ada Byron', 'Ada Lovelace', false],
  ['B. Lovelace', 'Ada Lovelace', false],
  ['Charles Lovelace', 'Ada Lovelace', false],
  ['Lovelace', 'Ada Lovelace', false],
  ['Albert Einstein', 'Mallory', false],
  ['', 'Ada', false],
] as const) {
  test(`${one || 'no name'} ${expected ? 'can' : 'cannot'} be ${other}`, (t) => {
    t.is(canBeSameName(one, other), expected)
    t.is(canBeSameName(other, one), expected)
  })
}
