import test from 'ava'

import { checkEntry, type CitationEntry } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { messagesOf } from '#test/src/discovery/citation_files/_read.ts'

function read(text: string): CitationEntry | undefined {
  const xml = new XmlReader()
  const entries = text.startsWith('<')
    ? [...xml.push(text), ...xml.end()]
    : readJson(parseJsonRecords(text))
  return entries.map((each) => checkEntry(each, 'json'))[0]
}

const article = {
  DOI: '10.1234/lamp.5',
  type: 'journal-article',
  title: ['Light of lamps', 'Lumière des lampes'],
  subtitle: ['A first look'],
  'short-title': ['Lamps'],
  author: [
    {
      given: 'Nora',
      family: 'Vale',
      ORCID: 'http://orcid.org/0000-0002-1825-0097',
      'authenticated-orcid': true,
      affiliation: [{ name: 'Lamp Office', department: ['Wicks'] }, { name: 'School of Light' }],
    },
    { name: 'Lamp Group' },
  ],
  editor: [{ given: 'Otto', family: 'Marsh' }],
  translator: [{ given: 'Ida', family: 'Reed' }],
  'container-title': ['Lamp Letters'],
  'short-container-title': ['Lamp Lett.'],
  ISSN: ['1234-5679'],
  'issn-type': [{ type: 'print', value: '1234-5679' }],
  volume: '2',
  page: '3-4',
  'article-number': '17',
  issued: { 'date-parts': [[2020, 1, 5]] },
  'published-print': { 'date-parts': [[2020, 3]] },
  accepted: { 'date-parts': [[2019, 12, 1]] },
  URL: 'https://doi.org/10.1234/lamp.5',
  resource: { primary: { URL: 'https://example.org/lamps/5' } },
  license: [
    { URL: 'https://example.org/mining', 'content-version': 'tdm' },
    { URL: 'http://creativecommons.org/licenses/by-nc/4.0/', 'content-version': 'vor' },
    {
      URL: 'https://creativecommons.org/licenses/by/4.0/',
      'content-version': 'am',
      start: { 'date-parts': [[2021, 1, 5]] },
    },
  ],
  link: [
    {
      URL: 'https://example.org/lamps/5.pdf',
      'content-type': 'application/pdf',
      'intended-application': 'text-mining',
    },
  ],
  funder: [{ DOI: '10.13039/501100000780', name: 'Light Fund', award: ['L-1', 'L-2'] }],
  reference: [{ key: 'r1', unstructured: 'Somebody, <i>Lamps</i>, 1870.' }, { key: 'r2' }],
  relation: {
    'has-preprint': [
      { 'id-type': 'doi', id: '10.1234/lamp.pre', 'asserted-by': 'subject' },
      { 'id-type': 'doi', id: '10.1234/lamp.pre', 'asserted-by': 'object' },
    ],
    'is-comment-on': [{ 'id-type': 'uri', id: 'https://example.org/night' }],
    'based-on-data': [{ 'id-type': 'accession', id: 'LMP0001' }],
  },
  'updated-by': [
    { DOI: '10.1234/lamp.r', type: 'retraction', source: 'retraction-watch', 'record-id': '7' },
    {
      DOI: '10.1234/lamp.r',
      type: 'retraction',
      source: 'publisher',
      updated: { 'date-parts': [[2022, 2, 2]] },
    },
  ],
  assertion: [{ name: 'received', label: 'Received', value: '2 June 2019', order: 0 }],
  'clinical-trial-number': [{ 'clinical-trial-number': 'isrctn1', registry: '10.18810/isrctn' }],
}

