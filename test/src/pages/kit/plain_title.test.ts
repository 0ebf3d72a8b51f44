import test from 'ava'

import { plainTitle } from '#src/pages/kit/words.ts'

test('a title of a list is one line without markup', (t) => {
  t.is(plainTitle('The <i>fly</i> &amp;\n <sup class="x">13</sup>C'), 'The fly & 13C')
  t.is(plainTitle('Proof that a<b and c>d'), 'Proof that a<b and c>d')
  t.is(plainTitle('<jats:italic>E. coli</jats:italic>'), 'E. coli')
  t.is(plainTitle('<i></i>'), '<i></i>', 'what would be nothing is as it was registered')
  t.is(plainTitle('日本'.repeat(100)).length, 161)
  t.is(plainTitle('𝔸𝔹ℂ', 2), '𝔸𝔹…', 'no sign is cut in two')
})
