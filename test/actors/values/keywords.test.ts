import test from 'ava'
import fc from 'fast-check'
import { joinKeywords, keywordsOf, recognizeKeywords } from '#actors/values/text.ts'

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
    [
      'benzo[a,h]anthracene, SO(3,1), {0,1}-matrices',
      ['benzo[a,h]anthracene', 'SO(3,1)', '{0,1}-matrices'],
    ],
    ['a (b, c', ['a (b', 'c']],
    ['10,000 years, 2,5 µm, vitamin B1,B2', ['10,000 years', '2,5 µm', 'vitamin B1', 'B2']],
    ['Diabetes Mellitus, Type 2 | Humans', ['Diabetes Mellitus, Type 2', 'Humans']],
    ['a • b·c•d', ['a', 'b·c', 'd']],
    ['R&D; AT&amp;T', ['R&D', 'AT&amp;T']],
    ['آلة، تعلم', ['آلة', 'تعلم']],
    ['آلة؛ تعلم، آلي', ['آلة', 'تعلم، آلي']],
    [' a ,, b, a', ['a', 'b']],
    ['', []],
  ] as const) {
    t.deepEqual(keywordsOf(text), [...words], text)
  }
})

// Where each comma was looked at up to the end of the text, these took minutes.
test('a long list of what may be chemicals or numbers is parted at once', (t) => {
  const long = 100_000
  for (const word of ['1', 'N', 'α', '100', '(1', "1'"]) {
    t.deepEqual(keywordsOf(`${word},`.repeat(long)), [word])
    t.is(
      keywordsOf(`${word},`.repeat(long) + '1-x')
        .at(-1)
        ?.endsWith('1-x'),
      true,
    )
  }
  t.is(recognizeKeywords('“'.repeat(5_000)), undefined)
})

test('keywords are joined with semicolons only where one has a comma', (t) => {
  t.is(joinKeywords(['engines', 'notes']), 'engines, notes')
  t.is(joinKeywords(['Models, Biological', 'notes']), 'Models, Biological; notes')
  t.is(joinKeywords(['Models, Biological']), 'Models, Biological;')
  t.is(joinKeywords([]), '')
})

test('what is a list of keywords in another way is taken as one', (t) => {
  for (const [text, meant] of [
    ['Keywords: engines, notes', 'engines, notes'],
    ['Mots-clés : moteurs', 'moteurs'],
    ['engines\nnotes\r\n', 'engines, notes'],
    ['"Models, Biological", "notes"', 'Models, Biological; notes'],
    ["['engines', 'notes']", 'engines, notes'],
    ['engines,\nnotes', undefined],
    ['the "a" method, b', undefined],
    ['Keywords', undefined],
    ['keywords: ', undefined],
  ] as const) {
    t.is(recognizeKeywords(text), meant, text)
  }
})

test('property: what is joined is parted into the same keywords', (t) => {
  const word = fc
    .string({ unit: fc.constantFrom(...'ab ,，|•(&'), minLength: 1 })
    .map((text) => text.trim())
  const words = fc.uniqueArray(word.filter((text) => text !== ''))
  fc.assert(
    fc.property(words, (list) => {
      t.deepEqual(keywordsOf(joinKeywords(list)), list)
    }),
  )
})