test('a record of Crossref fills the whole of ours', (t) => {
  const entry = read(JSON.stringify({ message: article }))
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    work_title: 'Light of lamps',
    titles: [
      { title: 'A first look', kind: 'subtitle' },
      { title: 'Lumière des lampes' },
      { title: 'Lamps', kind: 'short' },
    ],
    work_url: 'https://example.org/lamps/5',
    published_date: '2020-01-05',
    dates: [
      { kind: 'print', date: '2020-03' },
      { kind: 'accepted', date: '2019-12-01' },
    ],
    license: 'CC-BY-NC-4.0',
    rights: [
      { license: 'https://example.org/mining', applies_to: 'text_mining' },
      { license: 'CC-BY-4.0', applies_to: 'accepted_manuscript', start_date: '2021-01-05' },
    ],
    issn: [{ value: '1234-5679', kind: 'print' }],
    pages: '3-4',
    article_number: '17',
    container_short_title: 'Lamp Lett.',
    contributors: [
      { role: 'editor', name: 'Otto Marsh' },
      { role: 'translator', name: 'Ida Reed' },
    ],
    references: [{ key: 'r1', text: 'Somebody, Lamps, 1870.' }],
    clinical_trials: [{ number: 'isrctn1', registry: '10.18810/isrctn' }],
    assertions: [{ name: 'received', label: 'Received', value: '2 June 2019', order: 0 }],
  })
  t.like(entry?.body?.['author_details'], [
    {
      orcid: '0000-0002-1825-0097',
      orcid_authenticated: true,
      affiliation: 'Lamp Office',
      affiliations: [{ name: 'Lamp Office', department: 'Wicks' }, { name: 'School of Light' }],
    },
    { name: 'Lamp Group', name_type: 'organization' },
  ])
})

test('what Crossref tells of others is kept: relations, notices from two sources, awards', (t) => {
  const body = read(JSON.stringify(article))?.body
  t.deepEqual(body?.['related_identifiers'], [
    { identifier: '10.1234/lamp.pre', note: 'hasPreprint', relation: 'HasVersion', scheme: 'DOI' },
    {
      identifier: 'https://example.org/night',
      note: 'isCommentOn',
      relation: 'Other',
      scheme: 'URL',
    },
  ])
  t.like(body?.['related_items'], [
    { relation: 'IsDerivedFrom', identifier: 'LMP0001', identifier_type: 'accession' },
  ])
  t.deepEqual(body?.['update_notices'], [
    {
      kind: 'retraction',
      direction: 'of_this',
      doi: '10.1234/lamp.r',
      date: '2022-02-02',
      sources: ['Retraction Watch', 'publisher'],
      record_id: '7',
    },
  ])
  t.like(body?.['funding'], [{ award: 'L-1' }, { award: 'L-2' }])
})

test('a chapter of Crossref’s XML has its book, its series, and the editors of both', (t) => {
  const entry = read(`<doi_batch xmlns="http://www.crossref.org/schema/5.4.0"><body>
<book book_type="edited_book"><book_series_metadata language="en"><series_metadata>
<titles><title>Lights</title></titles><issn media_type="electronic">1234-5679</issn>
</series_metadata><contributors><person_name contributor_role="editor"><given_name>Otto</given_name>
<surname>Marsh</surname></person_name></contributors><titles><title>All lamps</title></titles>
<edition_number>2</edition_number><publication_date><year>2020</year></publication_date>
<isbn media_type="print">978-3-16-148410-0</isbn>
<publisher><publisher_name>Reed Press</publisher_name>
<publisher_place>Pier</publisher_place></publisher><doi_data><doi>10.1234/all</doi></doi_data>
</book_series_metadata><content_item component_type="chapter" language="fr"><contributors>
<anonymous contributor_role="author"/></contributors><titles><title>Mèches</title></titles>
<component_number>Chapter 3</component_number><publication_date media_type="print"><month>21</month>
<year>2020</year></publication_date><doi_data><doi>10.1234/all.3</doi></doi_data></content_item>
</book></body></doi_batch>`)
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    work_title: 'Mèches',
    work_type: 'book_chapter',
    author_details: [{ name: 'Anonymous', name_type: 'anonymous' }],
    container_title: 'All lamps',
    series_title: 'Lights',
    series_issn: [{ value: '1234-5679', kind: 'electronic' }],
    isbn: [{ value: '978-3-16-148410-0', kind: 'print' }],
    edition: '2',
    chapter_number: 'Chapter 3',
    publisher_place: 'Pier',
    contributors: [{ role: 'editor', name: 'Otto Marsh' }],
    related_identifiers: [{ relation: 'IsPartOf', scheme: 'DOI', identifier: '10.1234/all' }],
    dates: [{ kind: 'print', date: '2020-21' }],
  })
})

