import test, { type ExecutionContext } from 'ava'
import { canonicalJson, orderedJson } from '#actors/values/serialization.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { applyPatch, checkNewWork, checkWorkPatch } from '#actors/works/request_checks.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

const least = {
  work_title: 'A title',
  work_type: 'dataset',
  authors: 'Ada Gibbs',
  work_url: 'https://example.org/a.pdf',
}

type Taken = {
  readonly metadata: Record<string, unknown>
  readonly warnings: readonly FieldFault[]
}

function take(t: ExecutionContext, members: object): Taken {
  const checked = checkNewWork({ ...least, ...members })
  if (checked.type === 'ok') return { ...checked, metadata: { ...checked.metadata } }
  t.fail(checked.faults.map((fault) => fault.message).join('; '))
  throw new Error('the body is refused')
}

function faultsOf(members: object): readonly string[] {
  const checked = checkNewWork({ ...least, ...members })
  return checked.type === 'invalid' ? checked.faults.map(({ message }) => message) : []
}

// The examples of authors are of other people than those of their details.
function isOfFolding({ code }: FieldFault): boolean {
  return code === 'value_folded'
}

const examples = Object.fromEntries(
  Object.entries(metadataFields).map(([name, { example }]) => [name, example]),
)

test('the example of every field is stored in canonical order, and reads unchanged', (t) => {
  const { metadata } = take(t, examples)
  t.deepEqual(Object.keys(metadata), Object.keys(examples).toSorted())
  t.is(orderedJson(metadata), canonicalJson(metadata))
  const again = checkNewWork(metadata)
  t.deepEqual(again.type === 'ok' ? again.metadata : again.faults, metadata as never)
  const folded = again.type === 'ok' ? again.warnings.filter(isOfFolding) : []
  t.deepEqual(folded, [])
})

test('a record without further fields is byte for byte what it was before there were any', (t) => {
  const { metadata } = take(t, {
    authors: 'Noether, Emmy; Gibbs, Ada',
    author_details: [
      { given: 'Emmy', family: 'Noether', orcid: '0000-0002-1825-0097', suffix: 'Jr.' },
      { name: 'Ada Gibbs', affiliation: 'Brown University', ror: '05gq02987' },
    ],
    existing_doi: '10.1234/ABC',
    funding: [{ funder: 'European Research Council', award: '101019547' }],
    keywords: 'one, two',
    license: 'cc by 4.0',
    related_identifiers: [{ scheme: 'doi', relation: 'Cites', identifier: '10.1234/X' }],
  })
  t.is(
    orderedJson(metadata),
    '{"author_details":[{"family":"Noether","given":"Emmy","orcid":"0000-0002-1825-0097",' +
      '"suffix":"Jr."},{"affiliation":"Brown University","name":"Ada Gibbs",' +
      '"ror":"https://ror.org/05gq02987"}],"authors":"Noether, Emmy; Gibbs, Ada",' +
      '"existing_doi":"10.1234/abc","funding":[{"award":"101019547",' +
      '"funder":"European Research Council"}],"keywords":"one, two","license":"CC-BY-4.0",' +
      '"related_identifiers":[{"identifier":"10.1234/x","relation":"Cites","scheme":"DOI"}],' +
      '"work_title":"A title","work_type":"dataset","work_url":"https://example.org/a.pdf"}',
  )
})

test('a change replaces a list as a whole, and null removes it', (t) => {
  const { metadata } = take(t, examples)
  const patch = checkWorkPatch({ titles: [{ title: 'New' }], event: null, funding: null })
  if (patch.type === 'invalid') return t.fail(JSON.stringify(patch.faults))
  const applied = applyPatch(metadata as never, patch.patch)
  if (applied.type === 'invalid') return t.fail(JSON.stringify(applied.faults))
  t.deepEqual(applied.changedFields, ['event', 'funding', 'titles'])
  t.deepEqual(applied.metadata.titles, [{ title: 'New' }])
  t.false('event' in applied.metadata)
  t.is(orderedJson(applied.metadata), canonicalJson(applied.metadata))
})

