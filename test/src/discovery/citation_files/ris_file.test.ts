import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { messagesOf, readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

const who = 'TI  - T\nAU  - B, A.\nDO  - 10.1234/x\n'

test('a journal article has all its fields in ours', async (t) => {
  const entry = await readEntry(
    t,
    `TY  - JOUR
AU  - Gibbs, Josiah Willard
AU  - von Helmholtz, Hermann
AU  - CERN
TI  - On the Equilibrium of
  Heterogeneous Substances
T2  - Transactions of the Connecticut Academy
PY  - 1876
DA  - 1876/10/05/
VL  - 3
IS  - 2
SP  - 108
EP  - 248
DO  - 10.1234/Equilibrium
UR  - https://example.org/equilibrium.pdf
UR  - https://example.org/other
KW  - thermodynamics
KW  - phases
AB  - The criteria - of equilibrium.
LA  - eng
PB  - Connecticut Academy
SN  - 1234-5679
ER  - \r\n`,
  )
  t.deepEqual(entry.faults, [])
  t.deepEqual(entry.body, {
    work_title: 'On the Equilibrium of Heterogeneous Substances',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; Hermann von Helmholtz; CERN',
    author_details: [
      { name: 'Josiah Willard Gibbs', given: 'Josiah Willard', family: 'Gibbs' },
      { name: 'Hermann von Helmholtz', given: 'Hermann', family: 'von Helmholtz' },
      { name: 'CERN' },
    ],
    description: 'The criteria - of equilibrium.',
    work_url: 'https://example.org/equilibrium.pdf',
    existing_doi: '10.1234/equilibrium',
    keywords: 'thermodynamics, phases',
    language: 'en',
    published_date: '1876-10-05',
    publisher_name: 'Connecticut Academy',
    container_title: 'Transactions of the Connecticut Academy',
    volume: '3',
    issue: '2',
    pages: '108-248',
    issn: [{ value: '1234-5679' }],
  })
  t.deepEqual(entry.notes, [
    {
      kind: 'repeated',
      field: 'UR',
      line: 16,
      message: 'UR: https://example.org/other is left out; the first address counts.',
      isLoss: true,
    },
  ])
})

const dates: readonly (readonly [tags: string, date: string])[] = [
  ['PY  - 2005', '2005'],
  ['PY  - 2005///', '2005'],
  ['PY  - 2005/3//', '2005-03'],
  ['PY  - 2005/03/12/Spring', '2005-03-12'],
  ['Y1  - 1987///Spring', '1987'],
  ['PY  - 2005\nDA  - 2005-03-12', '2005-03-12'],
  ['PY  - 2006\nDA  - 2005/12/31', '2006'],
  ['DA  - 2005/03', '2005-03'],
  ['PY  - 2005\nDA  - May 3', '2005-05-03'],
  ['PY  - 2005//\nDA  - Oct', '2005-10'],
]

const pages: readonly (readonly [tags: string, pages: string])[] = [
  ['SP  - 12\nEP  - 34', '12-34'],
  ['SP  - 12-34\nEP  - 34', '12-34'],
  ['SP  - e1009', 'e1009'],
  ['SP  - pp. 1–10', '1-10'],
]

test('dates and pages of all forms are read', async (t) => {
  const record = (tags: string) => `TY  - JOUR\n${who}${tags}\nER  - \n`
  const entries = await readEntries(
    t,
    [...dates, ...pages].map(([tags]) => record(tags)).join('\n'),
  )
  t.deepEqual(
    entries.flatMap(({ faults }) => faults),
    [],
  )
  t.deepEqual(
    entries.map(({ body }) => body?.['pages'] ?? body?.['published_date']),
    [...dates, ...pages].map(([, value]) => value),
  )
})

test('older tags, other types and one space before the hyphen are read', async (t) => {
  const [thesis, data, chapter] = await readEntries(
    t,
    `TY - THES
A1 - Old, A.
T1 - Old title
Y1 - 1987
N2 - Abstract
PB - A University
UR - http://example.org/t
ER -
TY - DATA
TI - Data
AU - Doe, Jane
UR - http://example.org/d
ER -
TY - CHAP
TI - Chapter
T2 - Book
AU - Doe, Jane
UR - http://example.org/c
ER -`,
  )
  t.like(thesis?.body, {
    work_title: 'Old title',
    work_type: 'thesis',
    authors: 'A. Old',
    description: 'Abstract',
    publisher_name: 'A University',
  })
  t.like(data?.body, { work_type: 'dataset' })
  t.like(chapter?.body, { work_type: 'book_chapter', container_title: 'Book' })
})

test('what is wrong with a record is said of it alone', async (t) => {
  const good = `TY  - JOUR\n${who}ER  - \n`
  const entries = await readEntries(
    t,
    `${good}TI  - Nothing\nER  - \nTY  - JOUR\nTI  - No author\nPY  - soon\n${good}`,
  )
  t.deepEqual(
    entries.map(({ line, key, faults }) => [line, key, faults.map(({ message }) => message)]),
    [
      [1, 'record 1', []],
      [6, 'record 2', ['The record on line 6 does not begin with "TY  - ".']],
      [
        8,
        'record 3',
        ['The entry has no AU: give it one.', 'The entry has no UR or DO: give it one.'],
      ],
      [11, 'record 4', []],
    ],
  )
  t.deepEqual(messagesOf(entries[2]), ['PY "soon" is left out: no date can be read from it.'])
})

test('names in Chinese, Japanese and Korean script keep their order', async (t) => {
  const entry = await readEntry(
    t,
    `TY  - JOUR\nTI  - T\nAU  - 山田, 太郎\nDO  - 10.1234/x\nER  - \n`,
  )
  t.is(entry.body?.['authors'], '山田 太郎')
  t.deepEqual(entry.body?.['author_details'], [
    { name: '山田 太郎', given: '太郎', family: '山田' },
  ])
})

test('a DOI with # and ? or a divided prefix is read as our own RIS has it', async (t) => {
  for (const existing_doi of ['10.1000.10/a#b?c', '10.1000/(sici)1:2<3::aid>3.0.co;2-#']) {
    const written = formatRis(describedWork({ ...fullMetadata, existing_doi }))
    t.like(await readEntry(t, written), { body: { existing_doi }, faults: [] })
  }
})

const risCases: readonly (readonly [lines: string, field: string, value: unknown])[] = [
  ['TY  - CONF\nT2  - Proc\nSP  - 1', 'work_type', 'conference_paper'],
  ['TY  - CONF\nT2  - Meeting\nC3  - Proc', 'container_title', 'Proc'],
  [
    'TY  - CPAPER\nT2  - Meeting\nC3  - Proc\nCY  - Bonn',
    'event',
    { name: 'Meeting', place: 'Bonn' },
  ],
  ['TY  - CPAPER\nT2  - Proc\nPB  - P\nCY  - Cham', 'publisher_place', 'Cham'],
  ['TY  - CHAP\nBT  - Handbook', 'container_title', 'Handbook'],
  ['TY  - CHAP\nBT  - Handbook\nT3  - Moss Studies', 'series_title', 'Moss Studies'],
  ['TY  - CHAP\nBT  - Handbook\nSE  - 3', 'chapter_number', '3'],
  ['TY  - JOUR\nT2  - Journal of Moss\nJ2  - J. M.', 'container_short_title', 'J. M.'],
  ['TY  - JOUR\nJO  - Journal of Moss\nJA  - J. M.', 'container_title', 'Journal of Moss'],
  ['TY  - JOUR\nJA  - J. M.', 'container_title', 'J. M.'],
  ['TY  - JOUR\nST  - Moss', 'titles', [{ title: 'Moss', kind: 'short' }]],
  ['TY  - BOOK\nET  - 2nd', 'edition', '2nd'],
  ['TY  - DATA\nET  - Version 2.1', 'resource_version', '2.1'],
  ['TY  - JOUR\nET  - 2019/03/20', 'dates', [{ kind: 'online', date: '2019-03-20' }]],
  ['TY  - BOOK\nCY  - Bonn', 'publisher_place', 'Bonn'],
  ['TY  - BOOK\nSN  - 978-3-16-148410-0', 'isbn', [{ value: '978-3-16-148410-0' }]],
  [
    'TY  - JOUR\nSN  - 0028-0836 (Print) 1476-4687 (Electronic)',
    'issn',
    [
      { value: '0028-0836', kind: 'print' },
      { value: '1476-4687', kind: 'electronic' },
    ],
  ],
  ['TY  - RPRT\nM3  - Working Paper', 'work_type', 'working_paper'],
  ['TY  - BOOK\nM3  - Essay\nM3  - Speech', 'resource_type', 'Essay'],
  ['TY  - JOUR\nDO  - 10.1000/n\nM3  - 10.1000/m', 'existing_doi', '10.1000/n'],
  ['TY  - BOOK\nAU  - Hakim, Tawfik al-', 'authors', 'Tawfik al-Hakim; A. B'],
  ['TY  - JOUR\nJO  - J. M.\nT2  - Journal of Moss', 'container_title', 'Journal of Moss'],
  ['TY  - JOUR\nPY  - 2011\nPY  - 2012', 'published_date', '2011'],
  ['TY  - JOUR\nKW  - Models, Biological\nKW  - a; b', 'keywords', 'Models, Biological; a; b'],
  ['TY  - JOUR\nC7  - e12', 'pages', 'e12'],
  ['TY  - BOOK\nSP  - 412', 'pages', undefined],
  ['TY  - THES\nSP  - xii, 412 p.', 'pages', undefined],
  ['TY  - BOOK\nSP  - 1\nEP  - 412', 'pages', '1-412'],
  ['TY  - BOOK\nSP  - 5-412', 'pages', '5-412'],
  ['TY  - CHAP\nSP  - 412', 'pages', '412'],
  ['TY  - JOUR\nSP  - n/a\nEP  - n/a', 'pages', undefined],
  ['TY  - JOUR\nAU  - Alpha, A. & Beta, B., et al.', 'authors', 'A. Alpha; B. Beta; A. B'],
  ['TY  - JOUR\nAU  - {World Bank}', 'authors', 'World Bank; A. B'],
  [
    'TY  - JOUR\nAU  - World Health Organization,\nAU  - Alpha, Ann,\nAU  -',
    'authors',
    'World Health Organization; Ann Alpha; A. B',
  ],
]

test('tags mean what programs mean by them in records of their type', async (t) => {
  // Of one file: each file has a thread, and its start takes longer than all the records.
  const entries = await readEntries(
    t,
    risCases.map(([lines]) => `${lines}\n${who}ER  - \n`).join(''),
  )
  t.is(entries.length, risCases.length)
  for (const [index, [lines, field, value]] of risCases.entries()) {
    t.deepEqual(entries[index]?.body?.[field], value, lines)
    t.deepEqual(entries[index]?.faults, [], lines)
  }
})

test('a file of tags in lower case is read as one of capitals', async (t) => {
  const entry = await readEntry(t, `ty  - jour\nda  - 2016/10/19\npy  - 2016\n${who}ER  - \n`)
  t.is(entry.body?.['published_date'], '2016-10-19')
  t.deepEqual(entry.faults, [])
})

test('a DOI is found in M3, and an address in each part of UR', async (t) => {
  const record = (lines: string) => `TY  - JOUR\nTI  - T\nAU  - B, A.\n${lines}\nER  - \n`
  for (const tag of ['M3', 'L3', 'N1']) {
    const { body } = await readEntry(t, record(`${tag}  - doi:10.1000/i5`))
    t.is(body?.['existing_doi'], '10.1000/i5', tag)
  }
  const quoting = record('N1  - Corrected in 10.1000/i5\nUR  - https://example.org/a')
  t.is((await readEntry(t, quoting)).body?.['existing_doi'], undefined)
  const urls = record('UR  - https://example.org/a; https://example.org/b')
  t.is((await readEntry(t, urls)).body?.['work_url'], 'https://example.org/a')
})

test('files of other programs are refused with what would be right', async (t) => {
  for (const text of [
    'FN Clarivate\nPT J\nAU A',
    'PMID- 1\nTI  - T',
    '%0 Book\n%T T',
    '<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>',
    '<?xml version="1.0"?><xml><records><record/></records></xml>',
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"/>',
    '<dc xmlns="http://purl.org/dc/elements/1.1/"/>',
    '<record xmlns="http://www.loc.gov/MARC21/slim"/>',
  ]) {
    const file = await readCitationFile(Buffer.from(text))
    t.regex(file.type === 'read' ? '' : file.message, /export it as RIS or BibTeX/)
  }
})

test('how many pages a whole work has is its size, and no page of it', async (t) => {
  const entry = await readEntry(t, `TY  - EBOOK\n${who}SP  - 412\nER  - \n`)
  t.deepEqual([entry.body?.['sizes'], entry.body?.['pages']], [['412 pages'], undefined])
  t.deepEqual(messagesOf(entry), [])
})

test('files beside the address, and the number of PubMed Central, have their fields', async (t) => {
  const files = 'UR  - https://example.org/a\nL1  - https://example.org/a.pdf\nC2  - PMC12345\n'
  const { body = {}, notes } = await readEntry(t, `TY  - JOUR\n${who}${files}ER  - \n`)
  t.deepEqual(body['files'], [{ url: 'https://example.org/a.pdf', media_type: 'application/pdf' }])
  t.deepEqual(body['alternate_identifiers'], [{ identifier: 'PMC12345', type: 'PMCID' }])
  t.deepEqual(notes, [])
})

test('primary authors stand before those of AU', async (t) => {
  const entry = await readEntry(t, 'TY  - JOUR\nTI  - T\nAU  - Doe, J\nA1  - Roe, R\nER  - \n')
  t.is(entry.body?.['authors'], 'R Roe; J Doe')
})

test('a type that RIS does not know is read by the name that it has elsewhere', async (t) => {
  const record = (type: string) =>
    `TY  - ${type}\nTI  - A\nAU  - B\nUR  - https://x.example/\nER  -\n`
  const entries = await readEntries(t, record('PREPRINT') + record('dataset') + record('XYZZY'))
  t.deepEqual(
    entries.map(({ body }) => body?.['work_type']),
    ['preprint', 'dataset', 'other'],
  )
  t.deepEqual(entries.map(messagesOf), [
    [],
    [],
    ['TY "XYZZY" is no type that we know: it is taken as other.'],
  ])
})