test('what is odd in a record of DataCite’s is told, and nothing is made of it', (t) => {
  const entry = read(
    JSON.stringify({
      doi: '10.1234/odd',
      titles: [{ title: ':unas' }, { title: 'A title', titleType: 'Funny' }],
      creators: [{ name: 'Vale, N. and Reed, I.' }, { name: '(:unav)' }],
      publisher: ':tba',
      subjects: [{ subject: 'lamps, oil; wicks' }],
      contributors: [{ name: 'Light Fund', contributorType: 'Funder' }],
      dates: [
        { date: '2001/..', dateType: 'Collected' },
        { date: '2024-02-30', dateType: 'Created' },
        { date: ':tba', dateType: 'Issued' },
      ],
      rightsList: [
        { rights: 'CC BY 4.0' },
        { rightsUri: 'http://creativecommons.org/licenses/by/4.0' },
      ],
      formats: 'text/csv',
      geoLocations: { geoLocationPlace: 'Pier' },
      types: { resourceTypeGeneral: 'Dataset', ris: 'DATA' },
    }),
  )
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    work_title: 'A title',
    authors: 'N. Vale; I. Reed',
    subjects: [{ subject: 'lamps, oil; wicks' }],
    contributors: [{ role: 'sponsor', name: 'Light Fund' }],
    dates: [{ kind: 'collected', date: '2001/..' }],
    license: 'CC-BY-4.0',
    formats: ['text/csv'],
    geo_locations: [{ place: 'Pier' }],
  })
  t.false(JSON.stringify(entry?.body).includes(':unas'))
  t.is(entry?.body?.['publisher_name'], undefined)
  const told = messagesOf(entry).join('\n')
  for (const part of ['one name has several', 'taken as sponsor', '2024-02-30', 'types.ris']) {
    t.true(told.includes(part), part)
  }
})

/** A record of DataCite with so much that it can be registered, and these members. */
function dataciteOf(members: object): string {
  const attributes = {
    doi: '10.1234/odd',
    titles: [{ title: 'Odd' }],
    creators: [{ name: 'Vale, Nora' }],
    types: { resourceTypeGeneral: 'Dataset' },
    publicationYear: 2024,
    ...members,
  }
  return JSON.stringify({ data: { id: '10.1234/odd', type: 'dois', attributes } })
}

const ror = 'https://ror.org/05gq02987'

test('a record of DataCite that is shaped in another way loses nothing', (t) => {
  const entry = read(
    dataciteOf({
      creators: [{ name: '山田, 太郎', nameType: 'Personal', lang: 'ja' }],
      container: 'Lamp Letters',
      fundingReferences: [{ funderIdentifier: ror, funderIdentifierType: 'ROR' }, 'Light Fund'],
      geoLocations: [{ geoLocationPoint: '31.5 -67.25', geoLocationBox: '41 -71.5 42 -68' }],
      relatedIdentifiers: [
        { relatedIdentifier: '10.1234/other', relationType: 'IsLitBy' },
        { relatedIdentifier: 'https://example.org/lit', relationType: 'cites' },
      ],
      relatedItems: [{ relatedItemType: 'Leaflet', relationType: 'IsLitBy', titles: 'Light' }],
    }),
  )
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    container_title: 'Lamp Letters',
    funding: [{ funder: ror, identifier: ror, identifier_type: 'ROR' }, { funder: 'Light Fund' }],
    geo_locations: [
      {
        point: { latitude: 31.5, longitude: -67.25 },
        box: { south: 41, west: -71.5, north: 42, east: -68 },
      },
    ],
    related_identifiers: [
      { relation: 'Other', scheme: 'DOI', identifier: '10.1234/other', note: 'IsLitBy' },
      { relation: 'Cites', scheme: 'URL', identifier: 'https://example.org/lit' },
    ],
    related_items: [{ relation: 'Other', note: 'IsLitBy', titles: [{ title: 'Light' }] }],
  })
  t.like(entry?.body?.['author_details'], [{ family: '山田', language: 'ja' }])
  const told = messagesOf(entry).join(' ')
  t.regex(told, /A funder has no name: it is called https:\/\/ror\.org/)
  t.regex(told, /Relation "IsLitBy" is none: it is taken as Other/)
  t.regex(told, /relatedItemType "Leaflet" is none/)
})

