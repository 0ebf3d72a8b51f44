import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { messagesOf, readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'

const gibbs = {
  name: 'Josiah Willard Gibbs',
  given: 'Josiah Willard',
  family: 'Gibbs',
  orcid: '0000-0002-1825-0097',
  affiliation: 'Yale College',
}

test('what Crossref says of a DOI has all its fields in ours', async (t) => {
  const message = {
    DOI: '10.1234/Equilibrium',
    URL: 'https://doi.org/10.1234/equilibrium',
    title: ['On the Equilibrium of Heterogeneous Substances'],
    subtitle: ['A Memoir'],
    type: 'journal-article',
    author: [
      {
        given: 'Josiah Willard',
        family: 'Gibbs',
        ORCID: 'http://orcid.org/0000-0002-1825-0097',
        affiliation: [{ name: 'Yale College' }],
        sequence: 'first',
      },
      { name: 'ATLAS Collaboration' },
    ],
    'container-title': ['Transactions'],
    volume: '3',
    issue: '2',
    page: '108-248',
    publisher: 'Connecticut Academy',
    issued: { 'date-parts': [[1876, 10, 5]] },
    license: [{ URL: 'https://creativecommons.org/licenses/by/4.0/' }],
    abstract: '<jats:p>The criteria of <jats:italic>equilibrium</jats:italic>.</jats:p>',
    subject: ['Thermodynamics', 'Phases'],
    language: 'en',
  }
  const entry = await readEntry(t, JSON.stringify({ status: 'ok', message }))
  t.deepEqual(entry.faults, [])
  t.like(entry.body, {
    work_title: 'On the Equilibrium of Heterogeneous Substances',
    titles: [{ title: 'A Memoir', kind: 'subtitle' }],
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; ATLAS Collaboration',
    author_details: [gibbs, { name: 'ATLAS Collaboration', name_type: 'organization' }],
    description: 'The criteria of equilibrium.',
    existing_doi: '10.1234/equilibrium',
    keywords: 'Thermodynamics, Phases',
    language: 'en',
    license: 'CC-BY-4.0',
    published_date: '1876-10-05',
    publisher_name: 'Connecticut Academy',
    container_title: 'Transactions',
    volume: '3',
    issue: '2',
    pages: '108-248',
  })
})

test('what DataCite says of a DOI has all its fields in ours', async (t) => {
  const attributes = {
    doi: '10.1234/data',
    url: 'https://example.org/data',
    titles: [{ title: 'Measurements' }, { title: 'Of Phases', titleType: 'Subtitle' }],
    creators: [
      {
        name: 'Gibbs, Josiah Willard',
        nameType: 'Personal',
        givenName: 'Josiah Willard',
        familyName: 'Gibbs',
        nameIdentifiers: [
          {
            nameIdentifier: 'https://orcid.org/0000-0002-1825-0097',
            nameIdentifierScheme: 'ORCID',
          },
        ],
        affiliation: ['Yale College'],
      },
      { name: 'Lovelace, Ada' },
      { name: 'Academy, Connecticut', nameType: 'Organizational' },
    ],
    publisher: 'Zenodo',
    publicationYear: 1877,
    dates: [{ date: '1876-10-05', dateType: 'Issued' }],
    types: { resourceTypeGeneral: 'JournalArticle' },
    subjects: [{ subject: 'Phases' }],
    rightsList: [{ rightsIdentifier: 'cc-by-4.0' }],
    descriptions: [{ description: 'An abstract.', descriptionType: 'Abstract' }],
    container: { title: 'Transactions', volume: '3', firstPage: '1', lastPage: '9' },
    language: 'eng',
  }
  for (const given of [{ data: { id: 'x', attributes } }, attributes]) {
    const entry = await readEntry(t, JSON.stringify(given))
    t.deepEqual(entry.faults, [])
    t.like(entry.body, {
      work_title: 'Measurements',
      titles: [{ title: 'Of Phases', kind: 'subtitle' }],
      work_type: 'article',
      authors: 'Josiah Willard Gibbs; Ada Lovelace; Academy, Connecticut',
      published_date: '1876-10-05',
      license: 'CC-BY-4.0',
      language: 'en',
      pages: '1-9',
      publisher_name: 'Zenodo',
      work_url: 'https://example.org/data',
    })
    t.like(entry.body, { author_details: [{ ...gibbs, name_type: 'person' }] })
  }
})

test('CSL-JSON is read as a list, and each record on its own', async (t) => {
  const entries = await readEntries(
    t,
    JSON.stringify([
      {
        id: 'a',
        type: 'article-journal',
        title: 'Engines',
        author: [{ family: '山田', given: '太郎' }],
        issued: { 'date-parts': [['2021', '3']] },
        DOI: '10.1234/x',
      },
      { id: 'b', note: 'nothing' },
      'text',
      { title: 'Without authors', URL: 'https://example.org/x' },
    ]),
  )
  const [first, ...others] = entries
  t.deepEqual(first?.faults, [])
  t.like(first?.body, { authors: '山田 太郎', published_date: '2021-03', work_type: 'article' })
  t.deepEqual(
    others.map(({ key, faults }) => [key, faults[0]?.message]),
    [
      ['record 2', 'The record 2 has no title and no DOI.'],
      ['record 3', 'The record 3 has no title and no DOI.'],
      ['record 4', 'The entry has no author: give it one.'],
    ],
  )
})

const hostile: Readonly<Record<string, string>> = {
  'no JSON': '{"title": ',
  'no record': '{"a": 1}',
  'an empty list': '[]',
  'nested deeply': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
}

test('JSON that is no metadata is refused, whatever it is', async (t) => {
  for (const [name, text] of Object.entries(hostile)) {
    const file = await readCitationFile(Buffer.from(text))
    t.is(file.type, 'unknown_format', name)
  }
  const deep = `{"title": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const [entry] = await readEntries(t, deep)
  t.true((entry?.faults.length ?? 0) > 0)
  const [proto] = await readEntries(t, '{"title": "T", "__proto__": {"polluted": 1}}')
  t.false('polluted' in {})
  t.true((proto?.faults.length ?? 0) > 0)
})

const crossref = { DOI: '10.1234/x', title: ['T'], author: [{ family: 'A' }] }
const address = (name: string) => `https://creativecommons.org/licenses/${name}/4.0/`

const crossrefCases: readonly (readonly [members: object, field: string, value: unknown])[] = [
  [{ type: 'monograph' }, 'work_type', 'book'],
  [{ type: 'posted-content', subtype: 'preprint' }, 'work_type', 'preprint'],
  [
    { issued: { 'date-parts': [[null]] }, created: { 'date-parts': [[2016]] } },
    'published_date',
    undefined,
  ],
  [{ 'article-number': '064002' }, 'pages', '064002'],
  [{ page: 'n/a-n/a' }, 'pages', undefined],
  [
    { 'journal-issue': { issue: '3', 'published-print': { 'date-parts': [[2009, 4]] } } },
    'published_date',
    '2009-04',
  ],
  [{ license: [{ URL: address('by'), 'content-version': 'VOR' }] }, 'license', 'CC-BY-4.0'],
  [
    {
      license: [
        { URL: 'https://example.org/tdm', 'content-version': 'tdm' },
        { URL: address('by-nc'), 'content-version': 'am' },
        { URL: address('by'), 'content-version': 'vor' },
      ],
    },
    'license',
    'CC-BY-4.0',
  ],
  [{ title: ['Q&amp;A: p &lt; 0.05 in <i>E. coli</i>'] }, 'work_title', 'Q&A: p < 0.05 in E. coli'],
  [
    { funder: [{ name: 'F', award: ['1', '2'] }] },
    'funding',
    [
      { funder: 'F', award: '1' },
      { funder: 'F', award: '2' },
    ],
  ],
  [
    {
      author: [
        { family: 'Hakim', given: 'T.', 'non-dropping-particle': 'al-' },
        { literal: 'Others' },
      ],
    },
    'authors',
    'T. al-Hakim',
  ],
]

test('members of Crossref and CSL fill the fields that are for them', async (t) => {
  const entries = await readEntries(
    t,
    JSON.stringify(crossrefCases.map(([members]) => ({ ...crossref, ...members }))),
  )
  for (const [index, [members, field, value]] of crossrefCases.entries()) {
    t.deepEqual(entries[index]?.body?.[field], value, JSON.stringify(members))
  }
})

const datacite = { doi: '10.1234/x', titles: [{ title: 'T' }], creators: [{ name: 'A, B' }] }

const dataciteCases: readonly (readonly [members: object, field: string, value: unknown])[] = [
  [{ publisher: ':unav' }, 'publisher_name', undefined],
  [{ publisher: '(:unkn)' }, 'publisher_name', undefined],
  [{ publisher: { name: 'P' } }, 'publisher_name', 'P'],
  [{ types: { resourceTypeGeneral: 'text', resourceType: 'Report' } }, 'work_type', 'report'],
  [{ types: { resourceTypeGeneral: 'Text', bibtex: 'phdthesis' } }, 'work_type', 'thesis'],
  [{ types: { resourceTypeGeneral: 'Text', ris: 'RPRT', bibtex: 'article' } }, 'work_type', 'text'],
  [{ types: { resourceTypeGeneral: 'Text', ris: 'CHAP' } }, 'work_type', 'book_chapter'],
  [{ creators: [{ name: ':Unav' }] }, 'authors', undefined],
  [{ dates: [{ date: '2020-05-06/2021', dateType: 'Issued' }] }, 'published_date', '2020-05-06'],
  [{ types: { resourceTypeGeneral: 'Text', citeproc: 'article-journal' } }, 'work_type', 'article'],
  [
    {
      rightsList: [
        { rightsUri: 'info:eu-repo/semantics/openAccess' },
        { rightsUri: address('by') },
      ],
    },
    'license',
    'CC-BY-4.0',
  ],
  [
    {
      alternateIdentifiers: [
        { alternateIdentifier: 'https://example.org/f', alternateIdentifierType: 'Content URL' },
      ],
    },
    'work_url',
    'https://example.org/f',
  ],
  [
    { relatedItems: [{ relationType: 'IsPublishedIn', titles: [{ title: 'J' }], volume: '3' }] },
    'container_title',
    'J',
  ],
]

test('members of DataCite fill the fields that are for them', async (t) => {
  const data = dataciteCases.map(([members]) => ({ attributes: { ...datacite, ...members } }))
  const entries = await readEntries(t, JSON.stringify({ data }))
  for (const [index, [members, field, value]] of dataciteCases.entries()) {
    t.deepEqual(entries[index]?.body?.[field], value, JSON.stringify(members))
  }
})

test('what no row is for is named, with the line of its record', async (t) => {
  const text = JSON.stringify([crossref, { ...crossref, dimensions: '2 m', score: 1 }], null, 1)
  const [, entry] = await readEntries(t, text)
  t.is(text.split('\n')[(entry?.line ?? 0) - 1], ' {')
  t.deepEqual(messagesOf(entry).slice(0, 2), [
    'Left out, because it is about the record alone: score.',
    'Left out, because no field fits: dimensions.',
  ])
  t.deepEqual(
    entry?.notes.slice(0, 2).map(({ isLoss }) => isLoss),
    [false, true],
  )
})

test('the place of an event that has no name is told to be left out', async (t) => {
  const item = { type: 'book', title: 'T', author: [{ literal: 'Moss Office' }] }
  const items = [
    { ...item, 'event-place': 'Rome' },
    { ...item, 'event-place': 'Rome', 'publisher-place': 'Rome' },
  ]
  const entries = await readEntries(t, JSON.stringify(items))
  t.deepEqual(entries.map(messagesOf), [['event-place "Rome" is left out: no event is named.'], []])
})

test('records that stand in a line each are read, and other lines are told of', async (t) => {
  const lines = ['One', 'Two'].map((title) =>
    JSON.stringify({ title, type: 'book', DOI: '10.1/x' }),
  )
  const entries = await readEntries(t, `${lines[0]}\n\n{broken\n${lines[1]}\n`)
  t.deepEqual(
    entries.map(({ line, body }) => [line, body?.['work_title']]),
    [
      [1, 'One'],
      [3, undefined],
      [4, 'Two'],
    ],
  )
  t.like(entries[1]?.faults, [{ message: 'The line is not one JSON value.' }])
  t.like(await readCitationFile(Buffer.from('{broken\n{broken')), { type: 'unknown_format' })
  const hidden = JSON.stringify({ doi: '10.5072/x', state: 'draft', titles: [{ title: 'T' }] })
  const [, left] = await readEntries(t, `${lines[0]}\n${hidden}`)
  t.is(left?.body, undefined)
  t.regex(messagesOf(left).join(), /its state is draft/)
})

test('identifiers in lines of a note are read where the record has no member', async (t) => {
  const record = { type: 'book', title: 'A', author: [{ family: 'B' }] }
  const note = 'ISBN: 9780306406157\nDOI: 10.1000/abc\nPMID: 123\nA remark'
  const [read, other] = await readEntries(
    t,
    JSON.stringify([
      { ...record, note },
      { ...record, DOI: '10.1000/x', note: 'DOI: 10.1000/other' },
    ]),
  )
  t.like(read?.body, {
    existing_doi: '10.1000/abc',
    isbn: [{ value: '9780306406157' }],
    alternate_identifiers: [{ identifier: '123', type: 'PMID' }],
  })
  t.is(other?.body?.['existing_doi'], '10.1000/x')
  const left = ['Left out, because no field fits: note.']
  t.deepEqual([messagesOf(read), messagesOf(other)], [left, left])
})
