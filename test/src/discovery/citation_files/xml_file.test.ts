import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

const crossref = `<?xml version="1.0"?>
<doi_batch xmlns="http://www.crossref.org/schema/5.4.0" xmlns:j="http://www.ncbi.nlm.nih.gov/JATS1">
<head><depositor><email_address>a@example.org</email_address></depositor></head>
<body><journal>
<journal_metadata language="en"><full_title>Annals</full_title><issn>1234-5679</issn>
</journal_metadata><journal_issue>
<journal_volume><volume>3</volume></journal_volume><issue>2</issue></journal_issue>
<journal_article>
<titles><title>On CO<sub>2</sub> &amp; x &lt; y</title></titles>
<contributors>
<person_name contributor_role="author">
<given_name>Josiah Willard</given_name><surname>Gibbs</surname>
<ORCID>https://orcid.org/0000-0002-1825-0097</ORCID></person_name>
<organization contributor_role="author">ATLAS Collaboration</organization>
</contributors>
<j:abstract><j:p>One.</j:p></j:abstract>
<publication_date media_type="print"><year>1876</year></publication_date>
<publication_date media_type="online">
<month>10</month><day>5</day><year>1876</year></publication_date>
<pages><first_page>1</first_page><last_page>9</last_page><other_pages>11</other_pages></pages>
<doi_data><doi>10.1234/A</doi><resource>https://example.org/a</resource></doi_data>
</journal_article>
<journal_article><titles><title>Second</title></titles>
<doi_data><doi>10.1234/b</doi><resource>https://example.org/b</resource></doi_data>
</journal_article>
</journal></body></doi_batch>`

test('an article in Crossref’s XML has what its journal says, and the rest is named', async (t) => {
  const [first, second, ...others] = await readEntries(t, crossref)
  t.deepEqual(others, [])
  t.deepEqual(first?.faults, [])
  t.like(first?.body, {
    work_title: 'On CO2 & x < y',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; ATLAS Collaboration',
    existing_doi: '10.1234/a',
    container_title: 'Annals',
    volume: '3',
    issue: '2',
    pages: '1-9',
    published_date: '1876-10-05',
    description: 'One.',
    language: 'en',
  })
  const named = first?.notes.find(({ field }) => field === 'pages/other_pages')
  t.like(named, { kind: 'left_out', line: 20, isLoss: true })
  t.like(second?.body, { work_title: 'Second', container_title: 'Annals', volume: '3' })
})

test('what we write as DataCite’s XML is read back', async (t) => {
  const entry = await readEntry(t, formatDataciteXml(describedWork(fullMetadata)))
  t.deepEqual(entry.faults, [])
  const { work_title, work_type, language, published_date, publisher_name, funding } = fullMetadata
  const { container_title, volume, issue, existing_doi, work_url } = fullMetadata
  const kept = {
    existing_doi,
    work_url,
    work_title,
    work_type,
    language,
    published_date,
    publisher_name,
    funding,
  }
  t.like(entry.body, { ...kept, container_title, volume, issue })
})

test('the front of an article of JATS is read, and its body is passed over', async (t) => {
  const entry = await readEntry(
    t,
    `<!DOCTYPE article PUBLIC "-//NLM//DTD JATS 1.3//EN" "JATS.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="review-article" xml:lang="fr">
<front><journal-meta>
<journal-title-group><journal-title>Annales</journal-title></journal-title-group>
<publisher><publisher-name>Presse</publisher-name></publisher></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1234/jats</article-id>
<title-group><article-title>Les <italic>marées</italic>&nbsp;hautes</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Gibbs</surname>
<given-names>Josiah</given-names></name><xref ref-type="aff" rid="a1"/></contrib></contrib-group>
<aff id="a1"><label>1</label>Yale College</aff>
<pub-date pub-type="epub"><day>5</day><month>10</month><year>1876</year></pub-date>
<volume>3</volume><fpage>1</fpage><lpage>9</lpage>
<permissions><license xlink:href="https://creativecommons.org/licenses/by/4.0/"/></permissions>
<kwd-group><kwd>mer</kwd><kwd>lune</kwd></kwd-group><custom-thing>odd</custom-thing>
</article-meta></front><body><p>${'long '.repeat(300_000)}</p></body></article>`,
  )
  t.deepEqual(entry.faults, [])
  t.like(entry.body, {
    work_title: 'Les marées hautes',
    work_type: 'review_article',
    authors: 'Josiah Gibbs',
    existing_doi: '10.1234/jats',
    container_title: 'Annales',
    publisher_name: 'Presse',
    published_date: '1876-10-05',
    volume: '3',
    pages: '1-9',
    license: 'CC-BY-4.0',
    language: 'fr',
  })
  t.regex(JSON.stringify(entry.body?.['author_details']), /Yale College/)
  t.true(entry.notes.some(({ field }) => field === 'article-meta/custom-thing'))
})