test('what a record of DataCite has in no form of ours is told, with its place', (t) => {
  const entry = read(
    dataciteOf({
      titles: [{ title: 'Fish &amp;amp; Chips' }],
      sizes: [{ size: '1 kB' }],
      geoLocations: [{ geoLocationPlace: 'Here', geoLocationPoint: 'far away' }],
      subjects: [{ subject: 'Light', valueUri: 'no address' }],
    }),
  )
  t.is(entry?.body?.['work_title'], 'Fish & Chips')
  const told = messagesOf(entry).join(' ')
  t.regex(told, /titles has &amp;amp;, which was escaped twice/)
  t.regex(told, /sizes "\{"size":"1 kB"\}" is left out: it is no text/)
  t.regex(told, /"far away" is left out: it is not 2 numbers/)
  t.regex(told, /subjects\[0\]\.uri must be an address/)
})

test('what a record of Crossref has in another form is read or told', (t) => {
  const entry = read(
    JSON.stringify({
      DOI: '10.1234/odd.2',
      type: 'journal-article',
      title: ['Odd'],
      author: [{ given: 'Nora', family: 'Vale' }],
      issued: { 'date-parts': [[2024]] },
      'published-print': { 'date-parts': [[2024, 21]] },
      'published-online': { 'date-parts': [['2024', '2', '30']] },
      accepted: { 'date-parts': [[0]] },
      reference: ['Somebody, Lamps, 1870.', { key: 'a', issn: '1234-5679', colour: 'red' }],
      'update-to': '10.1234/other',
    }),
  )
  t.like(entry?.body, {
    dates: [
      { kind: 'print', date: '2024-21' },
      { kind: 'online', date: '2024-02' },
    ],
    references: [{ text: 'Somebody, Lamps, 1870.' }],
  })
  const told = messagesOf(entry).join(' ')
  t.regex(told, /published-online .* is taken as 2024-02/)
  t.regex(told, /accepted .* is left out: it is no date/)
  t.regex(told, /Left out of reference, because no field fits: colour/)
  t.regex(told, /update-to "10\.1234\/other" is left out: it is no object/)
})

/** Texts of a record that no field is for, which begin with `Odd`. */
function saidNowhere(entry: CitationEntry | undefined): readonly string[] {
  const body = JSON.stringify(entry?.body)
  return [...body.matchAll(/Odd \w+/g)].map(([text]) => text)
}

