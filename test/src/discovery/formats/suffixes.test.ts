import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import {
  type CitationStyle,
  formatCitation,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import { cslItem } from '#src/discovery/formats/csl_json.ts'
import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { formatErc } from '#src/discovery/formats/erc.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { schemaOrgThing } from '#src/discovery/formats/schema_org.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const metadata: Metadata = {
  work_title: 'A title',
  work_type: 'dataset',
  authors: 'King, Martin Luther; Abernathy, Ralph',
  author_details: [
    { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
    { family: 'Abernathy', given: 'Ralph', suffix: 'III' },
  ],
  publisher_name: 'A Press',
}
const work = describedWork(metadata)

test('what follows a name stands where each format has it', (t) => {
  t.deepEqual(cslItem(work).author, [
    { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
    { family: 'Abernathy', given: 'Ralph', suffix: 'III' },
  ])
  const bibtex = formatBibtex(work)
  t.true(bibtex.includes('author = {King, Jr., Martin Luther and Abernathy, III, Ralph}'), bibtex)
  t.true(formatRis(work).includes('AU  - King, Martin Luther, Jr.\r\n'))
  t.true(formatDataciteXml(work).includes('>King, Martin Luther, Jr.</creatorName>'))
  t.true(formatDublinCore(work).includes('<dc:creator>King, Martin Luther, Jr.</dc:creator>'))
  const [king] = schemaOrgThing(work)['author'] as readonly Record<string, unknown>[]
  t.like(king, {
    name: 'Martin Luther King Jr.',
    givenName: 'Martin Luther',
    familyName: 'King',
    honorificSuffix: 'Jr.',
  })
  const { authors, url, updatedAt } = work
  const erc = formatErc({ authors, url, updatedAt, title: 'A title', publishedDate: undefined })
  t.true(erc.includes('who: King, Martin Luther, Jr.; Abernathy, Ralph, III\n'), erc)
})

const references: Readonly<Record<CitationStyle, string>> = {
  apa: 'King, M. L., Jr., & Abernathy, R., III. (n.d.). A title',
  'chicago-author-date': 'King, Martin Luther, Jr., and Ralph Abernathy III. n.d. “A Title.”',
  mla: 'King, Martin Luther, Jr., and Ralph Abernathy III. A Title. A',
  ieee: 'M. L. King Jr. and R. Abernathy III, “A title.”',
  vancouver: 'King ML Jr, Abernathy R III. A title',
  harvard: 'King, M.L., Jr. and Abernathy, R., III (no date) “A title.”',
}

for (const [style, start] of Object.entries(references)) {
  test(`${style} cites a name with what follows it`, (t) => {
    const form = { ...usualForm, style: style as CitationStyle }
    const reference = formatCitation(work, form)
    t.is(reference.slice(0, start.length), start)
  })
}

test('what follows a name is read from the name, too, and needs no given name', (t) => {
  const authors = 'King, Martin Luther, Jr.; Ox, Ada'
  const { author_details: _, ...plain } = metadata
  const [king] = cslItem(describedWork({ ...plain, authors })).author ?? []
  t.deepEqual(king, { family: 'King', given: 'Martin Luther', suffix: 'Jr.' })
  const author_details = [{ family: 'Wayan', suffix: 'Sr.' }]
  const short = describedWork({ ...plain, authors: 'Wayan', author_details })
  t.deepEqual(cslItem(short).author, [{ family: 'Wayan', suffix: 'Sr.' }])
  t.true(formatBibtex(short).includes('author = {{Wayan Sr.}}'))
})

test('RIS has a comma at the end of the name of a group, and none within', (t) => {
  const authors = 'Institute of Physics, Beijing; World Bank; Ox, Ada'
  const { author_details: _, ...plain } = metadata
  const ris = formatRis(describedWork({ ...plain, authors }))
  const names = ris.split('\r\n').filter((line) => line.startsWith('AU'))
  t.deepEqual(names, ['AU  - Institute of Physics Beijing,', 'AU  - World Bank,', 'AU  - Ox, Ada'])
})
