import test from 'ava'

import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { messagesOf, readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

const place = 'doi = {10.1234/x}'

test.serial('an article has all its fields in ours', async (t) => {
  const entry = await readEntry(
    t,
    String.raw`@Article{gibbs1876,
  title     = {On the {E}quilibrium of \emph{Heterogeneous} Substances: $x^2$ \& more},
  author    = "Gibbs, Josiah Willard and von Helmholtz, Hermann",
  journal   = {Transactions of the Connecticut Academy},
  year      = 1876, month = oct, volume = {3}, number = 2, pages = {108--248},
  doi       = {https://doi.org/10.1234/Equi_Librium},
  url       = {https://example.org/a\_b.pdf},
  publisher = {Connecticut Academy}, language = {english},
  keywords  = {thermodynamics; phases, equilibrium},
  abstract  = {The criteria
    of equilibrium.}, copyright = {CC BY 4.0}, issn = {1234-5679}
}`,
  )
  t.deepEqual(entry.faults, [])
  t.deepEqual(entry.body, {
    work_title: 'On the Equilibrium of Heterogeneous Substances: x² & more',
    work_title_markup:
      'On the Equilibrium of <i>Heterogeneous</i> Substances: <tex-math>x^2</tex-math> &amp; more',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; Hermann von Helmholtz',
    author_details: [
      { name: 'Josiah Willard Gibbs', given: 'Josiah Willard', family: 'Gibbs' },
      { name: 'Hermann von Helmholtz', given: 'Hermann', family: 'von Helmholtz' },
    ],
    description: 'The criteria of equilibrium.',
    work_url: 'https://example.org/a_b.pdf',
    existing_doi: '10.1234/equi_librium',
    keywords: 'thermodynamics; phases, equilibrium',
    language: 'en',
    license: 'CC-BY-4.0',
    published_date: '1876-10',
    publisher_name: 'Connecticut Academy',
    container_title: 'Transactions of the Connecticut Academy',
    volume: '3',
    issue: '2',
    pages: '108-248',
    issn: [{ value: '1234-5679' }],
  })
  t.deepEqual(entry.notes, [])
})

const names: readonly (readonly [bibtex: string, authors: string])[] = [
  [String.raw`G{\"o}del, Kurt`, 'Kurt Gödel'],
  [String.raw`{\'E}tienne Ghys and \v{C}apek, Karel`, 'Étienne Ghys; Karel Čapek'],
  [String.raw`S{\o}ren \AA ngstr\"om`, 'Søren Ångström'],
  [String.raw`Mar{\'\i}a Mart{\'{\i}}n`, 'María Martín'],
  ['Ludwig van Beethoven', 'Ludwig van Beethoven'],
  ["de la Vall{\\'e}e Poussin, Charles Louis", 'Charles Louis de la Vallée Poussin'],
  ['King, Jr., Martin Luther', 'Martin Luther King Jr.'],
  ['{The ATLAS Collaboration} and Aad, G.', 'The ATLAS Collaboration; G. Aad'],
  ['{Barnes and Noble}', 'Barnes and Noble'],
  ['{Institute of Physics, Prague}', 'Institute of Physics, Prague;'],
  ['Doe, Jane and others', 'Jane Doe'],
  ['山田太郎 and Нина Петрова', '山田太郎; Нина Петрова'],
]

test.serial('names of all forms are read', async (t) => {
  const entries = await readEntries(
    t,
    names
      .map(([author], at) => `@misc{k${at}, title={T}, author={${author}}, ${place}}`)
      .join('\n'),
  )
  t.deepEqual(
    entries.map(({ body }) => body?.['authors']),
    names.map(([, authors]) => authors),
  )
})

test.serial('an ORCID iD of an annotation is taken, and a wrong one is not', async (t) => {
  const annotated = (orcid: string) =>
    `@misc{k, title={T}, author={A B and C D}, author+an:orcid={1="${orcid}"}, ${place}}`
  const right = await readEntry(t, annotated('0000-0002-1825-0097'))
  t.like(right.body?.['author_details'], { 0: { orcid: '0000-0002-1825-0097' } })
  const wrong = await readEntry(t, annotated('0000-0002-1825-0098'))
  t.deepEqual(wrong.body?.['author_details'], [
    { name: 'A B', given: 'A', family: 'B' },
    { name: 'C D', given: 'C', family: 'D' },
  ])
  t.deepEqual(messagesOf(wrong), ['The ORCID iD of A B is not a right one, and was left out.'])
})

test.serial(
  'abbreviations, concatenation, comments and cross-references are followed',
  async (t) => {
    const entries = await readEntries(
      t,
      String.raw`Exported for me@example.org @article{not, an entry}
% @article{nor, title = {this}}
@comment{jabref-meta: databaseType:bibtex;}
@preamble{"\newcommand{\x}{y}"}
@string{jrss = "J. R. Stat. Soc."}
@string(part = {, Series } # "B")
@article(a, % not a } and no end
 title={A}, author={X Y}, journal = jrss # part, year=1999, month=3, ${place})
@inproceedings{b, title="B", author="X Y", crossref={conf}, pages={1}, doi={10.1234/y}}
@proceedings{conf, title="Proceedings of C", editor={E F}, year=2001, publisher={ACM},
  url={https://example.org/conf}}`,
    )
    t.deepEqual(
      entries.map(({ line, key, faults }) => [line, key, faults.length]),
      [
        [7, 'a', 0],
        [9, 'b', 0],
        [10, 'conf', 0],
      ],
    )
    t.like(entries[0]?.body, {
      container_title: 'J. R. Stat. Soc., Series B',
      published_date: '1999-03',
    })
    t.like(entries[1]?.body, {
      work_title: 'B',
      work_type: 'conference_paper',
      container_title: 'Proceedings of C',
      published_date: '2001',
      publisher_name: 'ACM',
    })
    t.like(entries[2]?.body, { work_type: 'proceedings', authors: 'E F' })
    t.deepEqual(messagesOf(entries[2]), ['Its editors are taken for its authors.'])
  },
)

test.serial('types, dates, preprints and DOIs in addresses are understood', async (t) => {
  const who = 'title={T}, author={A B}'
  const entries = await readEntries(
    t,
    `@phdthesis{a, ${who}, school={MIT}, date={2020-05-17}, url={https://example.org/}}
@online{b, ${who}, url={https://doi.org/10.5281/Zenodo.1}, langid={ngerman}}
@misc{c, ${who}, eprint={2101.00001v2}, archivePrefix={arXiv}, year=2021, month={January}}
@article{d, ${who}, eprint={hep-th/9901001}, eprinttype={arxiv}, journal={JHEP}, eid={7}}
@misc{e, ${who}, howpublished={\\url{https://example.org/x}}, day=2, month=feb, year={2003}}
@wholly-new{f, ${who}, url={https://example.org/}}`,
  )
  t.deepEqual(
    entries.flatMap(({ faults }) => faults),
    [],
  )
  const [a, b, c, d, e, f] = entries.map(({ body }) => body)
  t.like(a, { work_type: 'thesis', publisher_name: 'MIT', published_date: '2020-05-17' })
  t.like(b, { existing_doi: '10.5281/zenodo.1', language: 'de', work_type: 'other' })
  t.false(Object.hasOwn(b ?? {}, 'work_url'))
  t.like(c, { work_type: 'preprint', work_url: 'https://arxiv.org/abs/2101.00001v2' })
  t.like(d, { work_type: 'article', work_url: 'https://arxiv.org/abs/hep-th/9901001', pages: '7' })
  t.like(e, { work_url: 'https://example.org/x', published_date: '2003-02-02' })
  t.like(f, { work_type: 'other' })
})

const faulty: readonly (readonly [entry: string, field: string, message: string])[] = [
  ['title={T}, author={A B}', 'url', 'The entry has no url or doi: give it one.'],
  [`author={A B}, ${place}`, 'title', 'The entry has no title: give it one.'],
  [`title={T}, ${place}`, 'author', 'The entry has no author: give it one.'],
  [
    `title={T, author={A B}, ${place}`,
    '',
    'The braces that begin on line LINE are not closed: a } is missing.',
  ],
]

test.serial('what is wrong with an entry is said of it alone', async (t) => {
  const lines = faulty.flatMap(([fields], at) => [
    `@misc{k${at}, ${fields}}`,
    `@misc{good${at}, title={T}, author={A B}, ${place}}`,
  ])
  const entries = await readEntries(t, lines.join('\n'))
  t.deepEqual(
    entries.map(({ line }) => line),
    lines.map((_, index) => index + 1),
  )
  for (const [at, [fields, field, message]] of faulty.entries()) {
    const [wrong, good] = entries.slice(2 * at)
    t.is(wrong?.key, `k${at}`)
    const told = message.replace('LINE', String(2 * at + 1))
    t.deepEqual(
      wrong?.faults.map((fault) => [fault.field, fault.message]),
      [[field, told]],
      fields,
    )
    t.like(good, { key: `good${at}`, faults: [] })
  }
})

const warned: readonly (readonly [fields: string, note: RegExp])[] = [
  ['doi={10.x/y}, url={https://example.org/}', /^doi "10\.x\/y" is left out/],
  [`year={in press}, ${place}`, /^year|^date.*in press/],
  [`journal=nature, ${place}`, /does not say what nature stands for/],
  [`crossref={gone}, ${place}`, /no entry "gone"/],
  [`crossref={k4}, ${place}`, /"k4" it never comes to an end/],
  [`note={x} annote={y}, ${place}`, /comma is missing before annote/],
  [`${place} {stray}`, /\{stray\} is left out/],
  [`title={U}, ${place}`, /title more than once; the first one counts/],
  [`author={}, journal={}, ${place}`, /Nothing stands in journal/],
]

test.serial('what BibTeX itself only warns of is read, and told', async (t) => {
  const lines = warned.map(([fields], at) => `@misc{k${at}, title={T}, author={A B}, ${fields}}`)
  const entries = await readEntries(
    t,
    [...lines, `@misc{, title={T}, author={A B}, ${place}`].join('\n'),
  )
  t.deepEqual(
    entries.flatMap(({ faults }) => faults),
    [],
  )
  for (const [at, [fields, note]] of warned.entries()) {
    t.true(
      messagesOf(entries[at]).some((message) => note.test(message)),
      fields,
    )
    t.like(entries[at]?.body, { work_title: 'T', authors: 'A B' }, fields)
    t.is(entries[at]?.notes[0]?.line, at + 1)
  }
  t.deepEqual(
    messagesOf(entries.at(-1)),
    ['The entry has no key.', 'The } at its end is missing.'].toReversed(),
  )
})

test.serial('keys and names of abbreviations may have any signs', async (t) => {
  const entries = await readEntries(
    t,
    `@string{nt/f = {Nucl. Tech.} # "/Fusion"}
@article{10.1016/0196-6774(89)90038-2, author={A B}, title={T}, journal=NT/F, ${place}}
@article(a(b)c, author={A B}, title={T}, journal=jacm, ${place})
@misc{title={T}, author={A B}, ${place}}
@misc{two words, title="{\\"a} \\"o", author={A B}, ${place}}
@misc{e, title={a \\{ b}, author={A B}, ${place}}
@misc{https://example.org/?a=1&b=2, title={T}, author={A B}, ${place}}
@misc{f#g=h, title={T}, author={A B}, ${place}}`,
  )
  t.deepEqual(
    entries.map(({ key, body }) => [key, body?.['work_title'], body?.['container_title']]),
    [
      ['10.1016/0196-6774(89)90038-2', 'T', 'Nucl. Tech./Fusion'],
      ['a(b)c', 'T', 'Journal of the ACM'],
      ['', 'T', undefined],
      ['two words', 'ä ö', undefined],
      ['e', 'a { b', undefined],
      ['https://example.org/?a=1&b=2', 'T', undefined],
      ['f#g=h', 'T', undefined],
    ],
  )
})

test.serial(
  'a chapter has the title of its book, and nothing that the book says of itself',
  async (t) => {
    const [chapter, paper, article, data] = await readEntries(
      t,
      `@inbook{c, author={A B}, title={C}, pages={1--2}, crossref={Book}, doi={10.1234/c}}
@inproceedings{p, author={A B}, title={P}, crossref={proc}, doi={10.1234/p}}
@article{a, author={A B}, title={A}, crossref={issue}, doi={10.1234/a}}
@misc{d, title={D}, xdata={press, more}, doi={10.1234/d}}
@book{book, editor={E F}, title={The Book}, subtitle={A Life}, publisher={Press}, year=2004,
  doi={10.1234/book}, url={https://example.org/book}}
@proceedings{proc, editor={E F}, title={Proceedings of X}, booktitle={Proc. X}, year=2005}
@periodical{issue, title={The Journal}, volume=3, year=2006}
@xdata{press, publisher={Press}, xdata={more}} @xdata{more, author={X Y}}`,
    )
    t.like(chapter?.body, {
      container_title: 'The Book: A Life',
      published_date: '2004',
      publisher_name: 'Press',
      existing_doi: '10.1234/c',
      pages: '1-2',
    })
    t.is(chapter?.body?.['work_url'], undefined)
    t.like(paper?.body, { container_title: 'Proc. X', published_date: '2005' })
    t.like(article?.body, { container_title: 'The Journal', volume: '3', published_date: '2006' })
    t.like(data?.body, { authors: 'X Y', publisher_name: 'Press' })
  },
)

test.serial('what has no place is named with its line', async (t) => {
  const entry = await readEntry(
    t,
    `@article{k, title={One}, author={A B}, ${place}, language={Klingonese},
    copyright={Elsevier}, note={n},
    file={:x.pdf:PDF}, volumes={2}}`,
  )
  t.deepEqual(entry.faults, [])
  t.deepEqual(
    entry.notes.map(({ line, message, isLoss }) => [line, message, isLoss]),
    [
      [1, 'language "Klingonese" is left out: it is no language that we know.', true],
      [2, 'copyright "Elsevier" is left out: it is no licence that we know.', true],
      [1, 'Left out, because it is about the record alone: file.', false],
      [2, 'note is left out: no field fits.', true],
      [3, 'volumes is left out: no field fits.', true],
    ],
  )
})

test.serial('markup of a title is text', async (t) => {
  const title = '<script>alert(1)</script> & <b>bold</b> \\textbf{x}'
  const entry = await readEntry(t, `@misc{k, title={${title}}, author={A B}, ${place}}`)
  t.is(entry.body?.['work_title'], '<script>alert(1)</script> & bold x')
})

test.serial('LaTeX that is no text stays as it is, and is named', async (t) => {
  const title = String.raw`A\ldots{} \TeX\ of \foo{x} co\-ordinates`
  const entry = await readEntry(t, `@misc{k, title={${title}}, author={A B}, ${place}}`)
  t.is(entry.body?.['work_title'], String.raw`A… TeX of \foo{x} coordinates`)
  t.regex(messagesOf(entry).join(' '), /^title has LaTeX that is no text.*: \\foo\.$/)
})

test.serial(
  'a DOI with # and ? or a divided prefix is read as our own BibTeX has it',
  async (t) => {
    for (const existing_doi of ['10.1000.10/a#b?c', '10.1000/(sici)1:2<3::aid>3.0.co;2-#']) {
      const written = formatBibtex(describedWork({ ...fullMetadata, existing_doi }))
      t.like(await readEntry(t, written), { body: { existing_doi }, faults: [] })
    }
    const address = 'https://doi.org/10.1000.10/a%23b'
    const entry = `@misc{a, title={T}, author={A B}, url={${address}}}`
    t.like(await readEntry(t, entry), { body: { existing_doi: '10.1000.10/a#b' } })
  },
)

test.serial('a paper stands in its booktitle, and in its event where it has none', async (t) => {
  const entries = await readEntries(
    t,
    `@inproceedings{a, title = {A}, author = {Jane Roe}, ${place},
  booktitle = {Papers of the Event}, eventtitle = {The Event}, venue = {Oslo},
  eventdate = {2020-01-02/2020-01-04}}
@inproceedings{b, title = {B}, author = {Jane Roe}, ${place}, eventtitle = {The Event}}`,
  )
  const containers = entries.map(({ body }) => body?.['container_title'])
  t.deepEqual(containers, ['Papers of the Event', 'The Event'])
  t.deepEqual(
    entries.map(({ body }) => body?.['event']),
    [
      {
        name: 'The Event',
        place: 'Oslo',
        start_date: '2020-01-02',
        end_date: '2020-01-04',
      },
      { name: 'The Event' },
    ],
  )
  t.deepEqual(messagesOf(entries[0]), [])
})

test.serial('a book stands in its series, and a part of one in a book of a series', async (t) => {
  const series = 'series = {Notes on Moss}, number = {7}'
  const entries = await readEntries(
    t,
    `@book{a, title = {A}, author = {Jane Roe}, ${place}, ${series}, booktitle = {A}}
@incollection{b, title = {B}, author = {Jane Roe}, ${place}, booktitle = {Moss}, ${series}}
@article{c, title = {C}, author = {Jane Roe}, ${place}, journal = {Moss}, series = {2},
  number = {7}}`,
  )
  t.like(entries[0]?.body, { container_title: 'Notes on Moss', issue: '7' })
  t.like(entries[1]?.body, {
    container_title: 'Moss',
    series_title: 'Notes on Moss',
    series_number: '7',
  })
  t.like(entries[2]?.body, { container_title: 'Moss', issue: '7', series_title: undefined })
  t.deepEqual(entries.flatMap(messagesOf), ['series is left out: no field fits.'])
})

test.serial('what only whole records have comes from the fields that say it', async (t) => {
  const entry = await readEntry(
    t,
    `@incollection{k, title = {T}, subtitle = {In Short}, shorttitle = {S}, origtitle = {Titel},
  author = {Jane Roe}, translator = {King, Jr., Martin and {Moss Group}}, ${place},
  booktitle = {Moss}, edition = {2nd}, chapter = {IV}, publisher = {Press}, address = {Cham},
  version = {1.2}, isbn = {978-3-16-148410-0}, pmid = {123}, type = {Memoir}, pagetotal = {10},
  collaboration = {ATLAS}}`,
  )
  t.like(entry.body, {
    work_title: 'T',
    titles: [
      { title: 'In Short', kind: 'subtitle' },
      { title: 'S', kind: 'short' },
      { title: 'Titel', kind: 'original' },
    ],
    contributors: [
      { role: 'translator', given: 'Martin', family: 'King', suffix: 'Jr.' },
      { role: 'translator', name: 'Moss Group' },
      { role: 'research_group', name: 'ATLAS' },
    ],
    sizes: ['10 pages'],
    edition: '2nd',
    chapter_number: 'IV',
    publisher_place: 'Cham',
    resource_version: '1.2',
    resource_type: 'Memoir',
    isbn: [{ value: '978-3-16-148410-0' }],
    alternate_identifiers: [{ identifier: '123', type: 'PMID' }],
  })
  t.deepEqual(messagesOf(entry), [])
})

test.serial('a command that stays is no other one', async (t) => {
  const entry = await readEntry(
    t,
    `@book{k, title = {The {\\foo}book}, author = {Jane Roe}, ${place}}`,
  )
  t.is(entry.body?.['work_title'], 'The \\foo{}book')
})

test.serial('where a conference was and how a thing was published name no publisher', async (t) => {
  const entries = await readEntries(
    t,
    `@inproceedings{a, title = {A}, author = {Jane Roe}, ${place}, address = {Paris, France}}
@misc{b, title = {B}, author = {Jane Roe}, ${place}, howpublished = {[Online]},
  note = {Moss}, booktitle = {Moss}}`,
  )
  t.is(entries[0]?.body?.['publisher_place'], undefined)
  t.is(entries[1]?.body?.['publisher_name'], undefined)
  t.deepEqual(entries.flatMap(messagesOf), [
    'address is left out: it is where the conference was, and not its publisher.',
    'howpublished is left out: no field fits.',
  ])
})
