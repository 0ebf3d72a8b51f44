import test from 'ava'

import { changeEntry, type FeedChange } from '#src/discovery/feeds/atom.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'

const url = 'https://registry.example/ark:/12345/k2x'
const work = { url, receiptUrl: (version: number) => `https://registry.example/receipt/${version}` }
const change: FeedChange = {
  seq: 3,
  at: '2026-11-21T10:20:30.000Z',
  type: 'work.versioned',
  version: 2,
  by: { name: 'Demo Press' },
  changed_fields: ['description', 'work_url'],
}

test('a version is an entry under its own ARK', (t) => {
  t.deepEqual(changeEntry(change, work, english), {
    id: `${url}/v2`,
    title: 'Version 2',
    updated: change.at,
    authors: ['Demo Press'],
    categories: ['work.versioned'],
    links: [
      { rel: 'alternate', href: `${url}/v2`, type: 'text/html' },
      { rel: 'related', href: 'https://registry.example/receipt/2', type: 'application/json' },
    ],
    content:
      'Version 2 was registered on 21 Nov 2026: changed abstract and address of the content.',
  })
})

test('what happens to a version is another entry each time', (t) => {
  const check = { ...change, type: 'work.fixity_changed', changed_fields: [] } as const
  const failed = changeEntry(
    { ...check, fixity_status: 'failed', message: 'The content has another hash.' },
    work,
    english,
  )
  t.like(failed, {
    id: `${url}#change-3`,
    title: 'Content found changed',
    content: 'We checked the content of version 2 on 21 Nov 2026. The content has another hash.',
  })
  const again = changeEntry(
    { ...check, seq: 4, fixity_status: 'verified', message: null },
    work,
    english,
  )
  t.like(again, { id: `${url}#change-4`, title: 'Content found as registered' })
  t.true(again.content?.endsWith('on 21 Nov 2026.'))
})

test('the end of a work, and of what it said of itself, are entries too', (t) => {
  const titles = (['work.registered', 'work.withdrawn', 'work.erased'] as const).map(
    (type) => changeEntry({ ...change, type }, work, english).title,
  )
  t.deepEqual(titles, ['Registered', 'Withdrawn', 'Metadata erased'])
})

test('a change is told in the language of the reader', (t) => {
  const german = languageOf('de') ?? english
  t.like(changeEntry(change, work, german), {
    title: 'Version 2',
    content:
      'Version 2 wurde am 21. Nov. 2026 registriert, ' +
      'geändert: Zusammenfassung und Adresse des Inhalts.',
  })
})
