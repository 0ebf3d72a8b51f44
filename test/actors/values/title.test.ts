import test from 'ava'
import fc from 'fast-check'
import { foldTitle } from '#actors/values/text.ts'

test('titles that differ in case, accents, punctuation or spaces are one', (t) => {
  for (const [a, b] of [
    ['On the  Theory of “Light”', 'on the theory of light'],
    ['Théorie – de l’énergie.', 'THEORIE DE L ENERGIE'],
    ['ﬁeld effects', 'Field Effects'],
    ['Ёлка', 'елка'],
    ['数論、入門', '数論 入門'],
  ] as const) {
    t.is(foldTitle(a), foldTitle(b))
  }
})

test('titles that differ in a word or a number are two', (t) => {
  t.not(foldTitle('Proceedings, volume 1'), foldTitle('Proceedings, volume 2'))
  t.not(foldTitle('संख्या'), foldTitle('संख'))
})

test('a title of signs alone stays as it is', (t) => {
  t.is(foldTitle('???'), '???')
  t.not(foldTitle('???'), foldTitle('!!!'))
})

test('property: a folded title is not empty and folds to itself', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (title) => {
      const folded = foldTitle(title)
      t.not(folded, '')
      t.is(foldTitle(folded), folded)
    }),
    { numRuns: 300 },
  )
})
