import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { mint } from '#test/src/_served_registry.ts'
import { testShared } from '#test/src/_shared_registry.ts'

const test = testShared(['works:write', 'receipts:read', 'receipts:verify'])

const contentHash = `sha256:${'ab'.repeat(32)}`

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
  const keys = await parseKeyList((await call('/.well-known/svc-keys.json')).body)
  const report = await verifyReceipt((await call(`/api/v1/receipts/${ark}/v1`)).json(), keys.live)
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

test('the receipt and the proofs of an unknown version are 404', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  for (const kind of ['receipts', 'proofs']) {
    for (const version of ['v2', 'v0']) {
      t.is((await call(`/v1/${kind}/${ark}/${version}`, { key })).status, 404)
    }
  }
})

test('receipts and proofs of a withdrawn work stay', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
  t.is((await call(`/api/v1/receipts/${ark}/v1`)).status, 200)
  t.is((await call(`/api/v1/proofs/${ark}/v1`)).status, 200)
})
