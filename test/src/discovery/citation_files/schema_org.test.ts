import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { readSchemaOrg, schemaOrgWorks } from '#src/discovery/citation_files/schema_org.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

test('what we write for schema.org is read back', async (t) => {
  const entry = await readEntry(t, formatSchemaOrg(describedWork(fullMetadata)))
  t.deepEqual(entry.faults, [])
  const { work_title, work_type, work_url, existing_doi, language, license } = fullMetadata
  const { published_date, publisher_name, container_title, volume, issue } = fullMetadata
  const first = { work_title, work_type, work_url, existing_doi, language, license }
  const { description, funding } = fullMetadata
  const second = { published_date, publisher_name, container_title, volume, issue, funding }
  t.like(entry.body, { ...first, ...second, description })
  t.regex(JSON.stringify(entry.body), /"orcid":"0000-0002-1825-0097"/)
})

test('what was measured is written and read, as a name alone, too', async (t) => {
  const variables = [
    { name: 'water height', unit: 'cm', description: 'Above the gauge.' },
    { name: 'temperature', uri: 'https://example.org/variables/temperature' },
  ]
  const written = JSON.parse(formatSchemaOrg(describedWork({ ...fullMetadata, variables }))) as {
    variableMeasured: unknown[]
  }
  t.deepEqual(written.variableMeasured[0], {
    '@type': 'PropertyValue',
    name: 'water height',
    description: 'Above the gauge.',
    unitText: 'cm',
  })
  written.variableMeasured.push('salinity')
  const entry = await readEntry(t, JSON.stringify(written))
  t.deepEqual(entry.body?.['variables'], [...variables, { name: 'salinity' }])
})

test('the works of a graph are read, with what they name in it', async (t) => {
  const graph = [
    { '@id': '#ada', '@type': 'Person', givenName: 'Ada', familyName: 'Lovelace' },
    { '@id': '#book', '@type': 'Book', name: 'A Book' },
    {
      '@type': ['Chapter', 'CreativeWork'],
      name: 'Of Engines',
      author: { '@id': '#ada' },
      isPartOf: { '@id': '#book' },
      identifier: 'https://doi.org/10.1234/engines',
      license: { '@type': 'CreativeWork', url: 'https://creativecommons.org/licenses/by/4.0/' },
      award: 'None',
    },
  ]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  const entries = await readEntries(t, json)
  t.is(entries.length, 1)
  t.like(entries[0]?.body, {
    work_title: 'Of Engines',
    work_type: 'book_chapter',
    authors: 'Ada Lovelace',
    existing_doi: '10.1234/engines',
    container_title: 'A Book',
    license: 'CC-BY-4.0',
  })
  t.true(entries[0]?.notes.some(({ field, isLoss }) => field === 'award' && isLoss))
})

test('relations are read from what a thing names, and holders are no works of a graph', (t) => {
  const doi = (value: string) => ({ '@type': 'PropertyValue', propertyID: 'DOI', value })
  const article = {
    '@id': '#a',
    '@type': ['CreativeWork', 'ScholarlyArticle'],
    name: 'An article',
    author: 'Ann Alpha',
    isPartOf: [{ '@type': 'CreativeWork', identifier: doi('10.1000/whole') }, { '@id': '#issue' }],
    citation: [{ '@id': 'https://doi.org/10.1000/cited' }, 'A book without any identifier'],
    isBasedOn: { '@type': 'Dataset', identifier: doi('10.1000/data') },
    '@reverse': { citation: { '@type': 'CreativeWork', identifier: doi('10.1000/later') } },
  }
  const graph = [
    article,
    { '@id': '#issue', '@type': 'PublicationIssue', issueNumber: 2, isPartOf: { '@id': '#v' } },
    { '@id': '#v', '@type': 'PublicationVolume', volumeNumber: '7', isPartOf: { '@id': '#j' } },
    { '@id': '#j', '@type': 'Periodical', name: 'A Journal' },
    { '@id': '#site', '@type': 'WebSite', name: 'A site' },
  ]
  const works = schemaOrgWorks([{ '@context': 'https://schema.org', '@graph': graph }])
  t.is(works.length, 1)
  const [entry] = readSchemaOrg(works)
  t.like(entry?.body, {
    work_type: 'article',
    container_title: 'A Journal',
    volume: '7',
    issue: '2',
  })
  t.deepEqual(entry?.body?.['related_identifiers'], [
    { relation: 'IsPartOf', scheme: 'DOI', identifier: '10.1000/whole' },
    { relation: 'References', scheme: 'DOI', identifier: '10.1000/cited' },
    { relation: 'IsDerivedFrom', scheme: 'DOI', identifier: '10.1000/data' },
    { relation: 'IsReferencedBy', scheme: 'DOI', identifier: '10.1000/later' },
  ])
  t.deepEqual(entry?.body?.['references'], [{ text: 'A book without any identifier' }])
})

