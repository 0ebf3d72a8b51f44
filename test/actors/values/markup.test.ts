import test from 'ava'
import fc from 'fast-check'

import {
  cleanMathml,
  isTextOf,
  type MarkedPiece,
  readMarkup,
  writeMarkup,
} from '#actors/values/markup.ts'
import { checkNewWork, applyPatch } from '#actors/works/request_checks.ts'

/** The stored form of a markup, or what is wrong with it. */
function stored(source: string): string {
  const pieces = readMarkup(source)
  return 'wrong' in pieces ? `! ${pieces.wrong}` : writeMarkup(pieces)
}

const forms: readonly (readonly [source: string, stored: string])[] = [
  ['CO<sub>2</sub> in <i>E. coli</i>', 'CO<sub>2</sub> in <i>E. coli</i>'],
  ['<em>a</em> <strong>b</strong> <jats:italic>c</jats:italic>', '<i>a</i> <b>b</b> <i>c</i>'],
  ['p < 0.05 & q > 1 &lt;i&gt;', 'p &lt; 0.05 &amp; q &gt; 1 &lt;i&gt;'],
  ['<i class="x" onclick=\'y()\'>a</i>', '<i>a</i>'],
  ['&#945;&#x3b2;&nbsp;&unknown;', 'αβ\u00a0&amp;unknown;'],
  ['<i></i>x<b/>', 'x'],
  [
    '<tex-math>\\begin{document}$$x_1 &lt; 2$$\\end{document}</tex-math>',
    '<tex-math>x_1 &lt; 2</tex-math>',
  ],
  ['<tex-math><![CDATA[$a<b$]]></tex-math>', '<tex-math>a&lt;b</tex-math>'],
  [
    '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML" display="inline" style="color:red">' +
      '<mml:mi mathvariant="bold" href="javascript:x">x</mml:mi></mml:math>',
    '<math display="inline"><mi mathvariant="bold">x</mi></math>',
  ],
  [
    '<math><mi>x</mi><annotation>x</annotation><script>y</script></math>',
    '<math><mi>x</mi></math>',
  ],
  ['<math><mrow><mi>x</mi></math> y', '<math><mrow><mi>x</mi></mrow></math> y'],
]

test('marks and formulas have one stored form, which is read as itself', (t) => {
  for (const [source, form] of forms) {
    t.is(stored(source), form)
    t.is(stored(form), form)
  }
})

const wrongs: readonly (readonly [source: string, wrong: RegExp])[] = [
  ['a <script>b</script>', /has <script> at character 3, and its marks are i, b, sub/],
  ['<i>a', /has no end of <i>/],
  ['<i>a<b>b</i></b>', /has <\/i> at character \d+ where it does not end <i>/],
  ['a</sub>', /has <\/sub>/],
  ['<math><mi>x</mi>', /has no end of <math> at character 1/],
  ['<!-- x -->', /“<” that begins no mark at character 1; write &lt;/],
  ['<i onclick=x>a</i>', /“<” that begins no mark/],
  ['<i>'.repeat(100), /more than 60 marks/],
  ['<math/>'.repeat(501), /more than 500 formulas/],
]

test('what is no mark is told with its place', (t) => {
  for (const [source, wrong] of wrongs) t.regex(stored(source), wrong)
})

test('nothing of MathML that can act or lead anywhere is kept, however it is spelled', (t) => {
  const hostile = [
    '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<math><maction actiontype="statusline"><mi>x</mi></maction></math>',
    '<math><mtext></math><script>alert(1)</script></mtext></math>',
    '<math><annotation-xml encoding="text/html"><i src="x"/></annotation-xml><mi>x</mi></math>',
    '<math><mi>&lt;script&gt;</mi><mglyph src="x"/><style>*{}</style></math>',
    '<math><mi id="x" class="y" style="z">a</mi><MI>b</MI></math>',
  ]
  for (const source of hostile) {
    const clean = cleanMathml(source) ?? ''
    t.notRegex(clean, /<(?!\/?(?:math|mi|mtext|mrow)(?: (?:display|mathvariant)="\w+")?>)/, source)
  }
})

const texts: readonly (readonly [text: string, markup: string, is: boolean])[] = [
  ['CO2', 'CO<sub>2</sub>', true],
  ['CO₂', 'CO<sub>2</sub>', true],
  ['CO3', 'CO<sub>2</sub>', false],
  ['10¹⁸ m⁻³', '10<sup>18</sup> m<sup>-3</sup>', true],
  ['10^(−0.5)', '10<sup>−0.5</sup>', true],
  ['On ℓₚ spaces', 'On <tex-math>\\ell_p</tex-math> spaces', true],
  ['On $\\ell_p$ spaces', 'On <tex-math>\\ell_p</tex-math> spaces', true],
  ['On spaces', 'On <tex-math>\\ell_p</tex-math> spaces', false],
  ['On ℓₚ planes', 'On <tex-math>\\ell_p</tex-math> spaces', false],
  ['a b', '<tex-math>a</tex-math><tex-math>b</tex-math>', true],
  ['x', '<tex-math>a</tex-math><tex-math>b</tex-math>', false],
  ['p < 0.05', 'p &lt; 0.05', true],
  ['<i>a</i>', '<i>a</i>', false],
  ['<i>a</i>', '&lt;i>a&lt;/i>', true],
]

