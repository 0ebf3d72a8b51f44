import test from 'ava'

import { workTypeNames } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { recognizeLanguage } from '#actors/values/language.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { babelNames } from '#src/discovery/formats/bibtex.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const least: Metadata = { work_title: 'T', work_type: 'article', authors: 'Jane Roe' }

type Changes = Parameters<typeof describedWork>[1]

function fieldsOf(entry: string): Readonly<Record<string, string>> {
  const lines = entry.matchAll(/^ {2}([\w+:]+) = (?:\{(.*)\}|(\w+)),?$/gm)
  return Object.fromEntries(Array.from(lines, ([, name, value, word]) => [name, value ?? word]))
}

function bibtex(metadata: Partial<Metadata>, changes: Changes = {}) {
  return fieldsOf(formatBibtex(describedWork({ ...least, ...metadata }, changes)))
}

function biblatex(metadata: Partial<Metadata>, changes: Changes = {}) {
  return fieldsOf(formatBiblatex(describedWork({ ...least, ...metadata }, changes)))
}

const titles: readonly (readonly [title: string, language: string | undefined, as: string])[] = [
  // English titles have capitals that a style may take away, other languages have none.
  ['Deep Learning of DNA With iPhones', 'en', 'Deep Learning of {DNA} With {iPhones}'],
  ['Effects of light on Drosophila', 'en', 'Effects of light on {Drosophila}'],
  ['Die Grundlagen der Moose: Ein Buch', 'de', 'Die {Grundlagen} der {Moose}: {Ein} {Buch}'],
  ['Die Grundlagen der Moose', undefined, 'Die {Grundlagen} der {Moose}'],
  ['Les Mousses de la Bretagne', undefined, 'Les {Mousses} de la {Bretagne}'],
  ['The Foundations of La Paz', undefined, 'The Foundations of La Paz'],
  // Each part of a word is one of its own.
  ['Coding for Ultra-Low Bitrates', 'en', 'Coding for Ultra-Low Bitrates'],
  ['Layouts With CNN-Based Attention', 'en', 'Layouts With {CNN}-Based Attention'],
  ['Jean-Paul', undefined, '{Jean}-{Paul}'],
  ['Vitamin C and a Plan B', 'en', 'Vitamin {C} and a Plan {B}'],
  // The first word of a program may be a small one.
  ['mosscount: Counting Moss', 'en', '{mosscount}: Counting Moss'],
  // Signs of LaTeX, and those that its fonts or its ligatures make others of.
  ['p < 0.05 | q > 1', 'en', '{p} $<$ 0.05 $|$ q $>$ 1'],
  ['Norms ||A|| of moss', 'en', 'Norms $||${A}$||$ of moss'],
  ['Sets {a, b} of moss', 'en', 'Sets \\{a, b\\} of moss'],
  ['Lone } and {', 'en', 'Lone \\textbraceright{} and \\textbraceleft{}'],
  ["The --help of f''(x) in ``moss''", 'en', "The -{}-help of f'{}'(x) in `{}`moss'{}'"],
  ['A_b & 50% #1', 'en', 'A\\_b \\& 50\\% \\#1'],
  ['X ~ ^ \\', 'en', 'X \\textasciitilde{} \\textasciicircum{} \\textbackslash{}'],
  // Formulas are left to LaTeX, prices are none.
  ['Order $O(\\sqrt{T})$ of regret', 'en', 'Order {$O(\\sqrt{T})$} of regret'],
  ['The $p$-norms and $\\mathcal{M}^4$', 'en', 'The {$p$}-norms and {$\\mathcal{M}^4$}'],
  ['Prices of $5 and $6', 'en', 'Prices of \\$5 and \\$6'],
  ['Broken $a_{b$ here', 'en', 'Broken \\$a\\_\\textbraceleft{}b\\$ here'],
  // Marks as CSL has them; what is no pair is text.
  ['H<sub>2</sub>O at <i>E. coli</i>', 'en', 'H\\textsubscript{2}{O} at \\textit{{E}. coli}'],
  ['Not <i>closed', 'en', 'Not $<$i$>$closed'],
]

for (const [work_title, language, as] of titles) {
  test(`as a title of ${language ?? 'no language'}: ${work_title}`, (t) => {
    const metadata = { work_title, ...(language !== undefined && { language }) }
    t.is(bibtex(metadata)['title'], as)
    t.is(biblatex(metadata)['title'], as)
  })
}

