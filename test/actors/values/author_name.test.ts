import test from 'ava'

import {
  canBeSameName,
  invertedName,
  isNoName,
  isSameName,
  namesSeveral,
  readName,
  splitAuthors,
  wholeName,
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
  ['Martin Luther King, Jr.', 'Martin Luther King Jr.', true],
  ['King, Martin Luther, Jr.', 'Martin Luther King Jr.', true],
  ['Ann Alpha, PhD', 'Ann Alpha', true],
  ['John Smith, Jr.', 'John Smith, Sr.', false],
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

test('what a company is by law is a part of its name', (t) => {
  for (const name of [
    'Free Software Foundation, Inc.',
    'Acme, Ltd.',
    'Acme, GmbH',
    'Acme, GmbH & Co. KG',
    'Acme, LLC',
    'Acme, Co., Ltd.',
  ]) {
    t.deepEqual(splitAuthors(name), [name])
    t.deepEqual(splitAuthors(`Ada Gibbs, ${name}, Emma Noether`), [
      'Ada Gibbs',
      name,
      'Emma Noether',
    ])
    t.is(invertedName(name), undefined)
  }
  // Initials, or a name that begins so.
  t.deepEqual(splitAuthors('Smith, S.A., Ada Inchbald'), ['Smith', 'S.A.', 'Ada Inchbald'])
  t.deepEqual(splitAuthors('Inc., Ada Gibbs'), ['Inc.', 'Ada Gibbs'])
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

test('a suffix and degrees after a comma are no given names', (t) => {
  const king = { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }
  for (const [name, read] of [
    ['Martin Luther King, Jr.', { name: 'Martin Luther King Jr.', suffix: 'Jr.' }],
    ['King, Martin Luther, Jr.', { name: 'Martin Luther King Jr.', ...king }],
    ['King, Jr., Martin Luther', { name: 'Martin Luther King Jr.', ...king }],
    ['Henry Ford, II', { name: 'Henry Ford II', suffix: 'II' }],
    ['Ann Alpha, PhD', { name: 'Ann Alpha' }],
    ['Ann Alpha, MD, Ph.D.', { name: 'Ann Alpha' }],
    ['Alpha, Ann, PhD', { name: 'Ann Alpha', family: 'Alpha', given: 'Ann' }],
    // Initials, as medical journals write them.
    ['Petrov, II', { name: 'Petrov, II' }],
    ['Smith, MD', { name: 'Smith, MD' }],
    ['Lovelace, Ada', { name: 'Lovelace, Ada' }],
    [
      'Department of Ships, Ports, and Harbours',
      { name: 'Department of Ships, Ports, and Harbours' },
    ],
  ] as const) {
    t.deepEqual(readName(name), read, name)
  }
  t.is(wholeName(king), 'Martin Luther King Jr.')
})

test('what is no name, and what may be two, is known', (t) => {
  for (const text of ['Jr.', 'III', 'PhD', 'M.D.', 'et al.', 'and others', 'others'])
    t.true(isNoName(text), text)
  for (const text of ['Ann', 'Li', 'Al Gore']) t.false(isNoName(text), text)
  for (const text of [
    'Ann Alpha and Bob Beta',
    'A. Alpha & B. van Beta',
    'and Bob Beta',
    'A. Alpha et al.',
    'Ann Alpha UND Bob Beta',
    'Ann Alpha et Émile Zola',
    'Ana Alfa y Berta Beta',
    'Ann Alpha og Bo Beta',
    'Анна Альфа и Борис Бета',
    'Ann Alpha | Bob Beta',
    'Alpha, Ann & Beta, Bob',
  ]) {
    t.true(namesSeveral(text), text)
  }
  for (const text of [
    'Department of Health and Human Services',
    'Smith and Sons',
    'José Ortega y Gasset',
    'Ortega y Gasset, José',
    'Health, Education and Welfare',
    'Ada Anderson',
  ]) {
    t.false(namesSeveral(text), text)
  }
})
