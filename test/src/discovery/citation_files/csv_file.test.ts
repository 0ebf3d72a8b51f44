import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { readCsvStream } from '#src/discovery/citation_files/csv_file.ts'
import type { ReadEntry } from '#src/discovery/citation_files/citation_file.ts'
import type { TableColumn } from '#src/discovery/citation_files/csv_columns.ts'
import { formatCsv } from '#src/discovery/formats/csv_row.ts'
import { messagesOf, readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

test('columns are known by the names that fields and other programs have', async (t) => {
  const entry = await readEntry(
    t,
    'Item Type,Author,Title,Publication Title,DOI,Pages,Date,Volume\n' +
      'journalArticle,"Gibbs, Josiah Willard; ATLAS Collaboration",On Heaps,Annals,' +
      '10.1234/X,1-9,1876,3\n',
  )
  t.deepEqual(entry.faults, [])
  t.deepEqual(entry.body, {
    work_title: 'On Heaps',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; ATLAS Collaboration',
    author_details: [
      { name: 'Josiah Willard Gibbs', given: 'Josiah Willard', family: 'Gibbs' },
      { name: 'ATLAS Collaboration' },
    ],
    container_title: 'Annals',
    existing_doi: '10.1234/X',
    pages: '1-9',
    published_date: '1876',
    volume: '3',
  })
})

test('tables of Zotero, JabRef, Springer and Publish or Perish have their own names', async (t) => {
  const zotero = await readEntry(
    t,
    'Item Type,Publication Year,Author,Title,Date,Type,Url\n' +
      'bookSection,2010,"Roe, J.; Doe, A.",T,2010-05,,https://example.org/a\n',
  )
  t.like(zotero.body, { work_type: 'book_chapter', published_date: '2010-05' })
  const [note] = zotero.notes
  t.is(note?.message, 'The column “Publication Year” is left out: “Date” counts.')
  const jabref = await readEntry(
    t,
    'Author,Title,Entrytype,Type,Doi\n"Roe, Jane and Doe, Ann",T,article,,10.1000/a\n',
  )
  t.like(jabref.body, { work_type: 'article', authors: 'Jane Roe; Ann Doe' })
  const springer = await readEntry(
    t,
    'Item Title,Publication Title,Item DOI,Authors,Content Type\nT,J,10.1007/s1,Jane Roe,Article\n',
  )
  t.like(springer.body, { work_title: 'T', existing_doi: '10.1007/s1', work_type: 'article' })
  const perish = await readEntry(
    t,
    'Authors,Title,ArticleURL,StartPage,EndPage\nJane Roe,T,https://example.org/a,11,20\n',
  )
  t.like(perish.body, { work_url: 'https://example.org/a', pages: '11–20' })
})

test('a column that is empty leaves its field to another of that name', async (t) => {
  const [chapter, thesis] = await readEntries(
    t,
    'Item Type,Author,Title,Date,Publication Year,Series,Series Title,Editor,Type,Rights,DOI\n' +
      'bookSection,"Roe, J.",T,,2001,Studies,,"Doe, A.; Moss Group",,© P,10.1000/a\n' +
      'thesis,"Roe, J.",T,1999-06,1999,,,,PhD,CC0,10.1000/b\n',
  )
  t.like(chapter?.body, {
    published_date: '2001',
    series_title: 'Studies',
    contributors: [
      { role: 'editor', name: 'A. Doe', family: 'Doe', given: 'A.' },
      { role: 'editor', name: 'Moss Group' },
    ],
  })
  t.regex(messagesOf(chapter).join(), /The license “© P” is not one we know/)
  t.like(thesis?.body, { published_date: '1999-06', resource_type: 'PhD', license: 'CC0-1.0' })
})

test('a table of an index has a wrong ISSN as it is printed, and is no journal', async (t) => {
  const entry = await readEntry(
    t,
    'Authors,Title,Source title,ISSN,DOI,Source,EID\n' +
      'Roe J.,T,,12345678,10.1000/a,Scopus,2-s2.0-1\n',
  )
  t.deepEqual(entry.faults, [])
  t.like(entry.body, {
    issn: undefined,
    container_title: undefined,
    related_identifiers: [{ scheme: 'ISSN', identifier: '12345678' }],
  })
})

test('a row before the header says what the table is, or what parts its cells', async (t) => {
  for (const first of ['"About the data: Exported on May 1, 2021"', 'sep=,']) {
    const entry = await readEntry(t, `${first}\nTitle,Authors,DOI\nT,Ann Alpha,10.1000/a\n`)
    t.like(entry, { line: 3, body: { work_title: 'T', existing_doi: '10.1000/a' }, faults: [] })
  }
})

test('cells are read as the fields of other formats, and what they lack is told', async (t) => {
  const entry = await readEntry(
    t,
    'title,type,authors,date,doi,url,abstract,publisher\n' +
      'Q&amp;A on <i>moss</i>,article,"Smith, John, PhD; M&uuml;ller, J.; et al.",circa 1850,' +
      'https//doi.org/10.1000/x,<www.example.org/a>,<p>One.</p><p>Two.</p>,:unav\n',
  )
  t.deepEqual(entry.faults, [])
  t.like(entry.body, {
    work_title: 'Q&A on moss',
    authors: 'John Smith; J. Müller',
    published_date: '1850',
    existing_doi: '10.1000/x',
    work_url: 'https://www.example.org/a',
    description: 'One.\nTwo.',
    publisher_name: undefined,
  })
  const told = entry.notes.map(({ message }) => message).join('\n')
  t.regex(told, /"PhD"[^]*more authors[^]*“circa 1850” is taken as 1850/)
})

test('columns are named by hand, and one that is not read is told with the nearest', async (t) => {
  const text = 'Titel;Autors;Link;Typ\n"A; B";Ada Lovelace;https://example.org/a;article\n'
  const choices = { Titel: 'work_title', Typ: 'work_type' } as const
  const file = await readCitationFile(Buffer.from(text), choices)
  if (file.type !== 'read') return t.fail(file.message)
  const [entry] = file.entries
  t.like(entry?.body, {
    work_title: 'A; B',
    work_type: 'article',
    work_url: 'https://example.org/a',
  })
  t.deepEqual(
    entry?.notes.map(({ kind, field, line, isLoss }) => ({ kind, field, line, isLoss })),
    [{ kind: 'left_out', field: 'Autors', line: 2, isLoss: true }],
  )
  t.regex(entry?.notes[0]?.message ?? '', /Did you mean authors\?/)
  t.deepEqual(
    entry?.faults.map(({ code }) => code),
    ['required'],
  )
})

for (const separator of [',', ';', '\t']) {
  test(`rows are parted by ${JSON.stringify(separator)}, with the lines of the file`, async (t) => {
    const row = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(separator)
    const entries = await readEntries(
      t,
      `\ufeff${row(['title', 'authors', 'url', 'abstract'])}\r\n` +
        `${row(['A', 'X Y;', 'https://example.org/a', 'one\r\ntwo'])}\r\n\r\n` +
        `${row(['B ""b""', 'X Y;', 'https://example.org/b', ''])}\r\n`,
    )
    t.deepEqual(
      entries.map(({ line }) => line),
      [2, 5],
    )
    t.like(entries[0]?.body, { description: 'one\ntwo', authors: 'X Y' })
    t.is(entries[1]?.body?.['work_title'], 'B "b"')
  })
}

test('our own export is read back as it is', async (t) => {
  const metadata: Metadata = {
    work_title: '=1+1, or so',
    work_type: 'article',
    authors: 'Ada Lovelace; Wiley, Inc.',
    author_details: [
      { name: 'Ada Lovelace' },
      { name: 'Wiley, Inc.', orcid: '0000-0002-1825-0097' },
    ],
    work_url: 'https://example.org/a',
    description: "'-quoted\nand more",
    keywords: 'a, b; c',
    pages: '1–9',
    published_date: '1843-07',
    publisher_name: '-press',
    external_id: 'press-1',
    work_title_markup: '=1+1, <i>or</i> so',
    description_markup: "'-<b>quoted\nand</b> more",
  }
  const described = describedWork(metadata)
  const { faults, body, notes, ark } = await readEntry(t, formatCsv(described))
  t.deepEqual([faults, notes, ark], [[], [], described.ark])
  t.like(body, metadata)
})

test('what follows a name in a list is its suffix', async (t) => {
  const table =
    'title,authors,url,type\nA,"King, M. L., Jr.; Roe, Jane",https://example.org/a,article'
  const [entry] = await readEntries(t, table)
  t.like(entry?.body, {
    authors: 'M. L. King Jr.; Jane Roe',
    author_details: [{ given: 'M. L.', family: 'King', suffix: 'Jr.' }, { family: 'Roe' }],
  })
})

test('what may be two things is refused or told', async (t) => {
  const entries = await readEntries(
    t,
    'title,authors,url,orcids,type\n' +
      'A, B,X Y;,https://example.org/a,,article\n' +
      'C,"Lovelace, Ada",https://example.org/c,0000-0002-1825-0097,article\n' +
      'D,A B; C D,https://example.org/d,0000-0002-1825-0097,Aufsatz\n' +
      '"E,never closed',
  )
  t.deepEqual(
    entries.map(({ line, faults }) => [line, ...faults.map(({ message }) => message)]),
    [
      [
        2,
        'The row has 6 cells, and the table 5 columns: a cell with a separator in it must stand ' +
          'in quotation marks.',
      ],
      [3],
      [4],
      [5, 'A quotation mark in the row that begins on line 5 is not closed.'],
    ],
  )
  t.like(entries[1]?.body, { authors: 'Ada Lovelace' })
  t.deepEqual(
    entries.map(({ notes }) => notes.map(({ kind, isLoss }) => [kind, isLoss])),
    [
      [],
      [['taken_as', false]],
      [
        ['not_read', true],
        ['taken_as', true],
      ],
      [],
    ],
  )
})

test('text in UTF-16 is refused with what would be right', async (t) => {
  const file = await readCitationFile(Buffer.from('\ufefftitle,url\n', 'utf16le'))
  t.is(file.type, 'not_text')
  t.true('message' in file && file.message.includes('save it in UTF-8'))
})

test('a table is read as it comes, wherever it is cut', async (t) => {
  const text = 'title;authors;url\n"Ä; b";X Y;https://example.org/1\n"C\nd";Z;https://example.org/2'
  async function* pieces(): AsyncGenerator<string> {
    for (const letter of text) yield letter
  }
  let columns: readonly TableColumn[] = []
  const entries: ReadEntry[] = []
  const stream = readCsvStream(pieces(), {}, (seen) => {
    columns = seen
  })
  for await (const group of stream) entries.push(...group)
  t.deepEqual(
    columns.map(({ target }) => target),
    ['work_title', 'authors', 'work_url'],
  )
  t.deepEqual(
    entries.map(({ line, body }) => [line, body?.['work_title']]),
    [
      [2, 'Ä; b'],
      [3, 'C\nd'],
    ],
  )
})

test('a number that a program for tables has shortened is left out, and a day noted', async (t) => {
  const table = (volume: string, issue: string) =>
    `ark,volume,issue,pages\nark:/12345/k2j2z1d4p5n,${volume},${issue},10-12\n`
  const kept = await readEntry(t, table('1e5', '2-3'))
  t.like(kept.body, { volume: '1e5', issue: '2-3', pages: '10-12' })
  t.deepEqual(kept.notes, [])
  const changed = await readEntry(t, table('1.23456789012346E+017', '01/02/26'))
  t.false('volume' in (changed.body ?? {}))
  t.like(changed.body, { issue: '01/02/26' })
  t.deepEqual(
    changed.notes.map(({ kind, field, isLoss }) => [kind, field, isLoss]),
    [
      ['not_read', 'volume', true],
      ['taken_as', 'issue', false],
    ],
  )
})

test('numbers, editions and places of a table are read from columns of their own', async (t) => {
  const [article, book, wrong] = await readEntries(
    t,
    'Title,Document Type,Year,Art. No.,ISSN,ISBN,Edition,Series title,Place,Thesis Type,Link\n' +
      'A,Article,2021,e15,12345679; 0028-0836 (Online),,,,,,https://x.example/1\n' +
      'B,Book,2021,,,978-0-306-40615-7,2,Ser,Rome,,https://x.example/2\n' +
      'C,Thesis,2021,,abc,,,,,Doctoral,https://x.example/3\n',
  )
  t.like(article?.body, {
    article_number: 'e15',
    issn: [{ value: '1234-5679' }, { value: '0028-0836', kind: 'electronic' }],
  })
  t.like(book?.body, {
    isbn: [{ value: '978-0-306-40615-7' }],
    edition: '2',
    series_title: 'Ser',
    publisher_place: 'Rome',
  })
  t.like(wrong?.body, { resource_type: 'Doctoral', issn: undefined })
  t.deepEqual(messagesOf(wrong), ['issn "abc" is left out: it has no ISSN in it.'])
})

test('tables of citation indexes have full names, and affiliations of no one author', async (t) => {
  const header =
    'Authors,Author full names,Title,Year,Affiliations,Authors with affiliations,Link\n'
  const row =
    '"Li W.; Zhang S.","Li, Wei (57188922315); Zhang, San (57188922316)",A,2021,' +
    '"Univ A; Univ B","Li W., Univ A, Univ B; Zhang S., Univ A",https://x.example/1\n'
  const entry = await readEntry(t, header + row)
  t.is(entry.body?.['authors'], 'Wei Li; San Zhang')
  t.deepEqual(entry.body?.['author_details'], [
    { name: 'Wei Li', family: 'Li', given: 'Wei' },
    { name: 'San Zhang', family: 'Zhang', given: 'San' },
  ])
  t.true(messagesOf(entry).includes('No field is for the column “Affiliations”.'))
})
