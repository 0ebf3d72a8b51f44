import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatJats } from '#src/discovery/formats/jats.ts'
import { formatMods } from '#src/discovery/formats/mods.ts'
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
  'publisher_name',
  'container_title',
  'volume',
  'issue',
  'keywords',
] as const

for (const [name, write] of [
  ['JATS', formatJats],
  ['MODS', formatMods],
] as const) {
  test(`${name} carries an article there and back`, (t) => {
    const back = readBack(write(describedWork(metadata)))
    for (const field of carried) t.is(back[field], metadata[field as keyof Metadata], field)
    t.is(back['pages'], '108-248')
    for (const said of ['0000-0002-1825-0097', 'Yale College']) {
      t.true(JSON.stringify(back['author_details']).includes(said), said)
    }
    t.regex(JSON.stringify(back['contributors']), /Morel/)
    t.regex(JSON.stringify(back), /0028-0836/)
  })

  test(`${name} says of other works what they are`, (t) => {
    const book: Metadata = { work_title: 'T', work_type: 'book', authors: 'Jane Roe' }
    for (const work_type of ['book', 'dataset', 'letter', 'preprint', 'thesis'] as const) {
      const back = readBack(write(describedWork({ ...book, work_type, existing_doi: '10.1234/x' })))
      t.is(back['work_type'], work_type)
    }
  })
}

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
