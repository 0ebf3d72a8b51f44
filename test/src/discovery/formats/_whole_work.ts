import type { Metadata } from '#actors/works/metadata.ts'

/** A dataset of which everything is told that DataCite 4.7 has a property for. */
export const wholeMetadata: Metadata = {
  work_title: 'Heights of a lake that nobody has seen',
  work_type: 'dataset',
  authors: 'Nora Vale; Lumen; Arbeitskreis Seepegel',
  author_details: [
    {
      name: 'Nora Vale',
      given: 'Nora',
      family: 'Vale',
      name_type: 'person',
      orcid: '0000-0002-1825-0097',
      affiliation: 'Lake Office',
      ror: 'https://ror.org/05gq02987',
      affiliations: [
        { name: 'Lake Office', identifier: 'https://ror.org/05gq02987', scheme: 'ROR' },
        { name: 'School of Gauges, Pier 2' },
      ],
      identifiers: [
        { identifier: '0000000121032683', scheme: 'ISNI', scheme_uri: 'https://isni.org' },
      ],
    },
    { name: 'Lumen', family: 'Lumen', name_type: 'person' },
    { name: 'Arbeitskreis Seepegel', name_type: 'organization', language: 'de' },
  ],
  titles: [
    { title: 'Daily means', kind: 'subtitle', language: 'en' },
    { title: 'Pegel eines ungesehenen Sees', kind: 'translated', language: 'de' },
    { title: 'LAKE-3', kind: 'alternative' },
  ],
  description: 'Heights & depths, if a < b.',
  descriptions: [
    { description: 'Tägliche Mittel.', kind: 'abstract', language: 'de' },
    { description: 'Read from a staff.', kind: 'methods', language: 'en' },
  ],
  existing_doi: '10.1234/lake-3',
  work_url: 'https://example.org/lake-3.csv',
  keywords: 'lakes, heights',
  subjects: [
    {
      subject: 'Hydrology, inland',
      scheme: 'Example terms',
      scheme_uri: 'https://example.org/terms',
      uri: 'https://example.org/terms/551.48',
      code: '551.48',
      language: 'en',
    },
  ],
  language: 'en',
  license: 'CC-BY-4.0',
  rights: [{ text: 'Open Access', uri: 'info:eu-repo/semantics/openAccess', language: 'en' }],
  published_date: '2023-05-06',
  dates: [
    { date: '1999-01-01/2001-12-31', kind: 'collected' },
    { date: '-0043/1066', kind: 'coverage', note: 'what the shells tell' },
    { date: '2022', kind: 'print' },
  ],
  resource_type: 'Gauge series',
  resource_version: '3.1',
  publisher_name: 'House of Gauges',
  publisher_id: {
    identifier: 'https://ror.org/05gq02987',
    scheme: 'ROR',
    scheme_uri: 'https://ror.org',
  },
  publisher_language: 'en',
  contributors: [
    {
      name: 'Timo Brandt',
      given: 'Timo',
      family: 'Brandt',
      name_type: 'person',
      orcid: '0000-0001-5109-3700',
      role: 'data_collector',
    },
    { name: 'House of Gauges', name_type: 'organization', role: 'hosting_institution' },
    { name: 'Friends of the Lake', role: 'research_group' },
  ],
  alternate_identifiers: [{ identifier: 'HG-0033', type: 'Shelf mark' }],
  related_identifiers: [
    {
      identifier: '10.1234/lake-2',
      relation: 'IsNewVersionOf',
      resource_type: 'dataset',
      scheme: 'DOI',
    },
    {
      identifier: 'https://example.org/lake.ddi',
      metadata_scheme: 'DDI-L',
      relation: 'HasMetadata',
      scheme: 'URL',
      scheme_type: 'XSD',
      scheme_uri: 'https://example.org/ddi.xsd',
    },
    { identifier: '10.1234/staff', note: 'is read from', relation: 'Other', scheme: 'DOI' },
  ],
  related_items: [
    {
      authors: [{ name: 'Ida Reed', given: 'Ida', family: 'Reed', name_type: 'person' }],
      contributors: [
        { name: 'Otto Marsh', given: 'Otto', family: 'Marsh', name_type: 'person', role: 'editor' },
      ],
      edition: '2',
      first_page: '5',
      identifier: '1234-5679',
      identifier_type: 'ISSN',
      issue: '4',
      last_page: '9',
      note: 'data pages',
      number: 'e7',
      number_type: 'article',
      publisher: 'Reed Press',
      relation: 'IsPublishedIn',
      titles: [{ title: 'Lake Letters', language: 'en' }],
      type: 'journal',
      volume: '11',
      year: '2023',
    },
  ],
  sizes: ['1096 rows'],
  formats: ['text/csv'],
  files: [{ url: 'https://example.org/lake-3.zip', kind: 'content' }],
  geo_locations: [
    {
      place: 'Unseen Lake',
      point: { longitude: 8.25, latitude: 47.5 },
      box: { west: 8, east: 8.5, south: 47.25, north: 47.75 },
      polygons: [
        {
          points: [
            { longitude: 8, latitude: 47.25 },
            { longitude: 8.5, latitude: 47.25 },
            { longitude: 8.25, latitude: 47.75 },
            { longitude: 8, latitude: 47.25 },
          ],
          inside: { longitude: 8.25, latitude: 47.375 },
        },
      ],
    },
  ],
  funding: [
    {
      award: 'WL-9',
      award_title: 'Waters unseen',
      award_uri: 'https://example.org/awards/WL-9',
      funder: 'Water Fund',
      identifier: '10.13039/501100000780',
      identifier_type: 'Crossref Funder ID',
    },
  ],
}
