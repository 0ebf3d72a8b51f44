import test from 'ava'

import { type FeedWork, workEntry } from '#src/discovery/feeds/atom.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'

const work: FeedWork = {
  ark_identifier: 'ark:/12345/k2x',
  created_at: '2026-11-21T10:20:30.000Z',
  updated_at: '2026-11-22T10:20:30.000Z',
  links: { resolve: 'https://registry.example/api/v1/resolve/ark:/12345/k2x' },
  status: 'registered',
  work_title: 'Notes by the translator',
  work_type: 'article',
  authors: 'Lovelace, Ada; Menabrea, Luigi',
  work_url: 'https://example.org/notes',
}

test('a work is an entry under its ARK', (t) => {
  const url = 'https://registry.example/ark:/12345/k2x'
  t.deepEqual(workEntry(work, 'https://registry.example', english), {
    id: url,
    title: 'Notes by the translator',
    updated: work.updated_at,
    published: work.created_at,
    authors: ['Lovelace, Ada', 'Menabrea, Luigi'],
    categories: ['article'],
    links: [
      { rel: 'alternate', href: url, type: 'text/html' },
      { rel: 'describedby', href: work.links.resolve, type: 'application/json' },
    ],
  })
})

test('DOI and license are linked, and a long abstract is cut between characters', (t) => {
  const entry = workEntry(
    {
      ...work,
      existing_doi: '10.1002/(sici)1<1::aid>3.0.co;2-#',
      license: 'https://example.org/license',
      description: `${'a'.repeat(999)}𝒜${'b'.repeat(9)}`,
      authors: Array.from({ length: 60 }, (_, index) => `Author ${index}`).join('; '),
    },
    'https://registry.example',
    english,
  )
  t.is(entry.summary, `${'a'.repeat(999)}…`)
  t.is(entry.authors.length, 50)
  t.deepEqual(entry.links.slice(2), [
    { rel: 'related', href: 'https://doi.org/10.1002/(sici)1%3C1::aid%3E3.0.co;2-%23' },
    { rel: 'license', href: 'https://example.org/license' },
  ])
})

test('the title of an entry has no tags', (t) => {
  const titled = (work_title: string) =>
    workEntry({ ...work, work_title }, 'https://r.example', english).title
  t.is(titled('CO<sub>2</sub> in <i>E. coli</i>'), 'CO₂ in E. coli')
  t.is(titled('p <b 0.05'), 'p <b 0.05')
})

test('what became of a work is told in the language of the reader', (t) => {
  const gone = {
    ...work,
    language: 'en',
    withdrawn_at: '2026-11-23T10:20:30.000Z',
    withdrawal_reason: 'fraud',
  }
  const inEnglish = workEntry(gone, 'https://r.example', english)
  t.is(inEnglish.summary, 'This work was withdrawn on 23 Nov 2026, because of fraud.')
  t.is(inEnglish.language, 'en')
  const inGerman = workEntry(gone, 'https://r.example', languageOf('de') ?? english)
  t.is(
    inGerman.summary,
    'Dieses Werk wurde am 23. Nov. 2026 zurückgezogen, und zwar wegen Betrugs.',
  )
})
