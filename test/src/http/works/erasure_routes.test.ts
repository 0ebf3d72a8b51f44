import type { ExecutionContext } from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { foundIn, type Planted, plantedWords, plantedWork } from '#test/actors/_erasure.ts'
import {
  type Answer,
  type Call,
  mint,
  operator,
  serveRegistry,
} from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'
import { until } from '#test/_until.ts'

const test = testWith(async () => {
  const registry = await serveRegistry()
  const writer = await registry.key({ scopes: ['works:read', 'works:write', 'receipts:verify'] })
  const asOperator = { owner: operator, ip_allow: ['127.0.0.1'] }
  const admin = await registry.key({ ...asOperator, scopes: ['admin:*', 'works:write'] })
  const deleter = await registry.key({ owner: operator, scopes: ['works:delete'] })
  return { registry, writer, admin, deleter }
})

type Context = Opened<typeof test>

type T = ExecutionContext<Context>

/** Sends a call as a confirmed administrator. */
async function asAdmin(t: T, path: string, body: unknown, call: Call = {}): Promise<Answer> {
  const { registry, admin } = t.context
  const { code } = await registry.adminCodes.issue()
  const headers = [['X-Admin-Code', code]] as const
  return registry.call(path, { method: 'POST', key: admin, body, headers, ...call })
}

/** Registers a work of planted words. */
async function mintPlanted(t: T, planted: Planted): Promise<string> {
  const { registry, writer } = t.context
  return (await mint(registry, writer, plantedWork(planted))).ark_identifier
}

async function mintWithdrawn(t: T): Promise<string> {
  const { registry, writer } = t.context
  const { ark_identifier: ark } = await mint(registry, writer)
  const body = { reason: 'author_request' }
  t.is((await registry.call(`/v1/works/${ark}/withdraw`, post(writer, body))).status, 200)
  return ark
}

function post(key: string, body: unknown): Call {
  return { method: 'POST', key, body }
}

const erasing = { reason: 'legal', erase_metadata: true }

test('an administrator erases a withdrawn work, and again without effect', async (t) => {
  const ark = await mintWithdrawn(t)
  const first = await asAdmin(t, `/v1/works/${ark}/erase`, { reason: 'legal' })
  t.is(first.status, 200, first.body)
  const { created_at, ...change } = first.json()
  t.like(change, { ark_identifier: ark, version: 1, kind: 'erased', changed_fields: [] })
  t.like(change['source'], { type: 'operator' })
  const again = await asAdmin(t, `/api/v1/work/${ark}/erase`, { reason: 'legal' })
  t.is(again.status, 200)
  t.like(again.json(), { kind: 'erased', unchanged: true, created_at })
  t.is(again.headers.etag, first.headers.etag)
})

test('the owner reads who erased it and why, once, and readers read the reason', async (t) => {
  const { registry } = t.context
  const ark = await mintWithdrawn(t)
  const note = 'District Court, 4 O 12/26.'
  const body = { reason: 'court_order', note }
  for (const _ of ['once', 'twice']) {
    t.is((await asAdmin(t, `/v1/works/${ark}/erase`, body)).status, 200)
  }
  const list = await registry.oauth.audit.read({ type: 'organization', id: 'demo' }, { limit: 200 })
  const own = list.filter((entry) => `ark:/${entry.ark}` === ark)
  t.is(own.length, 1)
  t.like(own[0], { action: 'work_erased', because: note, by: { type: 'operator' } })
  const history = (await registry.call(`/api/v1/resolve/${ark}/history`)).body
  t.regex(history, /"type":"work.erased"[^]*"court_order"|"court_order"[^]*"type":"work.erased"/)
  t.false(history.includes(note))
})

