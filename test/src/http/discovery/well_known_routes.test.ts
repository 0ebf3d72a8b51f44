import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

test('the keys of both environments are published in the form that a verifier reads', async (t) => {
  const { call, environments } = t.context
  const answer = await call('/.well-known/svc-keys.json')
  t.is(answer.status, 200)
  t.is(answer.headers['access-control-allow-origin'], '*')
  const { live, sandbox } = await parseKeyList(answer.body)
  t.is(live.origin, 'registry.example/log')
  t.is(live.url, 'https://registry.example/log')
  t.is(live.vkey, environments.live.vkey)
  t.is(live.receiptKeys[0]?.publicKey, environments.live.receiptKeys.publicKey)
  t.is(sandbox?.url, 'https://registry.example/sandbox/log')
  t.is(sandbox?.vkey, environments.sandbox.vkey)
  t.is(sandbox?.receiptKeys[0]?.publicKey, environments.sandbox.receiptKeys.publicKey)
})

test('a receipt key is valid from the first statement it signed', async (t) => {
  const key = await t.context.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(t.context, key)
  await mint(t.context, key)
  const { timestamp } = (await t.context.call(`/api/v1/receipts/${ark}/v1`)).json()
  const { live } = await parseKeyList((await t.context.call('/.well-known/svc-keys.json')).body)
  t.is(live.receiptKeys[0]?.validFromMs, Date.parse(String(timestamp)))
})

test('the resolver of ARKs and its policy are found', async (t) => {
  const resolver = await t.context.call('/.well-known/ark')
  t.is(resolver.headers['content-type'], 'text/plain; charset=utf-8')
  t.is(resolver.body, '/\n')
})

test('the promise is a text, and a page to browsers', async (t) => {
  const policy = await t.context.call('/policy')
  t.is(policy.status, 200)
  t.is(policy.headers['content-type'], 'text/plain; charset=utf-8')
  t.is(policy.headers.vary, 'Accept, Accept-Encoding')
  const headings = [
    'Identifier validity',
    'Object availability',
    'Content invariance',
    'Change history',
  ]
  for (const heading of headings) t.true(policy.body.includes(`\n${heading}\n`), heading)
  t.regex(policy.body, /never another/)
  const page = await t.context.call('/policy', { headers: [['Accept', 'text/html']] })
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  for (const heading of headings) t.true(page.body.includes(`<h2>${heading}</h2>`), heading)
})

test('an organization is read without a key, by its slug', async (t) => {
  for (const family of ['/v1', '/api/v1']) {
    const answer = await t.context.call(`${family}/organizations/demo`)
    t.is(answer.status, 200)
    t.is(answer.headers['access-control-allow-origin'], '*')
    t.like(answer.json(), {
      slug: 'demo',
      name: 'Demo Press',
      links: { self: 'https://registry.example/api/v1/organizations/demo' },
    })
  }
  const missing = await t.context.call('/v1/organizations/nobody')
  t.is(missing.status, 404)
  t.is(missing.json()['message'], 'There is no organization with this name')
})

test('after a rotation both keys are published, and receipts of each verify', async (t) => {
  const registry = await serveRegistry()
  const { call, admin, key } = registry
  t.teardown(() => registry.close())
  const writer = await key({ scopes: ['works:write'] })
  const receiptOf = async (ark: string) => (await call(`/api/v1/receipts/${ark}/v1`)).json()
  const before = await receiptOf((await mint(registry, writer)).ark_identifier)
  const rotated = await admin.call('/receipt-keys/rotate', { environment: 'live' })
  const after = await receiptOf((await mint(registry, writer)).ark_identifier)

  const { live, sandbox } = await parseKeyList((await call('/.well-known/svc-keys.json')).body)
  const rotatedMs = Date.parse(rotated.rotated_at)
  t.like(live.receiptKeys, [
    { keyId: rotated.old_key_id, validUntilMs: rotatedMs },
    { keyId: rotated.new_key_id, validFromMs: rotatedMs, validUntilMs: Infinity },
  ])
  t.is(sandbox?.receiptKeys.length, 1)
  for (const receipt of [before, after]) t.true((await verifyReceipt(receipt, live)).valid)
  const proofs = (await call(`/api/v1/proofs/${String(before['ark'])}/v1`)).json()
  t.like(proofs, { signatures: [{ key_id: rotated.old_key_id }] })

  // A key list of before knows nothing of the new key, and one of a later rotation nothing less.
  const saved = { ...live, receiptKeys: live.receiptKeys.slice(0, 1) }
  t.false((await verifyReceipt(after, saved)).valid)
  await admin.call('/receipt-keys/rotate', {})
  const later = (await parseKeyList((await call('/.well-known/svc-keys.json')).body)).live
  t.is(later.receiptKeys.length, 3)
  for (const receipt of [before, after]) t.true((await verifyReceipt(receipt, later)).valid)
})
