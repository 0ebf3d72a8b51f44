import test from 'ava'

import { html } from '#src/pages/kit/html.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { noticesOn } from '#actors/works/update_notices.ts'
import { noticeBanner, recordParts } from '#src/pages/public/landing/record_parts.ts'
import { textOf } from '#test/src/pages/public/landing/_records.ts'
import { english } from '#src/words/language.ts'

const least = { work_title: 'T', work_type: 'article', authors: 'Ada Ox' } as const

function checked(members: object): Metadata {
  const read = checkNewWork({ ...least, work_url: 'https://a.example/', ...members })
  if (read.type === 'invalid') throw new Error(JSON.stringify(read.faults))
  return read.metadata
}

function bannerOf(metadata: Metadata) {
  return noticeBanner({ metadata, notices: noticesOn(metadata) })
}

const full = checked(
  Object.fromEntries(Object.entries(metadataFields).map(([name, { example }]) => [name, example])),
)

test('a record without further fields has no part of its own', (t) => {
  t.is(html`${bannerOf(least)}${recordParts(least)}`.html(english), '')
})

test('the page says what a full record says, each under its name', (t) => {
  const text = textOf(recordParts(full))
  for (const said of [
    'Contributors Addison E. Verrill editor',
    'Methods Measured with a mercury manometer.',
    'Über das Gleichgewicht translated, German',
    'Kind Memoir',
    'Version of the content 2.1.0',
    'Created 1873-06 to 1876-10',
    'Physical chemistry FOS 1.4',
    'Degree Doctor of Philosophy',
    'Department of Physics, Yale College',
    'Event Fifth Meeting on Psychoceramics, Providence',
    'Preprint group Chemistry',
    'Changes in this version Typing errors mended.',
    'Review referee-report recommends: accept',
    'Title of the issue Papers in honor of Clausius',
    'ISSN of the series 2049-3630 (electronic)',
    'ISSN 0028-0836 (print)',
    'Series Landmarks of Science, 9',
    'CC-BY-4.0 for the accepted manuscript',
    'Access open from 1877-10-01',
    'New Haven; 41.31° N, 72.92° W',
    'PII: S0000000076000123',
    'Received: 2 June 1875',
    'Files https://example.org/tables.csv text/csv',
    'Is published in Transactions Journal',
    'References (1) R. Clausius, Abhandlungen, 1864.',
  ]) {
    t.true(text.includes(said), `${said}: ${text}`)
  }
})

test('of many references the first are open, and all are counted', (t) => {
  const references = Array.from({ length: 50 }, (_, index) => ({ text: `Reference ${index}` }))
  const text = recordParts(checked({ references })).html(english)
  t.true(text.includes('References (50)'))
  t.true(text.includes('30 more'))
  t.true(text.indexOf('Reference 19') < text.indexOf('30 more'))
})

test('a retraction stands above a correction that was told before it', (t) => {
  const metadata = checked({
    existing_doi: '10.5555/own',
    update_notices: [
      { kind: 'correction', direction: 'of_this', doi: '10.5555/c1', date: '2024-01-02' },
      { kind: 'retraction', direction: 'of_this', doi: '10.5555/r1', by: 'A Press', reason: 'Why' },
      { kind: 'new_version', direction: 'of_this', doi: '10.5555/own' },
    ],
  })
  t.is(
    textOf(bannerOf(metadata)),
    'This work was retracted by A Press . Notice: https://doi.org/10.5555/r1 . Why ' +
      'This work was corrected on 2024-01-02 . Notice: https://doi.org/10.5555/c1 .',
  )
  t.regex(bannerOf(metadata).html(english), /^<div class="flash flash-error" role="note">/)
})

test('a notice says what it is a notice of', (t) => {
  const notices = [{ kind: 'retraction', direction: 'by_this', ark: 'ark:/12345/x6np1wh8k' }]
  t.is(
    textOf(bannerOf(checked({ update_notices: notices }))),
    'This work retracts ark:/12345/x6np1wh8k .',
  )
})

test('whatever a registrant writes is text, and leads nowhere but to the web', (t) => {
  const evil = '"><script>alert(1)</script>'
  const text = recordParts(
    checked({
      contributors: [{ name: evil, role: 'editor', affiliations: [{ name: evil }] }],
      subjects: [{ subject: evil, uri: 'javascript:alert(1)' }],
      rights: [{ uri: 'javascript:alert(1)', text: evil }],
      related_items: [{ relation: 'Cites', identifier: 'javascript:alert(1)' }],
      references: [{ text: evil }],
      geo_locations: [{ place: evil }],
      assertions: [{ name: evil, value: evil }],
    }),
  ).html(english)
  t.false(text.includes('<script'))
  t.false(text.includes('href="javascript'))
})

test('a language that says more than a name of ours is named by what we know of it', (t) => {
  const text = recordParts(checked({ titles: [{ title: 'Titel', language: 'de-x-ours' }] })).html(
    english,
  )
  t.true(text.includes('German'), text)
})