test('one call withdraws and erases, also where the work is withdrawn already', async (t) => {
  const { registry, writer } = t.context
  const { ark_identifier: ark } = await mint(registry, writer)
  const both = await asAdmin(t, `/v1/works/${ark}/withdraw`, erasing)
  t.like(both.json(), { ark_identifier: ark, kind: 'erased' })
  const again = await asAdmin(t, `/v1/works/${ark}`, erasing, { method: 'DELETE' })
  t.like(again.json(), { kind: 'erased', unchanged: true })
  const withdrawn = await mintWithdrawn(t)
  t.like((await asAdmin(t, `/v1/works/${withdrawn}/withdraw`, erasing)).json(), { kind: 'erased' })
})

test('a withdrawal that erases leaves one entry in the audit list', async (t) => {
  const { registry, writer } = t.context
  const { ark_identifier: erased } = await mint(registry, writer)
  const { ark_identifier: other } = await mint(registry, writer)
  for (const body of [erasing, { reason: 'legal' }]) {
    const ark = 'erase_metadata' in body ? erased : other
    t.is((await asAdmin(t, `/v1/works/${ark}`, body, { method: 'DELETE' })).status, 200)
  }
  const list = () => registry.oauth.audit.readAll({ limit: 100 })
  const about = async (ark: string) =>
    (await list()).filter(({ entry }) => JSON.stringify(entry).includes(ark.slice(5)))
  // That of the later call is written last.
  await until('the entry of the call', async () => (await about(other)).length > 0)
  t.deepEqual(
    (await about(erased)).map(({ entry }) => entry.action),
    ['work_erased'],
  )
  t.deepEqual(
    (await about(other)).map(({ entry }) => entry.action),
    ['called'],
  )
})

test('whoever is no confirmed administrator erases nothing', async (t) => {
  const { registry, writer, admin, deleter } = t.context
  const withdrawn = await mintWithdrawn(t)
  const { ark_identifier: standing } = await mint(registry, writer)
  const only = 'Only an administrator can erase metadata: send a key with admin:* and X-Admin-Code'
  const lacking = 'API key lacks required scope: admin:*'
  const refusals: [message: string, path: string, call: Call][] = [
    [lacking, `/v1/works/${withdrawn}/erase`, post(writer, { reason: 'legal' })],
    [lacking, `/v1/works/${withdrawn}/erase`, post(deleter, { reason: 'legal' })],
    [only, `/v1/works/${withdrawn}/erase`, post(admin, { reason: 'legal' })],
    [only, `/v1/works/${withdrawn}/withdraw`, post(writer, erasing)],
    [only, `/v1/works/${standing}/withdraw`, post(writer, erasing)],
    [only, `/v1/works/${standing}/withdraw`, post(admin, erasing)],
    [only, `/v1/works/${standing}`, { ...post(deleter, erasing), method: 'DELETE' }],
  ]
  for (const [message, path, call] of refusals) {
    const answer = await registry.call(path, call)
    t.is(answer.status, 403, `${call.method} ${path}`)
    t.like(answer.json(), { error: 'forbidden', message })
  }
  const anonymous = { method: 'POST', body: { reason: 'legal' } }
  t.is((await registry.call(`/v1/works/${withdrawn}/erase`, anonymous)).status, 401)
  const { live } = registry.environments
  t.is(live.catalogue.state(standing.slice(5))?.status, 'registered')
  t.is(live.catalogue.state(withdrawn.slice(5))?.erased_at, undefined)
})

test('a work that stands is not erased, nor one of the other environment', async (t) => {
  const { registry, writer } = t.context
  const { ark_identifier: standing } = await mint(registry, writer)
  const early = await asAdmin(t, `/v1/works/${standing}/erase`, { reason: 'legal' })
  t.is(early.status, 409)
  t.like(early.json(), {
    error: 'conflict',
    message: 'The work is not withdrawn: withdraw it first, or with the same call (erase_metadata)',
  })
  const tester = await registry.key({ scopes: ['works:write'], environment: 'sandbox' })
  const { ark_identifier: trial } = await mint(registry, tester)
  t.is((await registry.call(`/v1/works/${trial}/withdraw`, post(tester, erasing))).status, 403)
  for (const path of [`/v1/works/${trial}/erase`, '/v1/works/ark:/12345/k2nothing/erase']) {
    t.is((await asAdmin(t, path, { reason: 'legal' })).status, 404)
  }
  t.is((await asAdmin(t, `/v1/works/${trial}/withdraw`, erasing)).status, 404)
  const { sandbox } = registry.environments
  t.is(sandbox.catalogue.state(trial.slice(5))?.status, 'registered')
})