test('books and series are titles, too, and journals are names', (t) => {
  const language = 'de'
  const container_title = 'Handbuch der Moose'
  const chapter = bibtex({ work_type: 'book_chapter', container_title, language })
  t.is(chapter['booktitle'], 'Handbuch der {Moose}')
  t.is(bibtex({ container_title, language })['journal'], container_title)
  t.is(bibtex({ work_type: 'book', container_title, language })['series'], 'Handbuch der {Moose}')
  t.is(biblatex({ container_title, language })['journaltitle'], container_title)
})

test('what styles of BibTeX print of a type has the publisher and what it stands in', (t) => {
  const given = { container_title: 'Moss 2020', publisher_name: 'Moss Press', issue: '12' }
  t.like(bibtex({ ...given, work_type: 'proceedings' }), {
    editor: 'Roe, Jane',
    series: 'Moss 2020',
  })
  t.like(bibtex({ ...given, work_type: 'dataset' }), {
    howpublished: 'Moss Press',
    type: 'Dataset',
  })
  t.like(bibtex({ ...given, work_type: 'poster' }), { type: 'Poster', note: 'Moss 2020' })
  const event = { name: 'Meeting on Moss', place: 'Oslo' }
  t.is(bibtex({ event, work_type: 'conference_paper' })['booktitle'], 'Meeting on Moss')
  t.is(bibtex({ event, work_type: 'poster' })['note'], 'Meeting on Moss')
  const held = bibtex({ ...given, event, work_type: 'conference_paper' })
  t.deepEqual([held['booktitle'], held['note']], ['Moss 2020', undefined])
  const paper = { type: 'Working Paper', number: '12', institution: 'Moss Press' }
  t.like(bibtex({ ...given, work_type: 'working_paper' }), paper)
})

test('BibLaTeX has names for what BibTeX has none for', (t) => {
  const given = { container_title: 'Moss 2020', published_date: '2014-06-03', language: 'fr' }
  const poster = biblatex({ ...given, work_type: 'poster' })
  t.like(poster, { eventtitle: 'Moss 2020', date: '2014-06-03', langid: 'french', type: 'Poster' })
  t.false('note' in poster || 'year' in poster || 'language' in poster)
  const existing_doi = '10.48550/arxiv.2001.00001'
  const preprint = { eprint: '2001.00001', eprinttype: 'arxiv', organization: 'A Press' }
  t.like(biblatex({ work_type: 'preprint', existing_doi }), preprint)
  t.is(biblatex({ language: 'yo' })['language'], 'yo')
  const author_details = [{ family: 'Roe' }, { family: 'Doe', orcid: '0000-0002-1825-0097' }]
  const annotated = { authors: 'Jane Roe; Ann Doe', author_details }
  t.is(biblatex(annotated)['author+an:orcid'], '2="0000-0002-1825-0097"')
  t.false('author+an:orcid' in bibtex(annotated))
})

test('a citation of a version names it where it is printed', (t) => {
  const pinned = { isPinned: true, version: 4 }
  t.true(formatBibtex(describedWork(least, pinned)).includes('h3-v4,'))
  t.like(bibtex(least, pinned), { version: '4', note: 'Version 4' })
  t.like(biblatex(least, pinned), { version: '4', note: 'Version 4' })
  t.is(biblatex({ work_type: 'software' }, pinned)['note'], undefined)
})

test('an entry of BibLaTeX has a type, and its fields, for every work', (t) => {
  for (const work_type of workTypeNames) {
    const entry = formatBiblatex(describedWork({ ...least, work_type }))
    t.regex(entry, /^@[a-z]+\{ark-12345-\w+,\n/, work_type)
    t.like(fieldsOf(entry), { title: 'T' })
  }
})

test('the names of languages are read as the languages that they are written for', (t) => {
  for (const [code, name] of Object.entries(babelNames)) t.is(recognizeLanguage(name), code)
})

test('paragraphs of a description are parted by blank lines', (t) => {
  const description = 'Moss grows.\nIt is green.\n\nIt is old.'
  for (const format of [formatBibtex, formatBiblatex]) {
    const entry = format(describedWork({ ...least, description }))
    t.true(entry.includes('abstract = {Moss grows.\n\nIt is green.\n\nIt is old.}'))
  }
})