test('what stands within the members of a record of Crossref is told where no field fits', (t) => {
  const colour = { colour: 'Odd value' }
  const entry = read(
    JSON.stringify({
      ...article,
      author: [{ family: 'Vale', colour: 'red', affiliation: [{ name: 'Office', ...colour }] }],
      license: [{ URL: 'https://example.org/l', 'delay-in-days': 3, ...colour }],
      link: [{ URL: 'https://example.org/a.pdf', ...colour }],
      funder: [
        {
          name: 'Light Fund',
          'doi-asserted-by': 'crossref',
          'award-info': [{ 'award-number': ['1'], ...colour }],
          ...colour,
        },
      ],
      relation: { 'has-review': [{ id: '10.1234/r', 'id-type': 'doi', ...colour }] },
      'update-to': [{ DOI: '10.1234/u', type: 'erratum', label: 'Odd label', ...colour }],
      event: { name: 'Lamps 20', ...colour },
      assertion: [{ name: 'a', value: 'b', explanation: { URL: 'https://a.example', ...colour } }],
      'clinical-trial-number': [{ 'clinical-trial-number': 'nct1', ...colour }],
      review: { stage: 'pre-publication', ...colour },
      'journal-issue': { issue: '2', ...colour },
      resource: { primary: { URL: 'https://example.org/5', ...colour }, ...colour },
      archive: [{ ...colour }],
      abstract: ['One.', 'Another.'],
      language: ['en', 'fr'],
    }),
  )
  t.deepEqual(entry?.faults, [])
  t.deepEqual(saidNowhere(entry), [])
  const told = messagesOf(entry)
  for (const path of [
    'license',
    'link',
    'funder',
    'funder.award-info',
    'relation',
    'update-to',
    'event',
    'assertion.explanation',
    'clinical-trial-number',
    'review',
    'journal-issue',
    'resource',
    'resource.primary',
    'archive',
  ]) {
    t.true(told.includes(`Left out of ${path}, because no field fits: colour.`), path)
  }
  const sentences = told.join(' ')
  t.regex(sentences, /colour of a name [^]*colour of an affiliation /)
  t.regex(sentences, /abstract has several [^]*language has several/)
  t.regex(sentences, /record alone: license\.delay-in-days, funder\.doi-asserted-by/)
  t.regex(sentences, /label "Odd label" of erratum/)
})

test('what stands within the members of a record of DataCite is told where no field fits', (t) => {
  const colour = { colour: 'Odd value' }
  const entry = read(
    JSON.stringify({
      doi: '10.1234/lamp.6',
      url: 'https://example.org/6',
      titles: [{ title: 'Lamps', ...colour }],
      creators: [
        { name: 'Vale, Nora', nameIdentifiers: [{ nameIdentifier: 'a', ...colour }], ...colour },
      ],
      publisher: { name: 'Office', ...colour },
      types: { resourceTypeGeneral: 'Dataset', ...colour },
      subjects: [{ subject: 'Light', ...colour }, { valueUri: 'https://example.org/light' }],
      dates: [{ dateType: 'Created', date: '2020', ...colour }, { dateInformation: 'Odd words' }],
      relatedItems: [
        { relationType: 'References', titles: [{ title: 'T', ...colour }], ...colour },
      ],
      geoLocations: [
        {
          geoLocationPlace: ['Bay', 'Cape'],
          geoLocationPoint: { pointLongitude: 1, pointLatitude: 2, ...colour },
        },
      ],
      fundingReferences: [{ funderName: 'Light Fund', ...colour }],
    }),
  )
  t.deepEqual(entry?.faults, [])
  t.deepEqual(saidNowhere(entry), [])
  t.deepEqual(entry?.body?.['geo_locations'], [
    { place: 'Bay', point: { longitude: 1, latitude: 2 } },
    { place: 'Cape' },
  ])
  const told = messagesOf(entry)
  for (const path of [
    'titles',
    'publisher',
    'types',
    'subjects',
    'dates',
    'relatedItems',
    'relatedItems.titles',
    'geoLocations.geoLocationPoint',
    'fundingReferences',
  ]) {
    t.true(told.includes(`Left out of ${path}, because no field fits: colour.`), path)
  }
  t.regex(told.join(' '), /colour of a name[^]*colour of an identifier/)
  t.regex(told.join(' '), /dateInformation.* it has no date.*it has no words/)
})

test('rights of DataCite that say who can read a work are its access, too', (t) => {
  const common = {
    doi: '10.1234/l.7',
    titles: [{ title: 'T' }],
    creators: [{ name: 'Vale, Nora' }],
  }
  for (const [rightsUri, right] of [
    ['info:eu-repo/semantics/openAccess', 'open'],
    ['http://purl.org/coar/access_right/c_16ec/', 'restricted'],
    ['https://vocabularies.coar-repositories.org/access_rights/c_f1cf', 'embargoed'],
  ]) {
    const dates = [{ date: '2030', dateType: 'Available', dateInformation: 'free to read' }]
    const body = read(JSON.stringify({ ...common, dates, rightsList: [{ rightsUri }] }))?.body
    t.deepEqual(body?.['access'], { right, start_date: '2030' })
    t.deepEqual(body?.['rights'], [{ uri: rightsUri }])
  }
})

