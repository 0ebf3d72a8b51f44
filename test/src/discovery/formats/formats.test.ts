import test from 'ava'
import fc from 'fast-check'

import { type WorkType, workTypeNames, workTypes } from '#actors/values/work_type.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { usualForm } from '#src/discovery/formats/citation_styles.ts'
import { formatCsv } from '#src/discovery/formats/csv_row.ts'
import { formatDataciteJson } from '#src/discovery/formats/datacite.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { type Format, formatNames, formats } from '#src/discovery/formats/format_table.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import { ark, describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

const full = describedWork(fullMetadata)

/** Only what every work has. */
const bare: DescribedWork = (() => {
  const metadata = { work_title: 'T', work_type: 'other', authors: 'Plato' } as const
  return describedWork(metadata, { publisher: undefined })
})()

const hostile = [
  '"quoted", and; parted',
  '{braces} \\and $signs$ % & # _ ^ ~',
  'one\r\ntwo\nER  - \n\u2028three',
  '</script><script>alert(1)</script><!--',
  '&amp;nbsp; ]]> <b>',
  '=HYPERLINK("https://example.org")',
  '\u202eשלום\u202c עולם',
  '\u{1f642}\u{1f469}\u200d\u{1f52c} \ufffe',
]

function of(work_type: WorkType): DescribedWork {
  return describedWork({ ...fullMetadata, work_type })
}

test('BibTeX says where a work stands, and whose it is, in the fields of its type', (t) => {
  const fields = (work_type: WorkType) => {
    const found = formatBibtex(of(work_type)).matchAll(/^  (\w+) = \{(?:Trans|Connecticut)/gm)
    return new Set(Array.from(found, ([, field]) => field))
  }
  t.deepEqual(fields('article'), new Set(['journal', 'publisher']))
  t.deepEqual(fields('book'), new Set(['series', 'publisher']))
  // What styles print of no series of theses, they print as a note.
  t.deepEqual(fields('thesis'), new Set(['series', 'school', 'note']))
})

for (const work_type of workTypeNames) {
  test(`a work of the type ${work_type} has its names in every format`, (t) => {
    const work = of(work_type)
    const names = workTypes[work_type]
    t.true(formatBibtex(work).startsWith(`@${names.bibtex}{ark-12345-k2bcd45g7h3,\n`))
    t.true(formatRis(work).startsWith(`TY  - ${names.ris}\r\nTI  - On the Equ`))
    t.is(JSON.parse(formats.csl.render(work)).type, names.csl)
    t.is(JSON.parse(formatSchemaOrg(work))['@type'], names.schemaOrg)
    t.is(JSON.parse(formatDataciteJson(work)).types.resourceTypeGeneral, names.datacite)
    t.true(formats['datacite-xml'].render(work).includes(`General="${names.datacite}"`))
    t.true(formatDublinCore(work).includes(`<dc:type>${work_type.replaceAll('_', ' ')}</dc:type>`))
    t.true(formatCsv(work).includes(`,${work_type},`))
  })
}

for (const name of formatNames) {
  const { lacks, render }: Format = formats[name]

  test(`${name} is text of its own, whatever the work says`, (t) => {
    for (const text of hostile) {
      const [work_title, container_title] = [text.replace(/[\r\n]+/g, ' '), text]
      const work = describedWork({
        ...fullMetadata,
        work_title,
        container_title,
        description: text,
      })
      const written = render(work, usualForm)
      t.true(written.endsWith('\n'))
      t.is(written, Buffer.from(written).toString('utf8'))
      if (name.includes('xml') || name === 'dc') t.notRegex(written, /<script|<b>|&nbsp;|\ufffe/)
      if (/json|csl/.test(name)) t.notThrows(() => JSON.parse(written) as unknown)
    }
  })

  test(`${name} has no empty fields`, (t) => {
    const { metadata } = bare
    const access = { right: 'metadata_only' }
    const told = { existing_doi: '10.1234/t', published_date: '2026', access }
    const named = { ...bare, metadata: { ...metadata, ...told } } as DescribedWork
    const written = render(lacks?.(bare) === undefined ? bare : named, usualForm)
    t.notRegex(written, /= \{\}|<([\w:]+)[^>]*><\/\1>|<[\w:]+\/>|""|\[\]|\{\}|null|undefined/)
    t.true(written.includes('T'))
  })
}

test('a record of RIS has one line for a tag, and ends once', (t) => {
  for (const description of hostile) {
    const lines = formatRis(describedWork({ ...fullMetadata, description })).split('\r\n')
    t.is(lines.pop(), '')
    t.is(lines.pop(), 'ER  - ')
    for (const line of lines) t.regex(line, /^(?!ER)[A-Z][A-Z0-9] {2}- \S/)
  }
})

test('the braces of BibTeX are balanced for any text', (t) => {
  const property = fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
    const entry = formatBibtex(describedWork({ ...fullMetadata, work_title: text, issue: text }))
    let depth = 0
    for (const sign of entry) {
      if (sign === '{') depth += 1
      if (sign === '}') depth -= 1
      if (depth < 0) return false
    }
    return depth === 0
  })
  t.notThrows(() => {
    fc.assert(property)
  })
})

