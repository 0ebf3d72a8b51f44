import test from 'ava'

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
