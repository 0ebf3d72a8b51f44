import test from 'ava'

import { plainText } from '#src/discovery/citation_files/markup.ts'
import { assertFewLooks } from '#test/src/discovery/citation_files/_looks.ts'

const math = (inner: string) => `<mml:math xmlns:mml="http://x">${inner}</mml:math>`
const n = '<mml:mi>N</mml:mi>'

const lines: readonly (readonly [source: string, text: string])[] = [
  ['Q&amp;A: p &lt; 0.05 in <i>E. coli</i>', 'Q&A: p < 0.05 in E. coli'],
  [`Solitons in ${math(n)}-Coupled Equations`, 'Solitons in N-Coupled Equations'],
  ['10<sup>18</sup> m<sup>-3</sup> at x<sup>2</sup>', '10¹⁸ m⁻³ at x²'],
  ['10<sup>&#8722;0.5</sup> and 1<sup>st</sup>', '10^(−0.5) and 1st'],
  ['CO<jats:sub>2</jats:sub> and x<sub>i+1</sub>', 'CO₂ and xᵢ₊₁'],
  ['A &amp;amp; B', 'A & B'],
  ['&amp;lt;i&amp;gt;E. coli&amp;lt;/i&amp;gt; x', 'E. coli x'],
  ['a &lt;b&gt; c', 'a <b> c'],
  ['if a<b and c>d, p<q>r, x <b and c> y', 'if a<b and c>d, p<q>r, x <b and c> y'],
  ['<i>not ended, CO<sub>2', 'not ended, CO2'],
  ['a <b> b, x<i>y, <i> z', 'a <b> b, x<i>y, <i> z'],
  ['10<sup>–3</sup> m', '10⁻³ m'],
  ['<span style="font-variant:small-caps">Word</span> <SCP>NMR</SCP>', 'Word NMR'],
  ['caf&eacute; &#8217; &#x2019; &#146; &foo; AT&T R&D;', 'café ’ ’ ’ &foo; AT&T R&D;'],
  [`x <i>\n part\n</i>, y`, 'x part, y'],
  [`<alternatives><tex-math>$N$</tex-math>${math(n)}</alternatives>-body`, 'N-body'],
  [
    math(
      '\n<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup> <mml:mo>=</mml:mo>' +
        '<mml:mfrac><mml:mi>a</mml:mi><mml:mrow><mml:mi>b</mml:mi><mml:mo>+</mml:mo>' +
        '<mml:mn>1</mml:mn></mml:mrow></mml:mfrac>',
    ),
    'x²=a/(b+1)',
  ],
]

test('marks become text, and what is no mark stays', (t) => {
  for (const [source, text] of lines) t.is(plainText(source), text)
})

const paragraphs: readonly (readonly [source: string, text: string])[] = [
  [
    '<jats:title>Abstract</jats:title><jats:p>Less CO<jats:sub>2</jats:sub>, if a &lt; b &amp; c.' +
      '</jats:p><jats:p>Second <jats:italic>part</jats:italic>.</jats:p>',
    'Less CO₂, if a < b & c.\nSecond part.',
  ],
  ['<sec><title>Aims</title>\n <p>One\n two.</p></sec>', 'Aims\nOne two.'],
  ['One\n\ntwo', 'One\n\ntwo'],
  ['One<br>two<br/>three', 'One\ntwo\nthree'],
  ['&lt;p&gt;One&lt;/p&gt;\n&lt;p&gt;Two&lt;/p&gt;', 'One\nTwo'],
]

test('paragraphs stay apart', (t) => {
  for (const [source, text] of paragraphs) t.is(plainText(source, 'paragraphs'), text)
})

test('of a text of marks alone each character is looked at a few times', async (t) => {
  const hostile = [
    '<math>',
    '<!--',
    '<i>',
    '<sub>',
    '</i>',
    '&amp;',
    '<p a="',
    '<![CDATA[',
    '<sup>2',
  ]
  await assertFewLooks(t, 'markup', hostile)
})
