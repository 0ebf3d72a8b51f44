import test from 'ava'

import { mint, operator, serveRegistry } from '#test/src/_served_registry.ts'

const path = '/v1/admin/takedowns'

test('a takedown is told everywhere as the operator’s, and the owner reads why', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const wish = { owner: operator, ip_allow: ['127.0.0.1', '::1'], hours: 1 } as const
  const admin = await registry.key({ ...wish, scopes: ['admin:*'] })
  const { ark_identifier: ark } = await mint(registry, key)
  const send = async (body?: unknown, below = '') => {
    const headers = [['X-Admin-Code', (await registry.adminCodes.issue()).code]] as const
    return registry.call(path + below, {
      method: 'POST',
      key: admin,
      headers,
      ...(body !== undefined && { body }),
    })
  }
  const asked = { work: `https://registry.example/${ark}`, reason: 'court_order' }
  const unheard = { method: 'POST', key, body: asked }
  t.is((await registry.call(path, unheard)).status, 403, 'for administrators alone')
  t.like((await send({ ...asked, reason: 'spite' })).json(), {
    error: 'validation_failed',
    details: [{ field: 'reason' }],
  })
  t.is((await send({ ...asked, work: 'ark:/12345/k2nothere' })).status, 404)
  const again = `/${encodeURIComponent(ark)}/again`
  t.is((await send(undefined, again)).status, 409, 'it is not withdrawn')
  t.is((await send(undefined, `/${ark}/again`)).status, 409, 'its slashes may be as they are')
  const made = await send({ ...asked, note: 'Court of X, 4 O 12/26.' })
  t.is(made.status, 200, made.body)
  const source = { type: 'operator', name: 'Operator of the registry' }
  t.like(made.json(), { ark_identifier: ark, kind: 'withdrawn', source })
  t.is((await send(asked)).status, 410)

  const tombstone = (await registry.call(`/api/v1/resolve/${ark}`)).json()
  t.like(tombstone, { reason: 'court_order', note: 'Court of X, 4 O 12/26.', source })
  const receipt = (await registry.call(`/api/v1/receipts/${ark}/v1`)).json()
  t.like(receipt, { statement: 'tombstoned', reason: 'court_order', by: 'operator' })
  const history = (await registry.call(`/api/v1/resolve/${ark}/history`)).body
  t.regex(history, /"type":"work\.withdrawn"[^{]*"by":\{"type":"operator","name":"Operator of the/)
  t.regex((await registry.call('/api/v1/changes', { key })).body, /Operator of the registry/)
  t.regex(
    (await registry.call(`/feeds/works/${ark}.atom`)).body,
    /<name>Operator of the registry<\/name>/,
  )
  const page = await registry.call(`/${ark}`, { headers: [['accept', 'text/html']] })
  t.regex(page.body, /by the operator of this registry, because of a court order/)
  t.false(page.body.includes('by Demo Press'))

  const list = await registry.oauth.audit.read({ type: 'organization', id: 'demo' }, { limit: 9 })
  t.like(list.at(-1), { action: 'work_taken_down', because: 'Court of X, 4 O 12/26.' })
  t.is(`ark:/${list.at(-1)?.ark}`, ark)

  // It was a mistake: the work is there again, once.
  t.is((await registry.call(path + again, { method: 'POST', key })).status, 403)
  const registered = await send(undefined, again)
  t.is(registered.status, 201, registered.body)
  const { self } = registered.json() as { readonly self: string }
  t.is(registered.headers.location, self)
  const [newArk = ''] = /ark:\/[^/]+\/[a-z\d]+/.exec(self) ?? []
  t.not(newArk, ark)
  t.is((await registry.call(`/api/v1/resolve/${newArk}`)).status, 200)
  t.is((await send(undefined, again)).status, 409)
})

test('a key of the operator without a one-time code administers nothing', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:write'] })
  const wish = { owner: operator, ip_allow: ['127.0.0.1', '::1'], hours: 1 } as const
  const admin = await registry.key({ ...wish, scopes: ['admin:*'] })
  const { ark_identifier: work } = await mint(registry, key)
  for (const [method, below, body] of [
    ['POST', 'takedowns', { work, reason: 'legal' }],
    ['POST', `takedowns/${work}/again`, undefined],
    ['GET', 'audit', undefined],
    ['GET', 'suspensions', undefined],
    ['POST', 'suspensions', { type: 'organization', id: 'demo', reason: 'Why.' }],
    ['DELETE', 'suspensions/organization/demo', undefined],
  ] as const) {
    for (const prefix of ['/v1', '/api/v1']) {
      const call = { method, key: admin, ...(body && { body }) }
      const answer = await registry.call(`${prefix}/admin/${below}`, call)
      t.is(answer.status, 403, `${method} ${prefix}/admin/${below}`)
      t.regex(answer.body, /send a key with admin:\* and X-Admin-Code/)
    }
  }
  t.is((await registry.call(`/api/v1/works/${work}`)).status, 200)
})

test('by command, a work is found by its DOI, and an owner’s own act names nobody', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:read', 'works:write'] })
  const doi = '10.5555/takedown.1'
  const { ark_identifier: ark } = await mint(registry, key, { existing_doi: doi })
  const call = (work: string, reason: string) =>
    registry.admin.call('/works/takedown', { work, reason })
  t.like(await call(`https://doi.org/${doi}`, 'personal data'), {
    ark_identifier: ark,
    owner: 'org:demo',
    environment: 'live',
  })
  await mint(registry, key, { existing_doi: doi, work_title: 'One' })
  await mint(registry, key, { existing_doi: doi, work_title: 'Two' })
  await t.throwsAsync(call(doi, 'legal'), { message: /Several works have the DOI/ })
  const own = await mint(registry, key)
  const withdrawal = { method: 'POST', key, body: { reason: 'legal' } }
  await registry.call(`/v1/works/${own.ark_identifier}/withdraw`, withdrawal)
  const receipt = (await registry.call(`/api/v1/receipts/${own.ark_identifier}/v1`)).json()
  t.like(receipt, { statement: 'tombstoned', reason: 'legal' })
  t.false('by' in receipt)
})