test('a text is that of a markup, or not', (t) => {
  for (const [text, markup, is] of texts) {
    const pieces = readMarkup(markup)
    if ('wrong' in pieces) t.fail(pieces.wrong)
    else t.is(isTextOf(text, pieces), is, `${text} ${markup}`)
  }
})

const piece = fc.letrec<{ piece: MarkedPiece }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4 },
    fc.string({ minLength: 1 }),
    fc.record({
      mark: fc.constantFrom('italic', 'bold', 'sub', 'sup'),
      within: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).piece

test('whatever pieces are written, the same are read, and any text is read or refused', (t) => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const written = writeMarkup(pieces)
      const read = readMarkup(written)
      if ('wrong' in read) return false
      return (
        writeMarkup(read) === written &&
        isTextOf(
          written
            .replace(/<[^>]*>/g, '')
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&amp;', '&'),
          read,
        )
      )
    }),
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          '<',
          '</',
          '>',
          '/>',
          'i',
          'math',
          'sub',
          'mi',
          ' a="',
          '"',
          '&lt;',
          '&',
          'tex-math',
          'x',
        ),
      ),
      (parts) => {
        const form = stored(parts.join(''))
        return form.startsWith('!') || stored(form) === form
      },
    ),
  )
  t.pass()
})

const least = {
  work_title: 'CO2 uptake',
  work_type: 'article',
  authors: 'Ada Ox',
  work_url: 'https://a.example/x',
}

test('a title is told from its markup, which has the same text and follows it', (t) => {
  const check = checkNewWork({ ...least, work_title_markup: 'CO<sub>2</sub> <em>uptake</em>' })
  t.is(check.type, 'ok')
  if (check.type !== 'ok') return
  const { metadata } = check
  t.is(metadata.work_title, 'CO2 uptake')
  t.is(metadata.work_title_markup, 'CO<sub>2</sub> <i>uptake</i>')
  t.like(checkNewWork({ ...least, work_title_markup: 'N<sub>2</sub> uptake' }), {
    type: 'invalid',
    faults: [
      {
        field: 'work_title_markup',
        code: 'bad_value',
        message: 'work_title_markup has another text than work_title, which would be “N2 uptake”',
      },
    ],
  })
  t.like(checkNewWork({ ...least, description_markup: '<i>x</i>' }), { type: 'invalid' })
  const titles = [{ title: 'Other', markup: '<i>Another</i>' }]
  t.like(checkNewWork({ ...least, titles }), {
    faults: [{ field: 'titles[0].markup', code: 'bad_value' }],
  })
  const changed = applyPatch(metadata, { work_title: 'CO2 release' })
  t.like(changed, {
    type: 'ok',
    warnings: [{ field: 'work_title_markup', code: 'markup_removed' }],
  })
  t.false(changed.type === 'ok' && 'work_title_markup' in changed.metadata)
  const spelled = applyPatch(metadata, { work_title: 'CO₂ uptake' })
  t.is(spelled.type === 'ok' && spelled.metadata.work_title_markup, metadata.work_title_markup)
  t.is(applyPatch(metadata, { work_title_markup: '<i>x</i>' }).type, 'invalid')
})

test('a plain title stays as it is, whatever signs it has', (t) => {
  for (const work_title of [
    'p < 0.05',
    'Is a <b> c & d?',
    'Vec<T> &amp; co',
    'It costs $5 and $6',
    '<script>x</script>',
  ]) {
    const check = checkNewWork({ ...least, work_title })
    t.deepEqual(check.type === 'ok' && Object.keys(check.metadata), [
      'authors',
      'work_title',
      'work_type',
      'work_url',
    ])
    t.is(check.type === 'ok' && check.metadata.work_title, work_title)
  }
})

test('tags in a title without a markup are told to be read as marks', (t) => {
  const shortest = { work_type: 'article', authors: 'Jane Roe', work_url: 'https://example.org/' }
  const codesOf = (body: object) => {
    const check = checkNewWork({ ...shortest, ...body })
    return check.type === 'ok' ? check.warnings.map(({ code }) => code) : check
  }
  t.deepEqual(codesOf({ work_title: 'CO<sub>2</sub> uptake' }), ['read_as_marks'])
  for (const work_title of ['p < 0.05', 'Vec<T> and <b>', 'a </i> b', '<u>x</u>']) {
    t.deepEqual(codesOf({ work_title }), [], work_title)
  }
  const escaped = { work_title: 'a <i>b</i>', work_title_markup: 'a &lt;i>b&lt;/i>' }
  t.deepEqual(codesOf(escaped), [])
})