test('a row of CSV has every column, and no formula', (t) => {
  const [header = '', row = ''] = formatCsv(bare).split('\r\n')
  t.is(row.split(',').length, header.split(',').length)
  const formula = formatCsv(describedWork({ ...fullMetadata, work_title: '=1+1,"a"' }))
  t.true(formula.includes(`,"'=1+1,""a""",`))
  const starts = [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '＝',
    '＋',
    '－',
    '＠',
    '﹢',
    '﹣',
    '﹦',
    '﹫',
  ]
  for (const start of [...starts, '\u200b=', '\u3000＝', '\ufeff ＋']) {
    const publisher_name = `${start}1`
    const csv = formatCsv(describedWork({ ...fullMetadata }, { publisher: publisher_name }))
    t.true(csv.includes(`'${publisher_name}`), JSON.stringify(start))
  }
  for (const text of ['1=1', 'a＝b', '５＋５', '−5', '·=']) {
    t.false(formatCsv(describedWork({ ...fullMetadata, work_title: text })).includes(`'${text}`))
  }
})

test('JSON-LD can stand in a page', (t) => {
  const work_title = '</script><script>alert(1)</script>'
  const written = formatSchemaOrg(describedWork({ ...fullMetadata, work_title }))
  t.false(written.includes('<'))
  t.is(JSON.parse(written).name, work_title)
  t.like(JSON.parse(written), {
    '@id': `https://registry.example/${ark}`,
    sameAs: ['https://doi.org/10.1234/equilibrium'],
    subjectOf: { url: full.receiptUrl },
  })
})

test('of a withdrawn work title and authors are told, and why it is gone', (t) => {
  const withdrawal = { reason: 'author_request', at: '2026-03-04T05:06:07.089Z' }
  const { content: _, ...work } = describedWork(fullMetadata, { withdrawal })
  for (const name of formatNames) {
    const { render }: Format = formats[name]
    const written = render(work, usualForm)
    t.true(written.includes('Equilibrium'), name)
    t.regex(written, /author.request/, name)
    t.false(written.includes('equilibrium.pdf'), name)
  }
})

test('every address of a DOI leads to it, and it is told as it is', (t) => {
  const { work_url: _, ...metadata } = fullMetadata
  const existing_doi = '10.1000.10/a#b?c'
  const work = describedWork({ ...metadata, existing_doi })
  for (const name of formatNames) {
    const format: Format = formats[name]
    const text = format.render(work, usualForm)
    const addresses = text.match(/https:\/\/doi\.org\/[^\s"<>,}]+/g) ?? []
    for (const address of addresses) {
      const isOther = address.includes('zenodo')
      if (!isOther) t.regex(address, /^https:\/\/doi\.org\/10\.1000\.10\/a%23b%3Fc\.?$/, name)
    }
    t.true(addresses.length > 0 || text.includes(existing_doi), name)
  }
})
