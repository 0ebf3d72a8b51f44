import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { markedText } from '#src/discovery/citation_files/markup.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { texMathml } from '#src/discovery/formats/tex_math.ts'
import { titlesOf, abstractsOf } from '#src/discovery/formats/crossref_fields.ts'
import { writeElement } from '#src/discovery/formats/xml.ts'
import { readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const math = '<math><msup><mi>x</mi><mn>2</mn></msup></math>'
const tex = '<tex-math>\\ell_p</tex-math>'
const marked: Metadata = {
  work_title: 'CO2 in E. coli: ℓₚ and x² < 1',
  work_title_markup: `CO<sub>2</sub> in <i>E. coli</i>: ${tex} and ${math} &lt; 1`,
  work_type: 'article',
  authors: 'Ada Ox',
  existing_doi: '10.1000/m',
  description: 'A CO2 text.\nIts second part.',
  description_markup: 'A <b>CO<sub>2</sub> text.\nIts</b> second part.',
  titles: [
    { title: 'Das CO2', markup: 'Das CO<sub>2</sub>', kind: 'translated', language: 'de' },
    { title: 'a y₁', markup: '<i>a</i> y<sub>1</sub>', kind: 'subtitle' },
  ],
}
const work = describedWork(marked)

test('each format has the marks and formulas of a title in its own way', (t) => {
  const bib =
    '{{CO}\\textsubscript{2} in \\textit{{E}. coli}: {$\\ell_p$} and x² $<$ 1: ' +
    '\\textit{a} y\\textsubscript{1}}'
  t.true(formatBibtex(work).includes(`title = ${bib}`), formatBibtex(work))
  t.regex(formatBiblatex(work), /subtitle = \{\\textit\{\{?a\}?\} y\\textsubscript\{1\}\}/)
  t.is(
    cslItem(work).title,
    'CO<sub>2</sub> in <i>E. coli</i>: $\\ell_p$ and x² < 1: <i>a</i> y<sub>1</sub>',
  )
  t.regex(formatRis(work), /^TI {2}- CO2 in E\. coli: ℓₚ and x² < 1: a y₁$/m)
  t.true(formatDublinCore(work).includes('>CO2 in E. coli: ℓₚ and x² &lt; 1</dc:title>'))
  const mml =
    '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:msup><mml:mi>x</mml:mi>' +
    '<mml:mn>2</mml:mn></mml:msup></mml:math>'
  const jats = formatJats(work)
  t.true(
    jats.includes(
      '<article-title>CO<sub>2</sub> in <italic>E. coli</italic>: ' +
        `<inline-formula>${tex}</inline-formula> and <inline-formula>${mml}</inline-formula>` +
        ' &lt; 1</article-title>',
    ),
    jats,
  )
  t.true(jats.includes('<trans-title>Das CO<sub>2</sub></trans-title>'))
  t.true(
    jats.includes(
      '<abstract><p>A <bold>CO<sub>2</sub> text.</bold></p>' +
        '<p><bold>Its</bold> second part.</p></abstract>',
    ),
    jats,
  )
})

test('a deposit for Crossref has face markup, and MathML in the place of TeX', (t) => {
  const deposit = { work, metadata: work.metadata } as unknown as Parameters<typeof titlesOf>[0]
  const titles = titlesOf(deposit, true)
    .map((each) => writeElement(each))
    .join('')
  t.true(
    titles.startsWith('<titles><title>CO<sub>2</sub> in <i>E. coli</i>: <mml:math xmlns:mml='),
    titles,
  )
  t.regex(titles, /<mml:msub><mml:mi>ℓ<\/mml:mi><mml:mi>p<\/mml:mi><\/mml:msub><\/mml:math> and /)
  const abstracts = abstractsOf(deposit)
    .map((each) => writeElement(each))
    .join('')
  t.regex(abstracts, /<jats:p>A <jats:bold>CO<jats:sub>2<\/jats:sub> text\.<\/jats:bold><\/jats:p>/)
})

test('a markup comes back from each format that has one', async (t) => {
  const files = [
    ['jats', formatJats(work)],
    ['json', JSON.stringify([cslItem(work)])],
    ['bibtex', formatBibtex(work)],
  ] as const
  for (const [name, text] of files) {
    const { body = {} } = await readEntry(t, text)
    const markup = String(body['work_title_markup'])
    t.regex(markup, /^CO<sub>2<\/sub> in <i>E\. coli<\/i>: /, name)
    if (name !== 'json') t.regex(markup, /<tex-math>\\ell_p<\/tex-math>/, name)
    if (name === 'jats') t.is(markup, marked.work_title_markup ?? '')
  }
})

test('signs that are no marks are signs in each format', (t) => {
  const plain = describedWork({
    ...marked,
    work_title: 'Is <i>x</i> < y?',
    work_title_markup: 'Is &lt;i>x&lt;/i> &lt; y?',
  })
  t.true(
    formatJats(plain).includes('<article-title>Is &lt;i&gt;x&lt;/i&gt; &lt; y?</article-title>'),
  )
  t.regex(formatRis(plain), /^TI {2}- Is <i>x<\/i> < y\? a y₁$/m)
  t.false(formatBibtex(plain).includes('textit{x}'))
})

const formulas: readonly (readonly [tex: string, mathml: RegExp | undefined])[] = [
  ['\\ell_p', /^<math><msub><mi>ℓ<\/mi><mi>p<\/mi><\/msub><\/math>$/],
  ['\\sqrt{s} = 7\\,\\text{TeV}', /<msqrt>/],
  ['\\href{javascript:alert(1)}{x}', undefined],
  ['\\includegraphics{http://a.example/x.png}', undefined],
  ['\\def\\a{\\a\\a}\\a', undefined],
  ['\\newcommand{\\a}[1]{#1#1}\\a{x}', undefined],
  ['\\unknown{x}', undefined],
  ['x'.repeat(1_001), undefined],
  ['{'.repeat(400) + 'x' + '}'.repeat(400), /<mi>x<\/mi>/],
  ['\\frac{'.repeat(40) + 'x' + '}{y}'.repeat(40), /<mfrac/],
]

test('TeX is set within bounds, and nothing of it can act', (t) => {
  for (const [source, mathml] of formulas) {
    const set = texMathml(source)
    if (mathml === undefined) t.is(set, undefined, source)
    else t.regex(set ?? '', mathml, source)
    t.notRegex(set ?? '', /style|class|href|<script/, source)
  }
})

const sources: readonly (readonly [source: string, markup: string | undefined])[] = [
  ['CO<sub>2</sub> &amp; <italic>x</italic> &lt; y', 'CO<sub>2</sub> &amp; <i>x</i> &lt; y'],
  ['x &lt;sub&gt;i&lt;/sub&gt;', 'x <sub>i</sub>'],
  ['<scp>NMR</scp> of <u>x</u>', undefined],
  ['p < 0.05, a <b> c', undefined],
  [
    '<inline-formula><alternatives><tex-math>$x$</tex-math>' +
      '<mml:math><mml:mi>x</mml:mi></mml:math></alternatives></inline-formula>-ray',
    '<math><mi>x</mi></math>-ray',
  ],
  ['<inline-formula><tex-math>$$x_1$$</tex-math></inline-formula>', '<tex-math>x_1</tex-math>'],
  ['<i>a <b>b</i> c</b>', '<i>a b</i> c'],
]

test('what others wrote keeps its marks, whatever they call them', (t) => {
  for (const [source, markup] of sources) t.is(markedText(source).markup, markup, source)
})
