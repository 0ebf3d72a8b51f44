import test from 'ava'

import { readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { messagesOf, readEntries, readEntry } from '#test/src/discovery/citation_files/_read.ts'
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
<odd>what nobody knows</odd>
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
    work_title: 'On CO₂ & x < y',
    work_type: 'article',
    authors: 'Josiah Willard Gibbs; ATLAS Collaboration',
    existing_doi: '10.1234/a',
    container_title: 'Annals',
    volume: '3',
    issue: '2',
    pages: '1-9, 11',
    published_date: '1876-10-05',
    description: 'One.',
    language: 'en',
  })
  const named = first?.notes.find(({ field }) => field === 'odd')
  t.like(named, { kind: 'left_out', line: 21, isLoss: true })
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
<title-group>
<article-title>Les <italic>marées</italic>&nbsp;hautes<xref ref-type="fn" rid="f">*</xref>
<fn id="f"><p>Read in May</p></fn></article-title></title-group>
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
    work_title: 'The Engine & its maker',
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
  ])
  t.deepEqual(article?.body?.['issn'], [{ value: '1234-5679' }])
  t.deepEqual(article?.body?.['titles'], [
    { title: 'a study', kind: 'subtitle' },
    { title: 'Die Maschine', kind: 'translated' },
  ])
  const told = article?.notes.map(({ field }) => field)
  t.true(told?.includes('name/namePart'))
  t.like(image?.body, { work_type: 'image', authors: 'Mary Somerville' })
})

function deposit(body: string, root = 'doi_batch'): string {
  return `<${root} xmlns="http://www.crossref.org/schema/5.4.0"><body>${body}</body></${root}>`
}

const person = `<person_name contributor_role="author"><given_name>Ada</given_name>
<surname>Lovelace</surname></person_name>`

const book = `<book book_type="monograph"><book_metadata language="en">
<contributors>${person}</contributors><titles><title>The book</title></titles>
<publication_date><year>2011</year></publication_date><isbn>978-3-16-148410-0</isbn>
<publisher><publisher_name>Press</publisher_name></publisher>
<doi_data><doi>10.5555/b</doi><resource>https://example.org/b</resource></doi_data>
</book_metadata><content_item component_type="chapter"><contributors>${person}</contributors>
<titles><title>Chapter</title></titles>
<doi_data><doi>10.5555/b.1</doi><resource>https://example.org/b/1</resource></doi_data>
</content_item></book>`

test('a book that is deposited with its chapters is a work, and they have its day', async (t) => {
  const [chapter, whole, ...others] = await readEntries(t, deposit(book))
  t.deepEqual(others, [])
  t.like(chapter?.body, { existing_doi: '10.5555/b.1', published_date: '2011' })
  t.deepEqual(chapter?.notes, [])
  t.like(whole?.body, { work_title: 'The book', work_type: 'book', existing_doi: '10.5555/b' })
  t.deepEqual(whole?.faults, [])
})

test('an answer about a chapter is not about its book, of which it is a part', async (t) => {
  const entry = await readEntry(t, deposit(book, 'crossref_result'))
  t.like(entry.body, { work_title: 'Chapter', container_title: 'The book' })
  t.deepEqual(entry.body?.['related_identifiers'], [
    { relation: 'IsPartOf', scheme: 'DOI', identifier: '10.5555/b' },
  ])
})

test('an article without a day of its own has that of its issue', async (t) => {
  const article = `<journal><journal_metadata><full_title>J</full_title></journal_metadata>
<journal_issue><publication_date><month>8</month><day>13</day><year>2008</year></publication_date>
</journal_issue><journal_article><titles><title>A</title></titles>
<contributors>${person}</contributors><doi_data><doi>10.5555/a</doi>
<resource>https://example.org/a</resource></doi_data></journal_article></journal>`
  const entry = await readEntry(t, deposit(article, 'crossref_result'))
  t.like(entry.body, { published_date: '2008-08-13' })
  t.deepEqual(entry.notes, [])
})

test('the author of a dissertation stands alone, and its day is that of approval', async (t) => {
  const text = `<dissertation>${person}<titles><title>Sur les équations</title></titles>
<approval_date><month>12</month><year>1830</year></approval_date>
<institution><institution_name>ENS</institution_name></institution></dissertation>`
  const entry = await readEntry(t, deposit(text))
  t.like(entry.body, { authors: 'Ada Lovelace', published_date: '1830-12', publisher_name: 'ENS' })
  t.deepEqual(entry.notes, [])
})

test('who reviewed is the author of a review', async (t) => {
  const reviewer = person.replace('"author"', '"reviewer"')
  const text = `<peer_review><contributors>${reviewer}</contributors>
<titles><title>Review</title></titles><review_date><year>2022</year></review_date></peer_review>`
  const entry = await readEntry(t, deposit(text))
  t.like(entry.body, { authors: 'Ada Lovelace', published_date: '2022', work_type: 'peer_review' })
})