test('the number of a work in a series is its volume', (t) => {
  const work = {
    '@type': 'Book',
    name: 'A book',
    author: 'Ann Alpha',
    position: '12',
    isPartOf: { '@type': 'BookSeries', name: 'A series' },
  }
  const [entry] = readSchemaOrg(schemaOrgWorks([work]))
  t.like(entry?.body, { container_title: 'A series', volume: '12' })
})

test('a book and a journal have their own numbers, and a book the series that it is in', (t) => {
  const isbn = [{ value: '978-3-16-148410-0' }]
  const issn = [{ value: '0028-0836' }, { value: '1476-4687' }]
  const { container_title: _, volume: __, issue: ___, ...least } = fullMetadata
  const thingOf = (more: Partial<Metadata>) =>
    JSON.parse(formatSchemaOrg(describedWork({ ...least, ...more }))) as Record<string, unknown>
  const inSeries = { series_title: 'Moss Studies', series_number: '7' }
  const book = thingOf({ work_type: 'book', isbn, ...inSeries })
  t.is(book['isbn'], isbn[0]?.value)
  t.deepEqual(book['isPartOf'], { '@type': 'BookSeries', name: 'Moss Studies', position: '7' })
  const [entry] = readSchemaOrg(schemaOrgWorks([book]))
  t.like(entry?.body, { isbn, container_title: 'Moss Studies', series_number: '7' })
  const journal = thingOf({ work_type: 'journal', issn })
  t.deepEqual([journal['issn'], journal['isPartOf']], [['0028-0836', '1476-4687'], undefined])
  const chapter = thingOf({ work_type: 'book_chapter', container_title: 'B', isbn })
  t.like(chapter, { isbn: undefined, isPartOf: { name: 'B', isbn: isbn[0]?.value } })
})

test('numbers of what holds a work are read for works of every type', (t) => {
  for (const work_type of ['article', 'dataset', 'software', 'report', 'other'] as const) {
    for (const scheme of ['ISSN', 'ISBN'] as const) {
      const identifier = scheme === 'ISSN' ? '0028-0836' : '978-3-16-148410-0'
      const related = { identifier, relation: 'IsPublishedIn', scheme } as const
      const work = { ...fullMetadata, work_type, related_identifiers: [related] }
      const [entry] = readSchemaOrg(
        schemaOrgWorks([JSON.parse(formatSchemaOrg(describedWork(work))) as unknown]),
      )
      const field = scheme === 'ISSN' ? 'issn' : 'isbn'
      t.deepEqual(entry?.body?.[field], [{ value: identifier }], `${work_type} ${scheme}`)
    }
  }
  const held = {
    '@type': 'Dataset',
    name: 'D',
    author: 'Ann Alpha',
    isPartOf: { issn: '0000-0000' },
  }
  t.is(readSchemaOrg([held])[0]?.body?.['related_identifiers'], undefined)
})
