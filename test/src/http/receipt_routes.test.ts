import anyTest, { type TestFn } from 'ava'

import { parseKeyList } from '#src/verify/key_list.ts'
import { verifyReceipt } from '#src/verify/receipt.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/http/_served_registry.ts'

type Context = ServedRegistry & { readonly writer: string }

const test = anyTest as TestFn<Context>

const contentHash = `sha256:${'ab'.repeat(32)}`
const otherHash = `sha256:${'cd'.repeat(32)}`

test.before(async (t) => {
  const registry = await serveRegistry()
  const scopes = ['works:write', 'receipts:read', 'receipts:verify']
  t.context = { ...registry, writer: await registry.key({ scopes }) }
})
test.after.always((t) => t.context.close())

test('a receipt needs a key under /v1 and none under /api/v1, and is the same', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, receipt_id } = await mint(t.context, key)
  t.is((await call(`/v1/receipts/${ark}/v1`)).status, 401)
  const withKey = await call(`/v1/receipts/${ark}/v1`, { key })
  const open = await call(`/api/v1/receipts/${ark}/v1`)
  t.is(withKey.status, 200)
  t.is(open.headers['access-control-allow-origin'], '*')
  t.like(open.json(), { ark, version: 1, receipt_id, statement: 'registered' })
  t.is(open.json()['metadata_hash'], withKey.json()['metadata_hash'])
})

test('a receipt verifies offline with the published keys', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const keys = parseKeyList((await call('/.well-known/svc-keys.json')).body)
  const report = verifyReceipt((await call(`/api/v1/receipts/${ark}/v1`)).json(), keys.live)
  t.true(report.valid, JSON.stringify(report.steps))
})

test('proofs tell hashes, versions and signatures of a version', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key, { content_hash: contentHash })
  t.is((await call(`/v1/proofs/${ark}/v1`)).status, 401)
  for (const url of [`/v1/proofs/${ark}/v1`, `/api/v1/proofs/${ark}/v1`]) {
    const proofs = (await call(url, { key })).json()
    t.like(proofs, { ark, version: 1, content_proofs: { sha256: 'ab'.repeat(32) } })
    t.is((proofs['provenance_chain'] as unknown[]).length, 1)
    t.is((proofs['signatures'] as unknown[]).length, 1)
    t.regex(String(proofs['tlog_proof']), /^c2sp\.org\/tlog-proof@v1\n/)
  }
})

test('a receipt is verified by its id and a content hash, without a key', async (t) => {
  const { call, writer: key } = t.context
  const { receipt_id } = await mint(t.context, key, { content_hash: contentHash })
  const verify = (content_hash: string, family = '/v1') =>
    call(`${family}/receipts/verify`, { method: 'POST', body: { receipt_id, content_hash } })
  for (const family of ['/v1', '/api/v1']) {
    const { verified_at, ...result } = (await verify(contentHash, family)).json()
    t.regex(String(verified_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.deepEqual(result, {
      valid: true,
      signature_valid: true,
      content_match: true,
      chain_verified: true,
      not_checked: [],
      reason: null,
    })
  }
  const mismatch = (await verify(otherHash)).json()
  t.like(mismatch, { valid: false, signature_valid: true, content_match: false })
  t.deepEqual(mismatch['not_checked'], [])
  t.is(mismatch['reason'], `the file has ${otherHash}, the statement ${contentHash}`)
})

test('without a declared content hash, nothing can match', async (t) => {
  const { call, writer: key } = t.context
  const { receipt_id } = await mint(t.context, key)
  const body = { receipt_id, content_hash: contentHash }
  const result = (await call('/v1/receipts/verify', { method: 'POST', body })).json()
  t.like(result, {
    valid: false,
    signature_valid: true,
    content_match: false,
    chain_verified: true,
  })
  t.regex(String(result['reason']), /the statement names no content/)
})

test('by ARK and version, the content is not checked unless its hash is given', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key, { content_hash: contentHash })
  const url = `/v1/receipts/${ark}/v1/verify`
  t.is((await call(url, { method: 'POST' })).status, 401)
  for (const body of [undefined, {}]) {
    const result = (await call(url, { method: 'POST', key, body })).json()
    t.like(result, {
      valid: false,
      signature_valid: true,
      content_match: false,
      chain_verified: true,
    })
    t.deepEqual(result['not_checked'], ['content_match'])
  }
  const body = { content_hash: contentHash }
  t.like((await call(url, { method: 'POST', key, body })).json(), { valid: true, not_checked: [] })
  t.like((await call(`/api${url}`, { method: 'POST', key, body })).json(), { valid: true })
})