test('a component that is deposited alone is a part of its work', async (t) => {
  const text = `<sa_component parent_doi="10.5555/p"><component_list><component>
<titles><title>Figure 1</title></titles><contributors>${person}</contributors>
<doi_data><doi>10.5555/p.1</doi><resource>https://example.org/f</resource></doi_data>
</component></component_list></sa_component>`
  const entry = await readEntry(t, deposit(text))
  t.like(entry.body, { work_title: 'Figure 1', existing_doi: '10.5555/p.1' })
  t.deepEqual(entry.body?.['related_identifiers'], [
    { identifier: '10.5555/p', relation: 'IsPartOf', scheme: 'DOI' },
  ])
  const [article, ...others] = await readEntries(
    t,
    deposit(`<posted_content><titles><title>P</title></titles>
<component_list><component><titles><title>F</title></titles>
<doi_data><doi>10.5555/p.f</doi></doi_data></component></component_list></posted_content>`),
  )
  t.deepEqual(others, [])
  t.deepEqual(article?.body?.['related_identifiers'], [
    { identifier: '10.5555/p.f', note: 'hasComponent: F', relation: 'HasPart', scheme: 'DOI' },
  ])
})

test('the body of a standard is its publisher where none is named', async (t) => {
  const text = `<standard><standard_metadata><contributors>
<organization contributor_role="author">TC 46</organization></contributors>
<titles><title>ARK</title></titles><approval_date><year>2021</year></approval_date>
<standards_body><standards_body_name>ISO</standards_body_name></standards_body>
</standard_metadata></standard>`
  const entry = await readEntry(t, deposit(text))
  t.like(entry.body, { work_type: 'standard', publisher_name: 'ISO', published_date: '2021' })
})

test('what is no work is refused by its name, and the rest is read', async (t) => {
  const thesis = `<dissertation>${person}<titles><title>T</title></titles></dissertation>`
  const [pending, work] = await readEntries(
    t,
    deposit(
      `<pending_publication><titles><title>Soon</title></titles></pending_publication>${thesis}`,
    ),
  )
  t.like(pending?.faults[0], {
    code: 'not_readable',
    message: 'It is a work that has not appeared yet, which is no work that can be registered.',
  })
  t.like(work?.body, { work_title: 'T' })
})

test('a grant is read from XML as it is from JSON', async (t) => {
  const investigator = (role: string, given: string, more = '') =>
    `<person role="${role}"><givenName>${given}</givenName>` +
    `<familyName>Roe</familyName>${more}</person>`
  const place =
    '<affiliation><institution country="DK">Moss Institute</institution>' +
    '<ROR>https://ror.org/05gq02987</ROR></affiliation><alternateName>J. R. Other</alternateName>'
  const [entry] = await readEntries(
    t,
    deposit(`<grant><project><project-title xml:lang="en">Of Moss</project-title>
<project-title xml:lang="de">Moose</project-title><investigators>
${investigator('investigator', 'Ann')}
${investigator('lead_investigator', 'Jane', place)}</investigators>
<description xml:lang="en">Why.</description><award_amount currency="EUR">3</award_amount>
<funding amount="2" funding-type="award"><funder-name>A Fund</funder-name>
<funder-id>https://doi.org/10.13039/100000001</funder-id>
<funding-scheme>Open</funding-scheme></funding>
<award-dates start-date="2020-01-01" end-date="2021-02-03"/></project>
<project><project-title>Second</project-title></project><award-number>M-1</award-number>
<award-start-date>2020-01-01</award-start-date>
<rel:program xmlns:rel="http://www.crossref.org/relations.xsd"><rel:related_item>
<rel:inter_work_relation relationship-type="finances"
 identifier-type="doi">10.1000/p</rel:inter_work_relation>
</rel:related_item></rel:program>
<doi_data><doi>10.1000/g</doi><resource>https://example.org/g</resource></doi_data></grant>`),
  )
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    work_title: 'Of Moss',
    work_title_language: 'en',
    titles: [{ title: 'Moose', language: 'de' }],
    work_type: 'award',
    authors: 'Jane Roe; Ann Roe',
    description: 'Why.',
    existing_doi: '10.1000/g',
    work_url: 'https://example.org/g',
    funding: [{ funder: 'A Fund', identifier: '10.13039/100000001' }],
    dates: [
      { kind: 'other', date: '2020-01-01', note: 'start of the award' },
      { kind: 'other', date: '2021-02-03', note: 'end of the award' },
    ],
    assertions: [
      { name: 'award-amount', value: '3 EUR' },
      { name: 'funding-scheme', value: 'Open' },
      { name: 'funding-type', value: 'award' },
      { name: 'funding-amount', value: '2' },
    ],
    alternate_identifiers: [{ identifier: 'M-1', type: 'Award' }],
    related_identifiers: [{ identifier: '10.1000/p', note: 'finances' }],
  })
  t.like(entry?.body?.['author_details'], [
    { affiliations: [{ name: 'Moss Institute', place: 'DK', scheme: 'ROR' }] },
  ])
  t.regex(
    messagesOf(entry).join(' '),
    /project\/project-title: “Second”[^]*alternate-name of a name is left out/,
  )
})

