import test from 'ava'
import {
  contentUrl,
  isDoiUrl,
  placeContent,
  publicUrl,
  workAddress,
} from '#actors/works/content.ts'
import { metadataOf } from '#test/actors/_environment.ts'

test('content is at the address of the work, else at its DOI', (t) => {
  const both = metadataOf('Both', { existing_doi: '10.5555/12345678' })
  t.is(contentUrl(both, {}), 'https://example.org/work')
  const { work_url: _, ...doiOnly } = both
  t.is(contentUrl(doiOnly, {}), 'https://doi.org/10.5555/12345678')
  t.true(isDoiUrl('https://DX.doi.org/10.5555/12345678'))
  t.false(isDoiUrl('https://doi.org.example/10.5555/12345678'))
})

const digest = (digit: string) => digit.repeat(64)

for (const [what, fields, place, hash] of [
  ['no files', {}, undefined, undefined],
  ['a supplement', { files: [{ url: 'https://a.example/s', kind: 'supplement' }] }, undefined],
  [
    'a file that is the content',
    {
      files: [
        { url: 'https://example.org/work', kind: 'landing_page' },
        { url: 'https://a.example/1.pdf', kind: 'content', sha256: digest('1') },
        { url: 'https://a.example/1.xml', kind: 'content' },
      ],
    },
    1,
    digest('1'),
  ],
  [
    'a hash that names one of them',
    {
      content_hash: `sha256:${digest('2')}`,
      files: [
        { url: 'https://a.example/1.xml', kind: 'content', sha256: digest('1') },
        { url: 'https://a.example/1.pdf', kind: 'content', sha256: digest('2') },
      ],
    },
    1,
    digest('2'),
  ],
  [
    'the address of the work among them',
    {
      files: [
        { url: 'https://a.example/1.xml', kind: 'content' },
        { url: 'https://example.org/work', kind: 'content' },
      ],
    },
    1,
  ],
] as const) {
  test(`the content of a new version: ${what}`, (t) => {
    const metadata = metadataOf('A work', fields)
    const placed = placeContent(metadata)
    t.is(placed.content_file, place)
    t.is(placed.content_hash, hash === undefined ? null : `sha256:${hash}`)
    const { files = [] } = metadata
    const url = place === undefined ? workAddress(metadata) : files[place]?.url
    t.is(contentUrl(metadata, placed), url ?? '')
  })
}

for (const [address, shown] of [
  ['https://example.org/a.pdf', 'https://example.org/a.pdf'],
  ['https://example.org/a.pdf?id=3&version=2#page=4', 'https://example.org/a.pdf?id=3&version=2'],
  ['https://user:secret@example.org/a', 'https://example.org/a'],
  ['https://s3.example/a?X-Amz-Signature=ab&X-Amz-Date=1', 'https://s3.example/a'],
  ['https://blob.example/a?sv=2024&sig=ab', 'https://blob.example/a'],
  ['https://cdn.example/a?Expires=1&Key-Pair-Id=K&Policy=p', 'https://cdn.example/a'],
  ['https://example.org/a?access_token=ab', 'https://example.org/a'],
  ['https://example.org/a?download=1&API-Key=ab', 'https://example.org/a'],
  [`https://example.org/${'a'.repeat(2_048)}`, undefined],
  ['no address', undefined],
] as const) {
  test(`an address as everybody may see it: ${address.slice(0, 60)}`, (t) => {
    t.is(publicUrl(address), shown)
  })
}