test('an unknown receipt or version is 404', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const body = { receipt_id: 'rcpt_2026_01_01_bcdfghjkmnpq', content_hash: contentHash }
  const unknown = await call('/v1/receipts/verify', { method: 'POST', body })
  t.is(unknown.status, 404)
  t.is(unknown.json()['message'], `There is no receipt ${body.receipt_id}`)
  const verify = await call(`/v1/receipts/${ark}/v2/verify`, { method: 'POST', key })
  t.is(verify.status, 404)
  t.is(verify.json()['message'], `The work ${ark} has no version 2`)
  t.is((await call(`/v1/receipts/${ark}/v2`, { key })).status, 404)
  t.is((await call(`/v1/proofs/${ark}/v0`, { key })).status, 404)
})

test('a wrong body is 422 with all its faults at once', async (t) => {
  const { call } = t.context
  const wrong = await call('/v1/receipts/verify', {
    method: 'POST',
    body: { receipt_id: 'rcpt_1', content_hash: 1, colour: 'red' },
  })
  t.is(wrong.status, 422)
  t.deepEqual(wrong.json()['details'], [
    { field: 'colour', code: 'unknown_field', message: 'colour is not a field' },
    {
      field: 'receipt_id',
      code: 'bad_value',
      message: 'receipt_id must be of the form rcpt_<yyyy>_<mm>_<dd>_<12 characters>',
    },
    {
      field: 'content_hash',
      code: 'bad_value',
      message: 'content_hash must be sha256: and 64 lower-case hex digits',
    },
  ])
  const empty = await call('/v1/receipts/verify', { method: 'POST', body: {} })
  t.deepEqual(
    (empty.json()['details'] as { message: string }[]).map(({ message }) => message),
    ['receipt_id is required', 'content_hash is required'],
  )
  for (const body of ['[]', '"x"', 'null']) {
    t.is((await call('/v1/receipts/verify', { method: 'POST', body })).status, 422, body)
  }
})

test('receipts of a withdrawn work stay, and verify', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, receipt_id } = await mint(t.context, key, {
    content_hash: contentHash,
  })
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
  const receipt = await call(`/api/v1/receipts/${ark}/v1`)
  t.is(receipt.status, 200)
  t.is((await call(`/api/v1/proofs/${ark}/v1`)).status, 200)
  const body = { receipt_id, content_hash: contentHash }
  const result = await call('/v1/receipts/verify', { method: 'POST', body })
  t.true(result.json()['valid'])
})

test('without a key the receipts of both environments are found, with one its own', async (t) => {
  const { call } = t.context
  const scopes = ['works:write', 'receipts:verify']
  const sandboxKey = await t.context.key({ scopes, environment: 'sandbox' })
  const { receipt_id } = await mint(t.context, sandboxKey, { content_hash: contentHash })
  const post = { method: 'POST', body: { receipt_id, content_hash: contentHash } }
  const open = await call('/v1/receipts/verify', post)
  t.true(open.json()['valid'])
  t.is(open.headers['x-svc-environment'], 'sandbox')
  t.true((await call('/v1/receipts/verify', { ...post, key: sandboxKey })).json()['valid'])
  t.is((await call('/v1/receipts/verify', { ...post, key: t.context.writer })).status, 404)
})
