import test from 'ava'
import fc from 'fast-check'

import { foldText, indexedText } from '#src/discovery/search/fold.ts'

test('a letter is folded alike wherever it stands', (t) => {
  const letters = fc.string({ unit: 'grapheme', maxLength: 8 })
  const holds = fc.property(letters, letters, (one, other) => {
    t.is(foldText(`${one} ${other}`), `${foldText(one)} ${foldText(other)}`)
    t.is(foldText(foldText(one)), foldText(one))
  })
  fc.assert(holds, { numRuns: 1_000 })
})

test('letters are the same composed or decomposed, in every case', (t) => {
  for (const text of [
    'Ångström',
    'ÉTUDE Übergang niño',
    'Αθήνας ΑΣ',
    'Łódź K',
    'ガギグ',
    'ＷＩＤＥ',
  ]) {
    t.is(foldText(text.normalize('NFD')), foldText(text), text)
    t.is(foldText(text.toLowerCase()), foldText(text), text)
  }
  t.is(foldText('ÉTUDE of Übergang, Łódź'), 'etude of ubergang, lodz')
  t.is(foldText('o\u0301x =\u0338 \u0301a'), 'ox = a')
})

test('marks within words are no part of them', (t) => {
  const math = '<mml:math><mml:msup><mml:mi>y</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>'
  for (const text of ['CO<sub>2</sub>', 'CO₂', '<i>CO</i><jats:sub>2</jats:sub>', 'CO2']) {
    t.is(foldText(text), 'co2', text)
  }
  t.is(foldText(`x ${math}`), 'x y2')
  t.is(foldText('if a < b and c</d'), 'if a < b and c</d')
})

test('scripts that part no words are pairs, wherever their characters stand in Unicode', (t) => {
  t.is(indexedText('x量子力学y'), 'x 量子 子力 力学 学 y')
  t.is(indexedText('ㄅ\u02ea'), ' ㄅ\u02ea \u02ea ')
  t.is(indexedText('\u02ea'), ' \u02ea ')
  t.is(indexedText('𠀀𠀁'), ' 𠀀𠀁 𠀁 ')
  t.is(indexedText('สวัสดี').split(' ').length > 2, true)
})