test('an erasure says why, and nothing else', async (t) => {
  const ark = await mintWithdrawn(t)
  const path = `/v1/works/${ark}/erase`
  t.like((await asAdmin(t, path, {})).json(), {
    error: 'validation_failed',
    details: [{ field: 'reason', code: 'required' }],
  })
  t.like((await asAdmin(t, path, { reason: 'fraud', replaced_by: ark })).json(), {
    details: [
      { field: 'replaced_by', code: 'unknown_field' },
      { field: 'reason', message: 'reason must be one of court_order, personal_data, legal' },
    ],
  })
  const headers = [
    ['X-Admin-Code', (await t.context.registry.adminCodes.issue()).code],
    ['If-Match', '"1"'],
  ] as const
  t.is((await asAdmin(t, path, { reason: 'legal' }, { headers })).status, 412)
})

test('every address of an erased work shows that it was erased, and not what it was', async (t) => {
  const { registry, writer } = t.context
  const planted = plantedWords()
  const ark = await mintPlanted(t, planted)
  const served = () => serveAll(t, ark)
  const before = foundIn(await served(), planted)
  t.deepEqual(before, ['author', 'description', 'url', 'doi', 'older'])
  await asAdmin(t, `/v1/works/${ark}/withdraw`, erasing)
  t.deepEqual(foundIn(await served(), planted), [])

  const accept = (type: string) => ({ headers: [['accept', type]] as const })
  const tombstone = await registry.call(`/${ark}`, accept('application/json'))
  t.is(tombstone.status, 410)
  t.like(tombstone.json(), { error: 'gone', metadata_erased: true, reason: 'legal' })
  const erc = await registry.call(`/${ark}`, accept('text/plain'))
  t.regex(erc.body, /^who: \(:unal\)\nwhat: \(:unal\)$/m)
  const page = await registry.call(`/${ark}`, accept('text/html'))
  t.is(page.status, 410)
  t.regex(page.body, /<h1 [^>]*>Metadata erased<\/h1>/)
  t.is((await registry.call(`/api/v1/works/${ark}/citation`)).status, 410)

  const receipt = (await registry.call(`/api/v1/receipts/${ark}/v1`)).json()
  const keys = await parseKeyList((await registry.call('/.well-known/svc-keys.json')).body)
  t.like(await verifyReceipt(receipt, keys.live), { valid: true })
  const verified = await registry.call(
    '/v1/receipts/verify',
    post(writer, { receipt_id: receipt['receipt_id'], content_hash: `sha256:${'0'.repeat(64)}` }),
  )
  t.like(verified.json(), { signature_valid: true, chain_verified: true })
  const fetched = await registry.call(`/v1/receipts/${ark}/v1/verify`, post(writer, {}))
  t.like(fetched.json(), { signature_valid: true, chain_verified: true, content_match: false })
})

/** The bodies of all that is served of a work, one after the other. */
async function serveAll(t: T, ark: string): Promise<string> {
  const { registry, writer: key } = t.context
  const api = '/api/v1'
  const answers = await Promise.all([
    ...['text/html', 'text/plain', 'application/json', '*/*'].map((type) =>
      registry.call(`/${ark}`, { headers: [['accept', type]] }),
    ),
    registry.call(`/${ark}?info`),
    ...['', '/v1', '/history'].map((end) => registry.call(`${api}/resolve/${ark}${end}`)),
    ...['', '/versions', '/citation'].map((end) =>
      registry.call(`/v1/works/${ark}${end}`, { key }),
    ),
    registry.call(`${api}/receipts/${ark}/v1`),
    registry.call(`${api}/proofs/${ark}/v1`),
    registry.call(`/v1/changes?limit=1000`, { key }),
  ])
  return answers.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}`).join('\n')
}