test('what nobody wrote has who published it for its author, which is told', (t) => {
  const members = { DOI: '10.1234/f.1', title: ['Figure 1'], publisher: 'Lamp Office' }
  const figure = read(JSON.stringify({ ...members, type: 'component' }))
  t.deepEqual(figure?.faults, [])
  t.like(figure?.body, { authors: 'Lamp Office' })
  t.regex(messagesOf(figure).join(' '), /no author: Lamp Office, who published it/)
  const book = read(JSON.stringify({ ...members, type: 'book' }))
  t.is(book?.faults[0]?.code, 'required')
})

test('a list of DataCite that is one object of it loses nothing of that object', (t) => {
  const entry = read(
    dataciteOf({
      language: 'pt-BR',
      rightsList: { rights: 'Ask us', rightsUri: 'https://example.org/terms' },
      relatedIdentifiers: {
        relatedIdentifier: 'PMC123',
        relatedIdentifierType: 'PMCID',
        relationType: 'IsPartOf',
      },
      dates: [{ date: 'Spring 2020', dateType: 'Created' }],
    }),
  )
  t.like(entry?.body, {
    language: 'pt',
    license: 'https://example.org/terms',
    rights: [{ text: 'Ask us' }],
    related_items: [{ relation: 'IsPartOf', identifier: 'PMC123', identifier_type: 'PMCID' }],
  })
  t.regex(messagesOf(entry).join(' '), /language "pt-BR" is taken as pt/)
})

test('a grant of Crossref says what it is worth, and in all its languages what it is for', (t) => {
  const entry = read(
    JSON.stringify({
      DOI: '10.1234/grant',
      type: 'grant',
      project: [
        {
          'project-title': [{ title: 'Lamps', language: 'en' }, { title: 'Lampen' }],
          'project-description': [{ description: 'Of light.' }, { description: 'Vom Licht.' }],
          'award-amount': { amount: 2500, currency: 'EUR' },
          'award-end': { 'date-parts': [[2027, 12, 31]] },
          investigator: [{ given: 'Nora', family: 'Vale' }],
          funding: [{ scheme: 'Night', funder: { name: 'Light Fund' } }],
        },
      ],
    }),
  )
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    work_title: 'Lamps',
    titles: [{ title: 'Lampen' }],
    description: 'Of light.',
    descriptions: [{ description: 'Vom Licht.' }],
    dates: [{ date: '2027-12-31', note: 'end of the award' }],
    assertions: [
      { name: 'award-amount', value: '2500 EUR' },
      { name: 'funding-scheme', value: 'Night' },
    ],
  })
})

test('a standard has its designators and what it replaces; what else is twice is told', (t) => {
  const entry = read(
    '<doi_batch xmlns="http://www.crossref.org/schema/5.4.0"><body><standard>' +
      '<standard_metadata publication_status="withdrawn"><titles><title>Lamps</title></titles>' +
      '<designators><std_as_published><std_designator>LS 7</std_designator></std_as_published>' +
      '<std_supersedes>LS 6</std_supersedes></designators>' +
      '<approval_date><year>2020</year></approval_date>' +
      '<approval_date><year>2021</year></approval_date>' +
      '<standards_body><standards_body_name>Lamp Office</standards_body_name>' +
      '<standards_body_acronym>LO</standards_body_acronym></standards_body>' +
      '<doi_data><doi>10.1234/ls7</doi><resource>https://example.org/7</resource></doi_data>' +
      '</standard_metadata></standard></body></doi_batch>',
  )
  t.deepEqual(entry?.faults, [])
  t.like(entry?.body, {
    alternate_identifiers: [{ identifier: 'LS 7', type: 'Standard designator' }],
    related_items: [{ relation: 'Obsoletes', identifier: 'LS 6' }],
    update_notices: [{ kind: 'withdrawal' }],
  })
  t.regex(messagesOf(entry).join(' '), /several dates of this kind: 2021 is left out/)
})