test('no entity is expanded, and nothing is nested or long without end', async (t) => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`
  const resource = (inner: string) =>
    `<resource xmlns="http://datacite.org/schema/kernel-3">${inner}</resource>`
  const [entry] = await readEntries(t, bomb + resource('<titles><title>X &b; y</title></titles>'))
  t.is(entry?.body?.['work_title'], 'X &b; y')
  t.true(entry?.notes.some(({ kind, field }) => kind === 'not_read' && field === '&b;'))
  const messageOf = async (text: string) => {
    const entries = await readEntries(t, text)
    return entries.map(({ faults }) => faults[0]?.message).join(' ')
  }
  t.regex(await messageOf(resource('<a>'.repeat(200))), /nested more than 100 deep/)
  t.regex(await messageOf(resource(`<a>${'x'.repeat(1_100_000)}</a>`)), /more than 1000000 char/)
  t.regex(await messageOf(resource('<titles>\n<title>X</titles>')), /cannot be read from line 2 on/)
  const odd = Array.from({ length: 300 }, (_, index) => `a${index}="1"`).join(' ')
  t.regex(await messageOf(resource(`<a ${odd}/>`)), /more than 200 attributes/)
  t.is((await readCitationFile(Buffer.from('<html><p>Hello</p></html>'))).type, 'unknown_format')
})

test('a file is read alike wherever it is cut', (t) => {
  const reader = new XmlReader()
  const entries = [...crossref].flatMap((letter) => reader.push(letter))
  const whole = new XmlReader()
  t.deepEqual([...entries, ...reader.end()], [...whole.push(crossref), ...whole.end()])
})

const modsCollection = `<modsCollection xmlns="http://www.loc.gov/mods/v3">
<mods version="3.7">
<titleInfo><nonSort>The</nonSort><title>Engine &amp; its maker</title>
<subTitle>a study</subTitle></titleInfo>
<titleInfo type="translated"><title>Die Maschine</title></titleInfo>
<name type="personal"><namePart type="family">Lovelace</namePart>
<namePart type="given">Ada</namePart>
<role><roleTerm type="code" authority="marcrelator">aut</roleTerm></role>
<nameIdentifier type="orcid">https://orcid.org/0000-0002-1825-0097</nameIdentifier></name>
<name type="corporate"><namePart>Analytical Society</namePart></name>
<name type="personal"><namePart>Somebody, Else</namePart>
<role><roleTerm>ill</roleTerm></role></name>
<typeOfResource>text</typeOfResource><genre>journal article</genre>
<originInfo><publisher>A Press</publisher><dateIssued>[1843?]</dateIssued>
<dateIssued encoding="w3cdtf" keyDate="yes">1843-09</dateIssued></originInfo>
<language><languageTerm type="code" authority="iso639-2b">eng</languageTerm></language>
<abstract>On engines.</abstract><subject><topic>engines</topic></subject>
<identifier type="doi">10.1000/engine</identifier>
<location><url>https://example.org/engine</url></location>
<accessCondition type="use and reproduction"
 xmlns:xlink="http://www.w3.org/1999/xlink"
 xlink:href="https://creativecommons.org/licenses/by/4.0/">CC BY</accessCondition>
<relatedItem type="host"><titleInfo><title>Scientific Memoirs</title></titleInfo>
<identifier type="issn">1234-5679</identifier>
<part><detail type="volume"><number>3</number></detail>
<detail type="issue"><number>2</number></detail>
<extent unit="pages"><start>666</start><end>731</end></extent></part></relatedItem>
<relatedItem type="references"><identifier type="doi">10.1000/other</identifier></relatedItem>
<recordInfo><recordIdentifier>1</recordIdentifier></recordInfo></mods>
<mods><titleInfo><title>A picture</title></titleInfo>
<name><namePart>Mary Somerville</namePart></name>
<typeOfResource>still image</typeOfResource></mods></modsCollection>`

test('MODS: a collection of records, each with what holds it', async (t) => {
  const [article, image] = await readEntries(t, modsCollection)
  t.like(article?.body, {
    work_title: 'The Engine & its maker: a study',
    work_type: 'article',
    authors: 'Ada Lovelace; Analytical Society',
    published_date: '1843-09',
    publisher_name: 'A Press',
    language: 'en',
    license: 'CC-BY-4.0',
    existing_doi: '10.1000/engine',
    work_url: 'https://example.org/engine',
    container_title: 'Scientific Memoirs',
    volume: '3',
    issue: '2',
    pages: '666-731',
    keywords: 'engines',
    description: 'On engines.',
  })
  t.deepEqual(article?.body?.['related_identifiers'], [
    { relation: 'References', scheme: 'DOI', identifier: '10.1000/other' },
    { relation: 'IsPublishedIn', scheme: 'ISSN', identifier: '1234-5679' },
  ])
  const told = article?.notes.map(({ field }) => field)
  for (const field of ['titleInfo/title', 'name/namePart']) t.true(told?.includes(field), field)
  t.like(image?.body, { work_type: 'image', authors: 'Mary Somerville' })
})