test('names of other registries for kinds and roles are taken', (t) => {
  const { metadata, warnings } = take(t, {
    contributors: [{ name: 'A', role: 'DataCollector', name_type: 'Personal' }],
    titles: [{ title: 'B', kind: 'AlternativeTitle' }],
    dates: [{ date: '2024-05', kind: 'Issued' }],
    descriptions: [{ description: 'C', kind: 'TableOfContents' }],
  })
  t.like(metadata, {
    contributors: [{ name: 'A', name_type: 'person', role: 'data_collector' }],
    titles: [{ title: 'B', kind: 'alternative' }],
    dates: [{ date: '2024-05', kind: 'issued' }],
    descriptions: [{ description: 'C', kind: 'table_of_contents' }],
  })
  t.deepEqual(
    warnings.map(({ field }) => field),
    ['contributors[0].name_type', 'titles[0].kind'],
  )
})

test('what is said twice of a name has one place', (t) => {
  const { metadata, warnings } = take(t, {
    author_details: [
      {
        name: 'Ada Gibbs',
        identifiers: [
          { identifier: 'https://orcid.org/0000-0002-1825-0097', scheme: 'orcid' },
          { identifier: '0000 0005 0000 0075', scheme: 'isni' },
        ],
        affiliations: [{ name: 'Brown University', identifier: '05gq02987' }, { name: 'Yale' }],
      },
    ],
  })
  t.deepEqual(metadata['author_details'], [
    {
      affiliation: 'Brown University',
      affiliations: [
        { identifier: 'https://ror.org/05gq02987', name: 'Brown University', scheme: 'ROR' },
        { name: 'Yale' },
      ],
      identifiers: [{ identifier: '0000000500000075', scheme: 'ISNI' }],
      name: 'Ada Gibbs',
      orcid: '0000-0002-1825-0097',
      ror: 'https://ror.org/05gq02987',
    },
  ])
  t.deepEqual(
    warnings.map(({ field, code }) => `${field} ${code}`),
    ['author_details[0].identifiers[0] value_folded'],
  )
})

test('a polygon is closed, and a text is read as the number it is', (t) => {
  const points = [
    { longitude: '10.5', latitude: 50 },
    { longitude: 11, latitude: 50 },
    { longitude: 11, latitude: -0 },
  ]
  const { metadata, warnings } = take(t, { geo_locations: [{ polygons: [{ points }] }] })
  const [location] = metadata['geo_locations'] as { polygons: { points: object[] }[] }[]
  t.deepEqual(location?.polygons[0]?.points, [
    { latitude: 50, longitude: 10.5 },
    { latitude: 50, longitude: 11 },
    { latitude: 0, longitude: 11 },
    { latitude: 50, longitude: 10.5 },
  ])
  t.deepEqual(
    warnings.map(({ field }) => field),
    ['geo_locations[0].polygons[0].points[0].longitude', 'geo_locations[0].polygons[0].points'],
  )
  t.is(orderedJson(metadata), canonicalJson(metadata))
})

const at = (latitude: number, longitude = 0) => ({ longitude, latitude })

