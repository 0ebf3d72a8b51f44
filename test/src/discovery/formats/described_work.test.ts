import test from 'ava'

import type { WorkType } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { NoticeKind } from '#actors/works/update_notices.ts'
import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import {
  citationStyles,
  formatCitation,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { formatDataciteJson, formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import {
  containerOf,
  type DescribedWork,
  markedTitle,
  pageCountOf,
  pageRange,
  pagesText,
} from '#src/discovery/formats/described_work.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { formatTurtle } from '#src/discovery/formats/turtle.ts'
import { ark, describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

type JsonLd = Readonly<Record<string, unknown>>

function jsonLd(metadata: Metadata, changes: Partial<DescribedWork> = {}): JsonLd {
  return JSON.parse(formatSchemaOrg(describedWork(metadata, changes))) as JsonLd
}

function of(work_type: WorkType, changes: Partial<Metadata> = {}): Metadata {
  return { ...fullMetadata, work_type, ...changes }
}

const { volume: _, issue: __, ...unnumbered } = fullMetadata

test('what holds a work has one kind, which every format says in its own words', (t) => {
  const held = (work_type: WorkType) => {
    const metadata: Metadata = { ...unnumbered, work_type }
    const { isPartOf } = jsonLd(metadata) as { isPartOf?: { '@type': string } }
    const item = cslItem(describedWork(metadata))
    const field = (['container', 'collection', 'event'] as const).find(
      (one) => `${one}-title` in item,
    )
    return [containerOf(describedWork(metadata)).kind, isPartOf?.['@type'], field]
  }
  t.deepEqual(held('article'), ['journal', 'Periodical', 'container'])
  t.deepEqual(held('book_chapter'), ['book', 'Book', 'container'])
  t.deepEqual(held('conference_paper'), ['proceedings', 'Book', 'container'])
  t.deepEqual(held('book'), ['series', 'BookSeries', 'collection'])
  t.deepEqual(held('thesis'), ['series', 'CreativeWorkSeries', 'collection'])
  t.deepEqual(held('poster'), ['event', 'CreativeWork', 'event'])
  t.deepEqual(held('dataset'), ['other', 'CreativeWork', 'container'])
})

test('types that have no pages in schema.org are given none', (t) => {
  t.like(jsonLd(of('article')), { pageStart: '108', pageEnd: '248' })
  for (const type of ['dataset', 'book', 'thesis', 'software'] as const) {
    t.false('pageStart' in jsonLd(of(type)), type)
  }
})

test('a thesis is called doctoral by no format', (t) => {
  t.true(formatBibtex(describedWork(of('thesis'))).includes('  type = {Thesis}'))
  t.notRegex(formatDublinCore(describedWork(of('thesis'))), /doctoral/i)
})

test('dates of the record are no dates of the work', (t) => {
  const first = jsonLd(fullMetadata, { version: 1 })
  t.like(first, { datePublished: '1876-10', sdDatePublished: '2026-01-02T03:04:05.678Z' })
  t.false('dateCreated' in first || 'dateModified' in first)
  t.is(jsonLd(fullMetadata)['dateModified'], '2026-02-03T04:05:06.789Z')
})

test('a licence has the address and the name that readers know, and its identifier', (t) => {
  const work = describedWork(fullMetadata)
  const address = 'https://creativecommons.org/licenses/by/4.0/'
  t.is(jsonLd(fullMetadata)['license'], address)
  const named = 'Creative Commons Attribution 4.0 International'
  const { rightsList } = JSON.parse(formatDataciteJson(work)) as { rightsList: readonly object[] }
  t.like(rightsList[0], { rights: named, rightsUri: address, rightsIdentifier: 'cc-by-4.0' })
  t.true(formatDataciteXml(work).includes(`rightsURI="${address}" rightsIdentifier="CC-BY-4.0"`))
  t.true(formatDublinCore(work).includes(`<dc:rights>${address}</dc:rights>`))
})

test('that all may read is said of content that was read, and of no other', (t) => {
  const open = 'http://purl.org/coar/access_right/c_abf2'
  t.is(jsonLd(fullMetadata)['conditionsOfAccess'], open)
  const { content } = describedWork(fullMetadata)
  const closed = content && { content: { ...content, isOpen: false } }
  t.false('conditionsOfAccess' in jsonLd(fullMetadata, closed))
  t.false(formatDataciteXml(describedWork(fullMetadata, closed)).includes(open))
})

test('the content of a dataset is its distribution, of all else an encoding', (t) => {
  t.like(jsonLd(of('dataset')), { distribution: { '@type': 'DataDownload' } })
  t.like(jsonLd(of('article')), { encoding: { contentUrl: fullMetadata.work_url } })
})

test('a work whose content is one of its files keeps its own address, without a hash', (t) => {
  const work_url = 'https://example.org/page'
  const file = { url: 'https://example.org/a.csv', name: 'Table', kind: 'content' } as const
  const metadata = { ...of('dataset'), work_url, files: [file] }
  const [page, content] = jsonLd(metadata)['distribution'] as Record<string, unknown>[]
  t.is(page?.['contentUrl'], work_url)
  t.false('sha256' in (page ?? {}))
  t.like(content, { contentUrl: file.url, name: 'Table', sha256: 'ab'.repeat(32) })
  const xml = formatDataciteXml(describedWork(metadata))
  t.true(xml.includes(`"Content URL">${work_url}<`))
})

test('related works and other versions are named', (t) => {
  const work = jsonLd({
    ...fullMetadata,
    related_identifiers: [
      { relation: 'Cites', identifier: '10.5281/zenodo.1', scheme: 'DOI' },
      { relation: 'IsCitedBy', identifier: 'ark:12345/x5', scheme: 'ARK' },
      { relation: 'Requires', identifier: 'x', scheme: 'LSID' },
      { relation: 'IsPublishedIn', identifier: '00280836', scheme: 'ISSN' },
    ],
  })
  const at = (version: number) => `https://registry.example/${ark}/v${version}`
  t.like(work, {
    citation: { '@id': 'https://doi.org/10.5281/zenodo.1' },
    '@reverse': { citation: { '@id': 'https://n2t.net/ark:12345/x5' } },
    'http://purl.org/dc/terms/relation': { identifier: { value: 'x' } },
    isBasedOn: { '@id': at(1) },
    workExample: { '@id': at(2) },
  })
  t.true(JSON.stringify(work['isPartOf']).includes('"issn":"0028-0836"'))
  const pinned = jsonLd(fullMetadata, { isPinned: true, url: at(2) })
  t.like(pinned, { exampleOfWork: { '@id': `https://registry.example/${ark}` } })
})

test('persons and groups are told apart', (t) => {
  const metadata = {
    ...fullMetadata,
    authors: 'Bank, Ada B.; Wayan; World Health Organization',
    author_details: [{ given: 'Ada B.', family: 'Bank' }, { family: 'Wayan' }],
  }
  const types = (jsonLd(metadata)['author'] as { '@type': string }[]).map((one) => one['@type'])
  t.deepEqual(types, ['Person', 'Person', 'Organization'])
  const xml = formatDataciteXml(describedWork(metadata))
  t.true(xml.includes('<creatorName nameType="Personal">Wayan</creatorName>'))
  t.true(xml.includes('<creatorName nameType="Organizational">World Health Organization<'))
  t.deepEqual(cslItem(describedWork(metadata)).author?.[1], { family: 'Wayan' })
})

test('a version that was asked for by its number is cited as that version', (t) => {
  const url = `https://registry.example/${ark}/v2`
  const work = describedWork(fullMetadata, { isPinned: true, url })
  t.true(formatBibtex(work).startsWith('@article{ark-12345-k2bcd45g7h3-v2,'))
  t.true(formatRis(work).includes(`ID  - ${ark}/v2\r\n`))
  t.like(cslItem(work), { id: `${ark}/v2`, version: '2' })
  for (const style of Object.keys(citationStyles) as (keyof typeof citationStyles)[]) {
    t.regex(formatCitation(work, { ...usualForm, style }), /version 2|\/v2\.?\n$/i, style)
    t.notRegex(
      formatCitation(describedWork(fullMetadata), { ...usualForm, style }),
      /version/i,
      style,
    )
  }
})

test('pages are read however their hyphen is written', (t) => {
  for (const pages of [
    '123-130',
    '123‐130',
    '123−130',
    '123–130',
    '123－130',
    'pp. 123-130',
    'p. 123 – 130',
    'p.123-p.130',
    'S. 123-130',
    'Seiten 123–130',
    'с. 123-130',
    '123–130 pp.',
    '123～130',
    'pages 123 to 130',
    '第123-130页',
    'págs. 123-130',
    '123–130 S.',
  ]) {
    t.is(pagesText({ pages }, '–'), '123–130', pages)
  }
  t.is(pagesText({ pages: 'e1001' }, '–'), 'e1001')
  t.is(pagesText({ pages: 'S12–S19' }, '-'), 'S12-S19')
  t.is(pagesText({ pages: '103-1–103-9' }, '--'), '103-1--103-9')
  t.is(pagesText({ pages: 'Series A' }, '-'), 'Series A')
  t.is(pagesText({ pages: '123-5' }, '-'), '123-5')
  t.is(pagesText({ pages: 'iv-xii' }, '-'), 'iv-xii')
})

test('the last page is whole where it is a field of its own', (t) => {
  for (const [pages, first, last] of [
    ['123-5', '123', '125'],
    ['1123–25', '1123', '1125'],
    ['S12-9', 'S12', 'S19'],
    ['S12-19', 'S12', 'S19'],
    ['S12-S19', 'S12', 'S19'],
    ['iv-xii', 'iv', 'xii'],
    ['101-101a', '101', '101a'],
    ['30-25', '30', '25'],
    ['9-12', '9', '12'],
    ['e123', 'e123', undefined],
  ] as const) {
    t.deepEqual(pageRange({ pages }), { first, ...(last && { last }) }, pages)
  }
  const whole = { work_title: 'T', work_type: 'book' } as const
  t.deepEqual(pageRange({ pages: 'xii, 245 p.' }), {})
  t.is(pageCountOf({ ...whole, pages: 'xii, 245 p.' }), '245')
  t.is(pageCountOf({ ...whole, pages: '245' }), undefined)
})

test('Turtle has an address for each thing that has one, and escapes all else', (t) => {
  const metadata = { ...fullMetadata, work_title: 'A "title" \\ of\ttwo\nlines' }
  const turtle = formatTurtle(describedWork(metadata))
  t.true(turtle.includes(`<https://registry.example/${ark}>\n  a schema:ScholarlyArticle ;`))
  t.true(turtle.includes(`schema:name ${JSON.stringify(metadata.work_title)}`))
  t.true(turtle.includes('schema:license <https://creativecommons.org/licenses/by/4.0/>'))
  t.true(turtle.includes('schema:datePublished "1876-10"^^schema:Date'))
  t.true(turtle.includes('prov:wasRevisionOf <'))
})

test('what a work has to do with is told by its address, where its scheme has one', (t) => {
  const related = [
    ['PMID', '123', 'https://pubmed.ncbi.nlm.nih.gov/123'],
    ['EISSN', '0028-0836', 'https://portal.issn.org/resource/ISSN/0028-0836'],
    ['DOI', '10.1000/a<b', 'https://doi.org/10.1000/a%3Cb'],
    ['IGSN', 'X1', 'X1'],
  ] as const
  const related_identifiers = related.map(([scheme, identifier]) => {
    return { scheme, identifier, relation: 'Cites' as const }
  })
  const { existing_doi: _doi, ...plain } = fullMetadata
  const text = formatDublinCore(describedWork({ ...plain, related_identifiers }))
  const told = [...text.matchAll(/<dc:relation>(.*?)<\/dc:relation>/g)].map(([, one]) => one)
  t.deepEqual(
    told,
    related.map(([, , address]) => address),
  )
})

test('the title of a withdrawn work begins with that, once', (t) => {
  const marked = (title: string, reason: string) =>
    markedTitle(title, { withdrawal: { reason, at: '2026-11-29T00:00:00.000Z' } })
  t.is(marked('On mice', 'retraction'), 'RETRACTED: On mice')
  t.is(marked('On mice', 'duplicate'), 'WITHDRAWN: On mice')
  for (const title of [
    'Retracted: On mice',
    'RETRACTED ARTICLE: On mice',
    '[Withdrawn] On mice',
    'WITHDRAWN – On mice',
    'Retraction notice to: On mice',
  ]) {
    t.is(marked(title, 'retraction'), title)
  }
  for (const title of ['Withdrawal symptoms: a review', 'Retraction of the lung']) {
    t.is(marked(title, 'retraction'), `RETRACTED: ${title}`)
  }
  t.is(markedTitle('On mice', {}), 'On mice')
})

test('the title of a work that stays says that it was retracted, removed or withdrawn', (t) => {
  const marked = (...kinds: readonly NoticeKind[]) => {
    const update_notices = kinds.map((kind) => ({ kind, direction: 'of_this' }) as const)
    return markedTitle('On mice', { update_notices })
  }
  t.is(marked('correction', 'retraction'), 'RETRACTED: On mice')
  t.is(marked('removal'), 'REMOVED: On mice')
  t.is(marked('withdrawal'), 'WITHDRAWN: On mice')
  t.is(marked('expression_of_concern', 'partial_retraction', 'new_version'), 'On mice')
  const retracting = { kind: 'retraction', direction: 'by_this', doi: '10.5555/x' } as const
  t.is(markedTitle('On mice', { update_notices: [retracting] }), 'On mice')
})

test('every form of a retracted work says so, and which notice does', (t) => {
  const notice = { kind: 'retraction', direction: 'of_this', doi: '10.5555/r1' } as const
  const dated = { ...notice, date: '2026-03-01', by: 'A Press' }
  const update_notices = [
    { kind: 'erratum', direction: 'of_this', doi: '10.5555/e1' } as const,
    dated,
  ]
  const work = describedWork({ ...fullMetadata, update_notices })
  const note =
    'Retracted on 2026-03-01 by A Press. Notice: https://doi.org/10.5555/r1 ' +
    'Corrected. Notice: https://doi.org/10.5555/e1'
  const texts = [formatBibtex(work), formatBiblatex(work), formatRis(work)]
  for (const text of [...texts, JSON.stringify(cslItem(work))]) {
    t.regex(text, /RETRACTED(?:\}?): /)
    t.regex(text, /Retracted on 2026-03-01 by A Press/)
  }
  t.like(cslItem(work), { note, status: 'retracted' })
  t.regex(formatDublinCore(work), /<dc:title>RETRACTED: /)
  t.true(formatDublinCore(work).includes(`<dc:description>${note}</dc:description>`))
  t.regex(formatDataciteXml(work), /dateType="Withdrawn"/)
  t.regex(formatSchemaOrg(work), /"creativeWorkStatus":"Retracted on 2026-03-01/)
  t.regex(formatCitation(work, usualForm), /RETRACTED: .* Retracted on 2026-03-01 by A Press/)
  t.notRegex(formatCitation(work, usualForm), /Corrected/)
  const { published_date: _date, ...undated } = { ...fullMetadata, update_notices }
  t.notRegex(formatCitation(describedWork(undated), usualForm), /\(retracted\)/)
})
