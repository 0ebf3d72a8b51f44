import test from 'ava'
import fc from 'fast-check'

import {
  descriptionLinks,
  formatLinkHeader,
  linkHeaderBytesMax,
  type SignpostedWork,
  signposts,
  typedLinks,
} from '#src/discovery/formats/signposting.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { parseLinks } from '#test/src/http/arks/_links.ts'

const url = 'https://registry.example/ark:/12345/k2x'

const work: SignpostedWork = {
  baseUrl: 'https://registry.example',
  ark: 'ark:/12345/k2x',
  version: 2,
  latestVersion: 2,
  isPinned: false,
  workType: 'article',
  authors: [{ orcid: '0000-0002-1825-0097' }, {}],
  license: 'CC-BY-4.0',
  doi: '10.5555/12345678',
  content: { url: 'https://example.org/notes.pdf', mediaType: 'application/pdf' },
  descriptions: [
    { href: `${url}?format=csl`, type: 'application/vnd.citationstyles.csl+json' },
    {
      href: `${url}?format=datacite-xml`,
      type: 'application/vnd.datacite.datacite+xml',
      profile: 'http://datacite.org/schema/kernel-4',
    },
  ],
}

test('the page of a work links to all that the profile names', (t) => {
  t.deepEqual(formatLinkHeader(typedLinks(work)).split(', '), [
    `<${url}>; rel="cite-as"`,
    '<https://schema.org/AboutPage>; rel="type"',
    '<https://schema.org/ScholarlyArticle>; rel="type"',
    '<https://orcid.org/0000-0002-1825-0097>; rel="author"',
    '<https://creativecommons.org/licenses/by/4.0/>; rel="license"',
    `<${url}?format=csl>; rel="describedby"; type="application/vnd.citationstyles.csl+json"`,
    `<${url}?format=datacite-xml>; rel="describedby"` +
      '; type="application/vnd.datacite.datacite+xml"' +
      '; profile="http://datacite.org/schema/kernel-4"',
    '<https://example.org/notes.pdf>; rel="item"; type="application/pdf"',
    '<https://doi.org/10.5555/12345678>; rel="related"',
    `<${url}>; rel="latest-version"`,
    `<${url}/v1>; rel="predecessor-version"`,
    '<https://registry.example/api/v1/resolve/ark:/12345/k2x/history>' +
      '; rel="version-history"; type="application/json"',
    `<${url}?format=linkset>; rel="linkset"; type="application/linkset+json"`,
    `<${url}?format=links>; rel="linkset"; type="application/linkset"`,
  ])
})

test('the page of an older version is cited as that version, and leads to its neighbours', (t) => {
  const links = typedLinks({ ...work, version: 2, latestVersion: 3, isPinned: true })
  const targets = Object.fromEntries(links.map(({ rel, href }) => [rel, href]))
  t.like(targets, {
    'cite-as': `${url}/v2`,
    'latest-version': url,
    'predecessor-version': `${url}/v1`,
    'successor-version': `${url}/v3`,
  })
  const only = typedLinks({ ...work, version: 1, latestVersion: 1 }).map(({ rel }) => rel)
  t.false(only.includes('predecessor-version') || only.includes('successor-version'))
})

test('a tombstone has no content, and one that was erased no type of its own', (t) => {
  const gone = { ...work, content: null, workType: undefined, authors: [], license: undefined }
  const links = typedLinks({ ...gone, doi: undefined, descriptions: [] })
  t.deepEqual(
    links.map(({ rel }) => rel),
    [
      'cite-as',
      'type',
      'latest-version',
      'predecessor-version',
      'version-history',
      'linkset',
      'linkset',
    ],
  )
})

test('an author is an ORCID iD, else a person who is known to be the author', (t) => {
  const authors = [
    { orcid: '0000-0002-1825-0097' },
    { claims: [{ ppid: 'p1', orcid: '0000-0001-5109-3700' }] },
    { claims: [{ ppid: 'p2' }, { ppid: 'p3' }] },
    { orcid: '0000-0002-1825-0097', claims: [{ ppid: 'p4' }] },
    { claims: [] },
  ]
  const links = typedLinks({ ...work, authors }).filter(({ rel }) => rel === 'author')
  t.deepEqual(
    links.map(({ href }) => href),
    [
      'https://orcid.org/0000-0002-1825-0097',
      'https://orcid.org/0000-0001-5109-3700',
      'https://registry.example/people/p2',
    ],
  )
})

const relations = (some: SignpostedWork) => signposts(typedLinks(some)).map(({ rel }) => rel)

test('with more than five authors, a header has all but these', (t) => {
  const authors = Array.from({ length: 6 }, (_, index) => ({ claims: [{ ppid: `p${index}` }] }))
  const all = typedLinks({ ...work, authors }).map(({ rel }) => rel)
  t.deepEqual(
    relations({ ...work, authors }),
    all.filter((rel) => rel !== 'author'),
  )
  t.true(relations({ ...work, authors: authors.slice(1) }).includes('author'))
})

test('of too many bytes, a header has what matters most', (t) => {
  const at = (length: number) => ({
    url: `https://example.org/${'x'.repeat(length)}`,
    mediaType: null,
  })
  const some = relations({ ...work, content: at(2_000), doi: `10.5555/${'y'.repeat(1_500)}` })
  t.deepEqual(
    ['item', 'describedby', 'license', 'cite-as', 'linkset'].filter((rel) => !some.includes(rel)),
    [],
  )
  t.false(some.includes('author') || some.includes('related'))
  const few = relations({
    ...work,
    content: at(4_000),
    license: `https://example.org/${'y'.repeat(2_000)}`,
  })
  t.deepEqual([...new Set(few)].toSorted(), ['cite-as', 'linkset', 'type'])
})

test('signs at which readers part a header are percent-encoded in its addresses', (t) => {
  const doi = "10.1000/(sici)1097(199806)49:8<693::aid-x4>3.0.co;2-o'"
  const content = { url: `https://example.org/a;b=1,2`, mediaType: null }
  const header = formatLinkHeader(typedLinks({ ...work, doi, content }))
  t.true(header.includes('3.0.co%3B2-o%27>; rel="related"'))
  t.true(header.includes('<https://example.org/a%3Bb=1%2C2>; rel="item"'))
  t.is(header.split(';').length - 1, header.split('; ').length - 1)
})

test('a description links to what it describes and to the link set', (t) => {
  t.deepEqual(
    descriptionLinks(work).map(({ rel, href }) => [rel, href]),
    [
      ['describes', url],
      ['cite-as', url],
      ['linkset', `${url}?format=linkset`],
      ['linkset', `${url}?format=links`],
    ],
  )
})

test('no text breaks out of a header, and a client reads the links that were meant', (t) => {
  const text = fc.string({ unit: anyCharacter, minLength: 1 }).map((some) => some.toWellFormed())
  fc.assert(
    fc.property(text, text, text, (doi, path, mediaType) => {
      const content = { url: `https://example.org/${path}`, mediaType }
      const links = typedLinks({ ...work, doi, content })
      const header = formatLinkHeader(links)
      t.regex(header, /^[\x20-\x7e]+$/)
      const meant = links.map((link) => {
        const href = link.href.replace(
          /[;,']/g,
          (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
        )
        return { ...link, href }
      })
      t.deepEqual(parseLinks(header), meant)
      t.true(Buffer.byteLength(formatLinkHeader(signposts(links))) <= linkHeaderBytesMax)
    }),
  )
})
