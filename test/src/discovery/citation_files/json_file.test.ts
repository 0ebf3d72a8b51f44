import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'

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
    work_title: 'On the Equilibrium of Heterogeneous Substances: A Memoir',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; ATLAS Collaboration',
    author_details: [gibbs, { name: 'ATLAS Collaboration' }],
    description: 'The criteria of equilibrium.',
    existing_doi: '10.1234/equilibrium',
    keywords: 'Thermodynamics, Phases',
    language: 'en',
    license: 'https://creativecommons.org/licenses/by/4.0/',
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
      work_title: 'Measurements: Of Phases',
      work_type: 'article',
      authors: 'Josiah Willard Gibbs; Ada Lovelace; Academy, Connecticut',
      published_date: '1876-10-05',
      license: 'CC-BY-4.0',
      language: 'en',
      pages: '1-9',
      publisher_name: 'Zenodo',
      work_url: 'https://example.org/data',
    })
    t.deepEqual((entry.body?.['author_details'] as unknown[] | undefined)?.[0], gibbs)
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
