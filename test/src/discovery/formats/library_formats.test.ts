import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import {
  formatCrossref,
  formatNewCrossref,
  lackOfDeposit,
} from '#src/discovery/formats/crossref_deposit.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
import { formatOpenaire } from '#src/discovery/formats/openaire.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

/** What an import reads of a record, as it would be stored. */
function readBack(text: string): Readonly<Record<string, unknown>> {
  const reader = new XmlReader()
  const [entry] = [...reader.push(text), ...reader.end()].map((each) => checkEntry(each, 'xml'))
  const check = checkNewWork(entry?.body)
  return check.type === 'ok' ? check.metadata : { faults: check.faults }
}

const metadata: Metadata = {
  ...fullMetadata,
  contributors: [{ role: 'translator', given: 'Théo', family: 'Morel' }],
  issn: [{ value: '0028-0836' }],
}

const carried = [
  'work_title',
  'work_type',
  'existing_doi',
  'language',
  'license',
  'published_date',
  'container_title',
  'volume',
  'issue',
] as const

// Of an article, Crossref has neither keywords nor the publisher: it is who deposits.
const carriedByMost = [...carried, 'keywords', 'publisher_name'] as const

for (const [name, write, fields] of [
  ['JATS', formatJats, carriedByMost],
  ['MODS', formatMods, carriedByMost],
  ['Crossref', formatCrossref, carried],
] as const) {
  test(`${name} carries an article there and back`, (t) => {
    const back = readBack(write(describedWork(metadata)))
    for (const field of fields) t.is(back[field], metadata[field as keyof Metadata], field)
    t.is(back['pages'], '108-248')
    for (const said of ['0000-0002-1825-0097', 'Yale College']) {
      t.true(JSON.stringify(back['author_details']).includes(said), said)
    }
    t.regex(JSON.stringify(back['contributors']), /Morel/)
    t.regex(JSON.stringify(back), /0028-0836/)
  })

  test(`${name} says of other works what they are`, (t) => {
    const book: Metadata = { work_title: 'T', work_type: 'book', authors: 'Jane Roe' }
    const types = ['book', 'dataset', 'letter', 'preprint', 'thesis'] as const
    for (const work_type of types) {
      const back = readBack(write(describedWork({ ...book, work_type, existing_doi: '10.1234/x' })))
      t.is(back['work_type'], work_type)
    }
  })
}

test('words that every object of JavaScript knows are no terms of a format', (t) => {
  const name = 'constructor'
  const work = describedWork({
    ...fullMetadata,
    access: { right: 'open' },
    alternate_identifiers: [{ identifier: 'n'.repeat(33), type: name }],
    clinical_trials: [{ number: 'NCT1', registry: '10.18810/clinical-trials-gov', kind: name }],
    resource_version: name,
    work_type: 'dataset',
  })
  t.regex(formatOpenaire(work), /<oaire:version>constructor</)
  t.regex(
    formatCrossref({ ...work, metadata: { ...work.metadata, work_type: 'article' } }),
    /<identifier id_type="other">n{33}<.*clinical-trials-gov">NCT1</s,
  )
})

test('marks of a title are those of JATS, and none in MODS', (t) => {
  const work = describedWork({ ...fullMetadata, work_title: '<i>Moss</i> & CO<sub>2</sub>' })
  t.regex(formatJats(work), /<article-title><italic>Moss<\/italic> &amp; CO<sub>2<\/sub></)
  t.regex(formatMods(work), /<title>Moss &amp; CO₂</)
})

test('JSON-LD and Dublin Core name who has but a given name, and what a work is about', (t) => {
  const work = describedWork({
    ...fullMetadata,
    contributors: [{ role: 'editor', given: 'Wayan' }],
    subjects: [{ subject: 'Moss' }],
    related_identifiers: [{ relation: 'Describes', identifier: '10.1000/fern', scheme: 'DOI' }],
  })
  const thing = JSON.parse(formatSchemaOrg(work)) as Readonly<Record<string, unknown>>
  t.like(thing['editor'], { '@type': 'Person', name: 'Wayan', givenName: undefined })
  t.like(thing['about'], [{ name: 'Moss' }, { '@id': 'https://doi.org/10.1000/fern' }])
  t.regex(formatDublinCore(work), /<dc:contributor>Wayan<\/dc:contributor>/)
})

const deposited: Metadata = { ...fullMetadata, pages: 'S1-S9, S12', published_date: '2026-02-28' }