for (const [what, members, message] of [
  [
    'a latitude beyond the pole',
    { geo_locations: [{ point: at(90.1) }] },
    'geo_locations[0].point.latitude must be a number from -90 to 90, not 90.1',
  ],
  [
    'a box that is upside down',
    { geo_locations: [{ box: { west: 1, east: 2, south: 5, north: 4 } }] },
    'geo_locations[0].box.south (5) must not be north of geo_locations[0].box.north (4)',
  ],
  [
    'a polygon of two corners',
    { geo_locations: [{ polygons: [{ points: [at(1), at(2), at(1)] }] }] },
    'geo_locations[0].polygons[0].points must have at least three corners, and the first one again',
  ],
  [
    'a place of nothing',
    { geo_locations: [{}] },
    'geo_locations[0] must have a place, a point, a box or polygons',
  ],
  [
    'an ISNI with a wrong digit',
    { publisher_id: { identifier: '0000000500000076', scheme: 'ISNI' } },
    'publisher_id.identifier must be an ISNI such as 0000000121032683, with the right check digit',
  ],
  [
    'a ROR ID with a wrong checksum',
    {
      contributors: [
        {
          name: 'A',
          role: 'editor',
          affiliations: [{ identifier: 'https://ror.org/05gq02988', scheme: 'ROR' }],
        },
      ],
    },
    'contributors[0].affiliations[0].identifier must be a ROR ID ' +
      'such as https://ror.org/05gq02987, with the right checksum',
  ],
  [
    'two ORCID iDs of one person',
    {
      author_details: [
        {
          name: 'A',
          orcid: '0000-0001-5109-3700',
          identifiers: [{ identifier: '0000-0002-1825-0097', scheme: 'ORCID' }],
        },
      ],
    },
    'author_details[0].identifiers[0] is another ORCID iD than ' +
      'author_details[0].orcid: a person has one',
  ],
  [
    'a contributor without a name',
    { contributors: [{ role: 'editor' }] },
    'contributors[0].name or contributors[0].family is required',
  ],
  [
    'an ISSN with a wrong digit',
    { issn: [{ value: '0028-0837' }] },
    'issn[0].value must be an ISSN such as 0028-0836, with the right check digit; ' +
      'the check digit of 0028-0837 is wrong: look for a typing error',
  ],
  [
    'rights that say nothing',
    { rights: [{ applies_to: 'vor' }] },
    'rights[0] must have a license, a text, a uri or an identifier',
  ],
  [
    'an event that ends before it begins',
    { event: { name: 'E', start_date: '2025-10', end_date: '2025-09-30' } },
    'event.end_date (2025-09-30) must not be before event.start_date (2025-10)',
  ],
  [
    'a notice by this work of nothing',
    { update_notices: [{ kind: 'retraction', direction: 'by_this' }] },
    'update_notices[0].doi or update_notices[0].ark is required: ' +
      'it says which work the notice is about',
  ],
  [
    'a reference of a key alone',
    { references: [{ key: 'r1' }] },
    'references[0] must say what is cited: give its doi, its text or its title',
  ],
  [
    'a related item of nothing',
    { related_items: [{ relation: 'Cites' }] },
    'related_items[0].titles or related_items[0].identifier is required',
  ],
  [
    'a size with a part of a byte',
    { files: [{ url: 'https://example.org/a', size: 1.5 }] },
    `files[0].size must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not 1.5`,
  ],
  [
    'a size in words',
    { files: [{ url: 'https://example.org/a', size: '2 MB' }] },
    `files[0].size must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not a string`,
  ],
] as const) {
  test(`${what} is refused in a sentence`, (t) => {
    t.deepEqual(faultsOf(members), [message])
  })
}

test('an unknown word is told with the nearest one', (t) => {
  const [message = ''] = faultsOf({ contributors: [{ name: 'A', role: 'data colector' }] })
  t.regex(
    message,
    /^contributors\[0\]\.role must be one of contact_person, .*; did you mean data_collector\?$/,
  )
  const [date = ''] = faultsOf({ dates: [{ date: '2026-02-30', kind: 'issued' }] })
  t.regex(date, /^dates\[0\]\.date must be a date such as .*; the calendar has no 2026-02-30$/)
})

test('languages are tags of BCP 47', (t) => {
  for (const [text, stored] of [
    ['zh-hans', 'zh-Hans'],
    ['pt_br', 'pt-BR'],
    ['DE', 'de'],
    ['grc', 'grc'],
    ['eng', 'en'],
  ] as const) {
    const { metadata } = take(t, { titles: [{ title: 'T', language: text }] })
    t.deepEqual(metadata['titles'], [{ language: stored, title: 'T' }])
  }
  t.deepEqual(take(t, { work_title_language: 'German' }).warnings.length, 1)
  t.is(faultsOf({ work_title_language: 'qqqq' }).length, 1)
})
