import test from 'ava'

import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { ark, describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

test('a work is described in full, identified by its ARK', (t) => {
  const xml = formatDataciteXml(describedWork(fullMetadata))
  t.true(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<resource xmlns="http://data'))
  for (const part of [
    `<identifier identifierType="ARK">${ark}</identifier>`,
    '<creatorName nameType="Personal">von Helmholtz, Hermann</creatorName>' +
      '<givenName>Hermann</givenName><familyName>von Helmholtz</familyName>',
    '<title xml:lang="en">On the Equilibrium of Heterogeneous Substances</title>',
    '<publicationYear>1876</publicationYear>',
    '<resourceType resourceTypeGeneral="JournalArticle">article</resourceType>',
    '<date dateType="Issued">1876-10</date>',
    '<volume>3</volume><issue>2</issue><firstPage>108</firstPage><lastPage>248</lastPage>',
    'rightsIdentifier="CC-BY-4.0"',
    '<awardNumber>101019547</awardNumber>',
  ]) {
    t.true(xml.includes(part), part)
  }
})

test('what is not known is left out, or has the value that DataCite has for it', (t) => {
  const metadata = { work_title: 'T', work_type: 'other', authors: 'A' } as const
  const { content: _, ...work } = describedWork(metadata, { publisher: undefined })
  const xml = formatDataciteXml(work)
  t.true(xml.includes('<publisher>:unav</publisher><publicationYear>2026</publicationYear>'))
  t.notRegex(xml, /<(\w+)[^>]*><\/\1>|<\w+\/>|=""/)
  t.notRegex(xml, /subjects|description|rights|relatedItem|sizes|language/)
})

test('text stays text: markup, entities and characters that XML has not', (t) => {
  const work_title = '<q>&nbsp;&amp;</q> ]]> \u{1f642} אבג \ufffe'
  const xml = formatDataciteXml(describedWork({ ...fullMetadata, work_title }))
  const escaped = '&lt;q&gt;&amp;nbsp;&amp;amp;&lt;/q&gt; ]]&gt; \u{1f642} אבג \ufffd'
  t.true(xml.includes(`>${escaped}</title>`))
})