test('a deposit carries what Crossref has a place for', (t) => {
  const work: Metadata = {
    ...deposited,
    contributors: [
      { role: 'translator', given: 'Théo', family: 'Morel' },
      { role: 'statistics_reviewer', given: 'Mei', family: 'Tan' },
    ],
    titles: [
      { title: 'Über das Gleichgewicht', kind: 'original', language: 'de' },
      { title: 'Eine Abhandlung', kind: 'original_subtitle', language: 'de' },
    ],
    descriptions: [{ description: 'In plain words.', kind: 'plain_language', language: 'en' }],
    dates: [
      { date: '2026-21', kind: 'print' },
      { date: '2026-02-28', kind: 'online' },
      { date: '2025-12-01', kind: 'accepted' },
    ],
    issn: [{ value: '2049-3630', kind: 'electronic' }],
    article_number: 'e0012',
    resource_version: '1.2',
    alternate_identifiers: [{ identifier: 'S0000000076000123', type: 'PII' }],
    funding: [
      {
        funder: 'Water Fund',
        identifier: '10.13039/501100000780',
        identifier_type: 'Crossref Funder ID',
        award: 'WL-9',
      },
    ],
    related_identifiers: [
      { relation: 'IsVersionOf', note: 'isPreprintOf', identifier: '10.1234/p', scheme: 'DOI' },
      { relation: 'Collects', identifier: 'https://example.org/c', scheme: 'URL' },
      { relation: 'Cites', note: 'twice', identifier: '10.1234/c', scheme: 'DOI' },
    ],
    references: [{ key: 'a', author: 'Ode', title: 'Of bays', year: '2019', first_page: '44' }],
    update_policy: '10.1234/policy',
    update_notices: [
      { kind: 'correction', direction: 'by_this', doi: '10.1234/old', date: '2026-03-01' },
    ],
    assertions: [{ name: 'received', label: 'Received', value: '2 June 2025', order: 1 }],
    archives: ['Portico'],
  }
  const back = readBack(formatCrossref(describedWork(work)))
  t.is(back['pages'], 'S1-S9, S12')
  for (const field of ['titles', 'descriptions', 'contributors', 'dates', 'issn'] as const) {
    t.like(back[field], work[field] ?? {}, field)
  }
  for (const field of ['related_identifiers', 'references', 'funding', 'archives'] as const) {
    t.like(back[field], work[field] ?? {}, field)
  }
  for (const field of ['update_policy', 'assertions', 'alternate_identifiers'] as const) {
    t.deepEqual(back[field], work[field], field)
  }
  t.like(back['update_notices'], { 0: { kind: 'correction', doi: '10.1234/old' } })
})

test('what a kind demands and a record lacks makes a deposit posted content', (t) => {
  const { container_title: _, ...alone } = deposited
  const element = (work: Metadata) => /<body><(\w+)/.exec(formatCrossref(describedWork(work)))?.[1]
  t.is(element(deposited), 'journal')
  t.is(element(alone), 'posted_content')
  t.is(element({ ...deposited, work_type: 'conference_paper' }), 'conference')
  t.is(element({ ...alone, work_type: 'conference_paper' }), 'posted_content')
  t.is(element({ ...alone, work_type: 'software' }), 'database')
  t.is(element({ ...alone, work_type: 'peer_review' }), 'posted_content')
  const reviews = [{ relation: 'Reviews', identifier: '10.1234/r', scheme: 'DOI' }] as const
  const review: Metadata = { ...alone, work_type: 'peer_review', related_identifiers: reviews }
  t.is(element(review), 'peer_review')
  t.is(element({ ...review, published_date: '2026-02' }), 'posted_content')
  const whole = [{ ...reviews[0], relation: 'IsPartOf', note: 'isComponentOf' }] as const
  t.is(element({ ...alone, work_type: 'image', related_identifiers: whole }), 'sa_component')
})

test('a deposit names who made it, and marks titles as Crossref has them', (t) => {
  const operator = { name: 'House of Records', email: 'doi@example.org' }
  const work = describedWork({ ...deposited, work_title: 'CO<sub>2</sub> < 5' }, { operator })
  const text = formatCrossref(work)
  t.regex(text, /<depositor_name>House of Records<.*<email_address>doi@example\.org</s)
  t.regex(text, /<title>CO<sub>2<\/sub> &lt; 5</)
  const [author] = deposited.author_details ?? []
  const credited = { ...deposited, author_details: [{ ...author, credit_roles: ['software'] }] }
  const newer = formatNewCrossref(describedWork({ ...credited, authors: 'Gibbs;' }))
  t.regex(newer, /<doi_batch xmlns="[^"]*5\.5\.0".*<role vocab="credit" type="software"\/>/s)
})

test('what cannot be deposited is told', (t) => {
  const { existing_doi: _, ...without } = deposited
  t.regex(lackOfDeposit({ metadata: without }) ?? '', /DOI/)
  t.regex(lackOfDeposit({ metadata: { ...deposited, published_date: '1350' } }) ?? '', /1400/)
  t.regex(lackOfDeposit({ metadata: { ...deposited, work_type: 'award' } }) ?? '', /awards/)
  const existing_doi = `10.1234/${'a'.repeat(201)}`
  t.regex(lackOfDeposit({ metadata: { ...deposited, existing_doi } }) ?? '', /longer/)
  t.is(lackOfDeposit({ metadata: deposited }), undefined)
})