test('what an article of JATS says beside its front matter is told', async (t) => {
  const entry = await readEntry(
    t,
    `<article><front><article-meta><title-group><article-title>T</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Roe</surname></name>
<email>roe@example.org</email></contrib></contrib-group>
<permissions><copyright-statement>© A. Roe</copyright-statement>
<copyright-year>2024</copyright-year></permissions>
<funding-group><award-group><funding-source>A Fund</funding-source><award-id>1</award-id>
<principal-award-recipient>B. Roe</principal-award-recipient></award-group></funding-group>
<custom-meta-group><custom-meta><meta-name>Stage</meta-name><meta-value>Proof</meta-value>
</custom-meta></custom-meta-group></article-meta></front></article>`,
  )
  const told = messagesOf(entry).join(' ')
  for (const text of ['roe@example.org', '© A. Roe', '2024', 'B. Roe', 'Stage', 'Proof']) {
    t.true(told.includes(`“${text}”`), `${text}: ${told}`)
  }
})

test('an answer to a query tells the publisher and relations beside its record', async (t) => {
  const answer = (inside: string) => `<crossref_result
 xmlns="http://www.crossref.org/qrschema/3.0">
<query_result><body><query><doi type="posted_content">10.1000/q</doi>${inside}<doi_record>
<crossref xmlns="http://www.crossref.org/xschema/1.1"><posted_content type="preprint">
<contributors>${person}</contributors><titles><title>T</title></titles>
<doi_data><doi>10.1000/q</doi><resource>https://example.org/q</resource></doi_data>
</posted_content></crossref></doi_record></query></body></query_result></crossref_result>`
  const entry = await readEntry(
    t,
    answer(`<crm-item name="publisher-name" type="string">A Press</crm-item>
<crm-item name="relation" type="doi" claim="hasReview">10.1000/r</crm-item>
<crm-item name="relation" type="doi" claim="__proto__">10.1000/p</crm-item>
<crm-item name="relation" type="doi" claim="constructor">10.1000/c</crm-item>
<crm-item name="created" type="date">2020-01-01</crm-item>`),
  )
  t.like(entry.body, {
    publisher_name: 'A Press',
    related_identifiers: [
      { relation: 'IsReviewedBy', identifier: '10.1000/r' },
      { relation: 'Other', identifier: '10.1000/p' },
      { relation: 'Other', identifier: '10.1000/c' },
    ],
  })
  t.deepEqual(messagesOf(entry), ['Left out, because it is about the record alone: created.'])
})

test('the journal that DataCite’s XML names keeps its number beside other relations', async (t) => {
  const entry = await readEntry(
    t,
    `<resource xmlns="http://datacite.org/schema/kernel-4">
<creators><creator><creatorName>Miller, Eve</creatorName></creator></creators>
<titles><title>T</title></titles><relatedIdentifiers><relatedIdentifier relationType="Cites"
relatedIdentifierType="DOI">10.5555/c</relatedIdentifier></relatedIdentifiers><relatedItems>
<relatedItem relatedItemType="Journal" relationType="IsPublishedIn">
<relatedItemIdentifier relatedItemIdentifierType="ISSN">0302-9743</relatedItemIdentifier>
<titles><title>The <i>J</i></title></titles><volume>7</volume>
<number numberType="Article">12</number>
</relatedItem></relatedItems></resource>`,
  )
  t.like(entry.body, { container_title: 'The J', volume: '7', pages: '12' })
  t.deepEqual(entry.body?.['related_identifiers'], [
    { identifier: '10.5555/c', relation: 'Cites', scheme: 'DOI' },
  ])
  t.deepEqual(entry.body?.['issn'], [{ value: '0302-9743' }])
})

test('the one element of rights of kernel 2 is a licence', async (t) => {
  const entry = await readEntry(
    t,
    `<resource xmlns="http://datacite.org/schema/kernel-2.2"><titles><title>T</title></titles>
<rights>CC-BY-4.0</rights></resource>`,
  )
  t.like(entry.body, { license: 'CC-BY-4.0' })
})

test('rights of DataCite by their address alone, and addresses without a scheme', async (t) => {
  const record = `<titles><title>T</title></titles><rightsList>
<rights rightsURI="http://creativecommons.org/licenses/by/4.0/"/></rightsList>`
  const datacite = `<resource xmlns="http://datacite.org/schema/kernel-4">${record}</resource>`
  t.like((await readEntry(t, datacite)).body, { license: 'CC-BY-4.0' })
  const mods = `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>T</title></titleInfo>
<location><url>www.example.org/a</url></location></mods>`
  t.like((await readEntry(t, mods)).body, { work_url: 'https://www.example.org/a' })
})

test('a part of MODS is one of the whole, by its title and subtitle', async (t) => {
  const entry = await readEntry(
    t,
    `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><nonSort>The</nonSort>
<title>whale</title><subTitle>a story</subTitle><partNumber>2</partNumber></titleInfo>
<name><namePart>King, Martin, Jr.</namePart><role><roleTerm>edt</roleTerm></role></name>
<name><namePart>Ada</namePart></name></mods>`,
  )
  t.like(entry.body, {
    work_title: 'The whale: a story. 2',
    contributors: [{ name: 'King, Martin, Jr.', role: 'editor' }],
  })
})
