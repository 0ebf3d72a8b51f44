import anyTest, { type TestFn } from 'ava'

import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'

type Context = { readonly registry: ServedRegistry; readonly key: string }

const test = anyTest as TestFn<Context>

test.before(async (t) => {
  const registry = await serveRegistry({ REPOSITORY_NAME: 'Sea & Sons' })
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  Object.assign(t.context, { registry, key })
})
test.after.always((t) => t.context.registry.close())

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
