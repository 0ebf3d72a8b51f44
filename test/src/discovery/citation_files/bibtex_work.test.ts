import test from 'ava'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import { looksMax, looksOf } from '#test/src/discovery/citation_files/_looks.ts'

const characters = 8_000

// What is repeated, and where: braces, marks and commands that begin something and do not end it.
const pieces: readonly string[] = [
  '{ } {} \\ \\{ \\} $ $$ " # , = ; @ @a{ @a{b, @a(b, @comment{ ^{ _{ \\( \\[ \\frac{',
  '\\begin{x} \\end{x} \\sqrt[ \\emph{ \\foo{ \\foo[ \\ce{ \\href{ ~ ~\\v - -- {a} a=',
  'a=, a=# a={b}, a="b", a=b# x={\\{}, x="\\" &amp; &# <a http:// 10.1000/ 1="0000',
  'crossref={c}, $x$\\}@comment{',
]
  .flatMap((line) => line.split(' '))
  .concat([' ', '\n', '%\n', '\n\n', ' and ', ', ', ' \\& ', '\\v ', "\\' ", ', Jr', ', PhD'])
  .concat(['$5 ', '\n@a{b,', '\n@a{b,c={', '\n@string{a={', '\n@a{k', '\n@', 'A B, '])

const places: readonly (readonly [begin: string, end: string])[] = [
  ['', ''],
  ['@a(', ''],
  ['@a{k, ', ''],
  ['@a{k, title={', '}}'],
  ['@a{k, title="', '"}'],
  ['@a{k, title={', ''],
  ['@a{k, author={', '}}'],
  ['@a{k, title={T}, url={', '}}'],
  ['@a{k, title={T}, abstract={', '}}'],
  ['@a{k, title={T}, xdata={', '}}'],
  ['@string{s={', '}}'],
  ['@a{b,c={\n@a{', ''],
]

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length))
}

test('whatever BibTeX repeats, each of its characters is looked at a few times', async (t) => {
  const texts = places.flatMap(([begin, end]) => {
    return pieces.map((piece) => `${begin}${repeated(piece, characters)}${end}`)
  })
  let at = 0
  for await (const looks of looksOf(texts)) {
    const text = texts[at] ?? ''
    t.true(looks <= looksMax * text.length, `${looks} for ${JSON.stringify(text.slice(0, 80))}`)
    at += 1
  }
  t.is(at, texts.length)
})

test('abbreviations stand for no more than a bounded text, and what is left out is told', (t) => {
  const long = `@string{x={${'x'.repeat(400_000)}}}\n`
  const parts = splitBibtex(`${long}${'@a{k, title=x}\n'.repeat(60)}`)
  const written = parts.map(({ fields }) => fields[0]?.value.length ?? 0)
  t.is(written[1], 400_000)
  t.is(written.at(-1), 0)
  t.true(written.reduce((sum, length) => sum + length, 0) <= 20_400_000)
  const message =
    'All abbreviations of the file stand for too many characters, so that title is without it.'
  t.like(parts.at(-1)?.remarks, [{ field: 'title', message, isLoss: true }])
})

test('what many entries have of one long entry is read once', async (t) => {
  const editors = Array.from({ length: 10_000 }, (_, at) => `{\\'E}a${at}, B.`).join(' and ')
  const children = Array.from({ length: 100 }, (_, at) => {
    return `@inproceedings{k${at}, title={T}, author={A B}, crossref={p}}`
  })
  const text = [...children, `@proceedings{p, title={P}, editor={${editors}}}`].join('\n')
  t.is(readBibtex(splitBibtex(text)).at(99)?.body?.['container_title'], 'P')
  for await (const looks of looksOf([text])) t.true(looks <= looksMax * text.length, `${looks}`)
})
