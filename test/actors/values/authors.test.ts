import test from 'ava'
import { invertedName, splitAuthors } from '#actors/values/authors.ts'

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
