import test from 'ava'

import {
  canBeSameName,
  invertedName,
  isSameName,
  splitAuthors,
} from '#actors/values/author_name.ts'

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

test('parts names by semicolons if there is one, else by commas', (t) => {
  t.deepEqual(splitAuthors('Ada Gibbs, Emma Noether'), ['Ada Gibbs', 'Emma Noether'])
  t.deepEqual(splitAuthors('Gibbs, Ada; Noether, Emma'), ['Gibbs, Ada', 'Noether, Emma'])
  t.deepEqual(splitAuthors('Gibbs, Ada;'), ['Gibbs, Ada'])
  t.deepEqual(splitAuthors('吳健雄'), ['吳健雄'])
})

test('leaves out empty names', (t) => {
  t.deepEqual(splitAuthors(' A ,, B ,'), ['A', 'B'])
  t.deepEqual(splitAuthors(' ; '), [])
})

test('names that may be one with its family name first are recognized', (t) => {
  t.deepEqual(invertedName('Lovelace, Ada'), ['Lovelace', 'Ada'])
  t.deepEqual(invertedName('Gibbs, Josiah Willard, Noether, Emma'), ['Gibbs', 'Josiah Willard'])
  const plain = [
    'Ada Gibbs, Emma Noether',
    'Lovelace, Ada;',
    'Plato',
    'A, B, C',
    'Ada Gibbs, Plato',
  ]
  for (const authors of plain) t.is(invertedName(authors), undefined, authors)
})
