import test from 'ava'

import {
  linksetJson,
  linksetText,
  type SignpostedWork,
} from '#src/discovery/formats/signposting.ts'
import { parseLinks } from '#test/src/http/arks/_links.ts'

const url = 'https://registry.example/ark:/12345/k2x'

const work: SignpostedWork = {
  baseUrl: 'https://registry.example',
  ark: 'ark:/12345/k2x',
  version: 1,
  latestVersion: 1,
  isPinned: false,
  workType: 'dataset',
  authors: Array.from({ length: 20 }, (_, index) => ({ claims: [{ ppid: `p${index}` }] })),
  license: undefined,
  doi: undefined,
  content: { url: 'https://example.org/data.csv', mediaType: 'text/csv; charset=utf-8' },
  descriptions: [
    { href: `${url}?format=datacite`, type: 'application/xml', profile: 'http://example.org/dc' },
  ],
}

test('a link set has all links of the page, and those back to it', (t) => {
  const { linkset } = JSON.parse(linksetJson(work)) as {
    linkset: Record<string, { href: string }[]>[]
  }
  const [page, ...others] = linkset
  t.is(page?.['author']?.length, 20)
  t.false('linkset' in (page ?? {}))
  t.like(page, {
    anchor: url,
    'cite-as': [{ href: url }],
    type: [{ href: 'https://schema.org/AboutPage' }, { href: 'https://schema.org/Dataset' }],
    item: [{ href: 'https://example.org/data.csv', type: 'text/csv' }],
    describedby: [{ href: `${url}?format=datacite`, type: 'application/xml' }],
  })
  const back = [{ href: url, type: 'text/html' }]
  t.deepEqual(others, [
    { anchor: `${url}?format=datacite`, describes: back },
    { anchor: 'https://example.org/data.csv', collection: back },
  ] as unknown as typeof others)
})

test('as JSON it names no profiles, as text it does', (t) => {
  // Python's signposting 0.9.9 ends with an error at a list, and RFC 9264 has no other form.
  t.false(linksetJson(work).includes('profile'))
  t.true(linksetText(work).includes('profile="http://example.org/dc"'))
})

test('as text it has the same links, each with its anchor', (t) => {
  const { linkset } = JSON.parse(linksetJson(work)) as {
    linkset: ({ anchor: string } & Record<string, { href: string }[]>)[]
  }
  const fromJson = linkset.flatMap(({ anchor, ...relations }) =>
    Object.entries(relations).flatMap(([rel, targets]) =>
      targets.map(({ href }) => `${anchor} ${rel} ${href}`),
    ),
  )
  const fromText = parseLinks(linksetText(work).trimEnd()).map(
    ({ anchor, rel, href }) => `${anchor} ${rel} ${href}`,
  )
  t.deepEqual(fromText.toSorted(), fromJson.toSorted())
})
