import test from 'ava'
import fc from 'fast-check'
import { joinKeywords, keywordsOf } from '#actors/values/text.ts'

const chemicals = ['1,2-dichloroethane', '2,4-D', "1,1'-biphenyl", '1,2,3-triazole']

test('keywords are parted at semicolons if there is one, else at commas', (t) => {
  for (const [text, words] of [
    [
      'Diabetes Mellitus, Type 2; Models, Biological',
      ['Diabetes Mellitus, Type 2', 'Models, Biological'],
    ],
    ['engines, notes', ['engines', 'notes']],
    ['1,2-dichloroethane;', ['1,2-dichloroethane']],
    ["1,2-dichloroethane, 2,4-D,1,1'-biphenyl, 1,2,3-triazole", chemicals],
    [
      'N,N-dimethylaniline, α,β-unsaturated ketones, (1,3)-glucan',
      ['N,N-dimethylaniline', 'α,β-unsaturated ketones', '(1,3)-glucan'],
    ],
    ['DNA,RNA-binding', ['DNA', 'RNA-binding']],
    ['深層学習、画像', ['深層学習', '画像']],
    ['a；b，c', ['a', 'b，c']],
    ['2019,2020, 1,2', ['2019', '2020', '1', '2']],
    [' a ,, b, a', ['a', 'b']],
    ['', []],
  ] as const) {
    t.deepEqual(keywordsOf(text), [...words], text)
  }
})

test('keywords are joined with semicolons only where one has a comma', (t) => {
  t.is(joinKeywords(['engines', 'notes']), 'engines, notes')
  t.is(joinKeywords(['Models, Biological', 'notes']), 'Models, Biological; notes')
  t.is(joinKeywords(['Models, Biological']), 'Models, Biological;')
  t.is(joinKeywords([]), '')
})

test('property: what is joined is parted into the same keywords', (t) => {
  const word = fc
    .string({ unit: fc.constantFrom(...'ab ,，'), minLength: 1 })
    .map((text) => text.trim())
  const words = fc.uniqueArray(word.filter((text) => text !== ''))
  fc.assert(
    fc.property(words, (list) => {
      t.deepEqual(keywordsOf(joinKeywords(list)), list)
    }),
  )
})
