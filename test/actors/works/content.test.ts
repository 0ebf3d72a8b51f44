import test from 'ava'
import { contentUrl, isDoiUrl, publicUrl } from '#actors/works/content.ts'
import { metadataOf } from '#test/actors/_environment.ts'

test('content is at its own address, else at its DOI', (t) => {
  const both = metadataOf('Both', { existing_doi: '10.5555/12345678' })
  t.is(contentUrl(both), 'https://example.org/work')
  const { work_url: _, ...doiOnly } = both
  t.is(contentUrl(doiOnly), 'https://doi.org/10.5555/12345678')
  t.true(isDoiUrl('https://DX.doi.org/10.5555/12345678'))
  t.false(isDoiUrl('https://doi.org.example/10.5555/12345678'))
})

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
