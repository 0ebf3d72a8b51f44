import test from 'ava'
import { splitAuthors } from '#actors/values/authors.ts'

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
