import { inflateSync } from 'node:zlib'

import { cardImage } from '#src/http/arks/card_image.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { testWith } from '#test/src/_shared_registry.ts'

/** The colour of what was retracted. */
const red = 'b3261e'

/** How many pixels of a PNG file with a palette have a colour, or another one than the first. */
function inkOf(image: Buffer, color?: string): number {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < image.length; ) {
    const end = at + 8 + image.readUInt32BE(at)
    chunks.set(image.toString('latin1', at + 4, at + 8), image.subarray(at + 8, end))
    at = end + 4
  }
  const [header, palette, data] = ['IHDR', 'PLTE', 'IDAT'].map((name) => chunks.get(name))
  const row = (header?.readUInt32BE(0) ?? 0) + 1
  const pixels = inflateSync(data ?? '').filter((_, index) => index % row !== 0)
  if (color === undefined) return pixels.filter((place) => place !== 0).length
  return pixels.filter((place) => {
    return palette?.toString('hex', place * 3, place * 3 + 3) === color
  }).length
}

const test = testWith(async () => {
  const registry = await serveRegistry({ REPOSITORY_NAME: 'Sea & Sons' })
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  return { registry, key }
})

test('a badge has the ARK of a work, and says when it was withdrawn', async (t) => {
  const { registry, key } = t.context
  const { ark_identifier: ark } = await mint(registry, key)
  const badge = await registry.call(`/badge?ark=${ark}`)
  t.is(badge.status, 200)
  t.is(badge.headers['content-type'], 'image/svg+xml; charset=utf-8')
  t.is(badge.headers['cross-origin-resource-policy'], 'cross-origin')
  t.true(badge.body.includes(`role="img" aria-label="${ark}: registered"`))
  t.true(badge.body.includes(`<title>${ark}: registered</title>`))
  const withdraw = { method: 'POST', key, body: { reason: 'retraction' } }
  t.is((await registry.call(`/v1/works/${ark}/withdraw`, withdraw)).status, 200)
  const after = await registry.call(`/badge?ark=${registry.baseUrl}/${ark}`)
  t.true(after.body.includes(`aria-label="${ark}: withdrawn"`))
  t.true(after.body.includes('fill="#b3261e"'))
  t.is((await registry.call('/badge')).status, 400)
  t.is((await registry.call('/badge?ark=ark:/99999/k2nothing')).status, 404)
  t.is((await registry.call('/badge?ark=none')).status, 404)
})

test('the card of a work is a picture of its title, its ARK and how it stands', async (t) => {
  const { registry, key } = t.context
  const { ark_identifier: ark } = await mint(registry, key, { work_title: 'Waves' })
  const read = async (named: string) => {
    const card = await fetch(`http://localhost:${registry.port}/card?ark=${named}`)
    t.is(card.status, 200)
    t.is(card.headers.get('content-type'), 'image/png')
    return Buffer.from(await card.arrayBuffer())
  }
  const image = await read(ark)
  t.deepEqual(image, await read(`${registry.baseUrl}/${ark}`))
  t.is(inkOf(image, red), 0)
  const withdraw = { method: 'POST', key, body: { reason: 'retraction' } }
  t.is((await registry.call(`/v1/works/${ark}/withdraw`, withdraw)).status, 200)
  t.true(inkOf(await read(ark), red) > 1_000)
  t.is((await registry.call('/card')).status, 400)
  t.is((await registry.call('/card?ark=ark:/99999/k2nothing')).status, 404)
})

test('a title whose letters a card cannot draw is left out, and the longest is cut', (t) => {
  const said = { ark: 'ark:/12345/k2w', status: 'registered', isBad: false, registry: 'Sea' }
  const inkWith = (title: string, authors = 'Ada Pen') => {
    return inkOf(cardImage({ ...said, title, authors }))
  }
  t.true(inkWith('Waves') < inkWith('Wäves'), 'two dots more')
  t.true(inkWith('Größe') > inkWith('Gro'))
  t.is(inkWith('“A” – b'), inkWith('"A" - b'))
  t.is(inkWith('量子'), inkWith(''), 'the ARK stands in its place')
  t.is(inkWith('Wa量子'), inkWith(''))
  t.true(inkWith('Waves', '山田') < inkWith('Waves'))
  const long = 'word '.repeat(500)
  t.is(inkWith(long), inkWith(long.repeat(10)))
  t.is(inkWith('w'.repeat(2_000)), inkWith('w'.repeat(20_000)))
})

test('other sites learn the title and the authors of a work that they link to', async (t) => {
  const { registry, key } = t.context
  const { ark_identifier: ark } = await mint(registry, key, {
    work_title: 'On <Tides> & “Moons”',
    authors: 'Ruiz, Ada; Pen, Bo',
    update_notices: [{ kind: 'retraction', direction: 'of_this', doi: '10.5555/r1' }],
  })
  const address = encodeURIComponent(`${registry.baseUrl}/${ark}`)
  const found = await registry.call(`/oembed?url=${address}&maxwidth=400`)
  t.is(found.status, 200)
  t.deepEqual(found.json(), {
    version: '1.0',
    type: 'link',
    title: '[retracted] On <Tides> & “Moons”',
    author_name: 'Ruiz, Ada; Pen, Bo',
    provider_name: 'Sea & Sons',
    provider_url: registry.baseUrl,
    cache_age: 3600,
  })
  const xml = await registry.call(`/oembed?url=${address}&format=xml`)
  t.regex(xml.body, /<title>\[retracted\] On &lt;Tides&gt; &amp; “Moons”<\/title>/)
  t.is((await registry.call(`/oembed?url=${address}&format=yaml`)).status, 400)
  t.is((await registry.call('/oembed')).status, 400)
  t.is((await registry.call(`/oembed?url=${registry.baseUrl}/log`)).status, 404)
})
