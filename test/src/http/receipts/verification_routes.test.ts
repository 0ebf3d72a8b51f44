import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import anyTest, { type TestFn } from 'ava'

import { type CountedServer, serve } from '#test/src/delivery/fetch/_servers.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'

type Context = ServedRegistry & {
  readonly writer: string
  /** A server whose address may be fetched, and one whose address may not. */
  readonly content: CountedServer
  readonly internal: CountedServer
  /** Replies of `/slow`, which wait until the test ends them; how many at most waited at once. */
  readonly held: { readonly replies: ServerResponse[]; most: number }
  /** Verifies version 1 of a work without a content hash. */
  verify(ark: string): Promise<Record<string, unknown>>
}

const test = anyTest as TestFn<Context>

const contentHash = `sha256:${'ab'.repeat(32)}`
const otherHash = `sha256:${'cd'.repeat(32)}`
const servedBytes = 'what the address serves'
const servedHash = hashOf(servedBytes)

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

test.before(async (t) => {
  const cleanups: (() => unknown)[] = []
  const owner = { teardown: (end: () => unknown) => void cleanups.unshift(end) }
  const held: Context['held'] = { replies: [], most: 0 }
  const internal = await serve(owner, (_request, response) => response.end(servedBytes))
  const content = await serve(owner, ({ url = '/' }, response) => {
    if (url === '/slow') {
      held.replies.push(response)
      held.most = Math.max(held.most, held.replies.filter((one) => !one.writableEnded).length)
    } else if (url === '/inward') {
      response.writeHead(302, { location: internal.url }).end()
    } else {
      response.writeHead(url === '/missing' ? 404 : 200).end(servedBytes)
    }
  })
  const registry = await serveRegistry({ FETCH_ALLOW: content.hostPort })
  const scopes = ['works:write', 'receipts:read', 'receipts:verify']
  const writer = await registry.key({ scopes })
  t.context = {
    ...registry,
    writer,
    content,
    internal,
    held,
    async verify(ark) {
      const url = `/v1/receipts/${ark}/v1/verify`
      const answer = await registry.call(url, { method: 'POST', key: writer })
      t.is(answer.status, 200, answer.body)
      return answer.json()
    },
    async close() {
      await registry.close()
      for (const end of cleanups) await end()
    },
  }
})
test.after.always((t) => t.context.close())

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
      witnessed: null,
      not_checked: [],
      error: null,
      reason: null,
    })
  }
  const mismatch = (await verify(otherHash)).json()
  t.like(mismatch, { valid: false, signature_valid: true, content_match: false })
  t.deepEqual(mismatch['not_checked'], [])
  t.is(mismatch['reason'], `the content has ${otherHash}, the statement ${contentHash}`)
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
  t.is(result['error'], 'not_checked', 'nothing says that it is another')
  t.deepEqual(result['not_checked'], ['content_match'])
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

test('the receipt of a withdrawn work verifies', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, receipt_id } = await mint(t.context, key, {
    content_hash: contentHash,
  })
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
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

test('by ARK and version, the content is fetched and compared', async (t) => {
  const { call, writer: key, content, verify } = t.context
  const work_url = `${content.url}/paper.pdf`
  const right = await mint(t.context, key, { work_url, content_hash: servedHash })
  t.is(
    (await call(`/v1/receipts/${right.ark_identifier}/v1/verify`, { method: 'POST' })).status,
    401,
  )
  t.like(await verify(right.ark_identifier), { valid: true, not_checked: [], reason: null })
  const wrong = await mint(t.context, key, { work_url, content_hash: contentHash })
  const result = await verify(wrong.ark_identifier)
  t.like(result, {
    valid: false,
    signature_valid: true,
    content_match: false,
    chain_verified: true,
    reason: `the content has ${servedHash}, the statement ${contentHash}`,
  })
  t.deepEqual(result['not_checked'], [])
})

test('by ARK and version, a body may be left out, also by who names its type', async (t) => {
  const { call, writer: key } = t.context
  const work = await mint(t.context, key)
  const url = `/v1/receipts/${work.ark_identifier}/v1/verify`
  const headers: [string, string][] = [['content-type', 'application/json']]
  for (const left of [{}, { headers }]) {
    t.is((await call(url, { method: 'POST', key, ...left })).status, 200)
  }
  const needed = await call('/v1/receipts/verify', { method: 'POST', headers })
  t.is(needed.status, 400, 'where one is needed, an empty one is none')
})

test('by ARK and version, a content hash that is given is compared instead', async (t) => {
  const { call, writer: key, content } = t.context
  const work_url = `${content.url}/not-fetched`
  const work = await mint(t.context, key, { work_url, content_hash: contentHash })
  const url = `/v1/receipts/${work.ark_identifier}/v1/verify`
  for (const family of ['', '/api']) {
    const post = (content_hash: string) =>
      call(family + url, { method: 'POST', key, body: { content_hash } })
    t.like((await post(contentHash)).json(), { valid: true, not_checked: [] })
    t.like((await post(otherHash)).json(), { valid: false, content_match: false })
    t.is((await post(contentHash.toUpperCase())).status, 422)
  }
})

test('content that cannot be read is not checked, and the reason told', async (t) => {
  const { writer: key, content, verify } = t.context
  const work_url = `${content.url}/missing`
  const work = await mint(t.context, key, { work_url, content_hash: servedHash })
  const result = await verify(work.ark_identifier)
  t.like(result, {
    valid: false,
    signature_valid: true,
    content_match: false,
    chain_verified: true,
  })
  t.deepEqual(result['not_checked'], ['content_match'])
  t.is(result['reason'], 'the content was not read: the server answered 404')
})

test('the content of a withdrawn work is not fetched', async (t) => {
  const { call, writer: key, content, verify } = t.context
  const work_url = `${content.url}/withdrawn`
  const { ark_identifier: ark } = await mint(t.context, key, { work_url, content_hash: servedHash })
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'test' } })
  const result = await verify(ark)
  t.deepEqual(result['not_checked'], ['content_match'])
  t.is(result['reason'], 'the work was withdrawn: its content is not read')
  t.false(content.seen.some(({ url }) => url === '/withdrawn'))
})

test('a verification reaches no private address, and no caller names one', async (t) => {
  const { call, writer: key, content, internal, verify } = t.context
  const addresses = [internal.url, `http://localhost:${internal.port}/`, `${content.url}/inward`]
  for (const work_url of addresses) {
    const work = await mint(t.context, key, { work_url, content_hash: servedHash })
    const result = await verify(work.ark_identifier)
    t.deepEqual(result['not_checked'], ['content_match'], work_url)
    t.regex(String(result['reason']), /^the content was not read: the address is not fetched: /)
    for (const field of ['url', 'work_url', 'content_url']) {
      const url = `/v1/receipts/${work.ark_identifier}/v1/verify`
      const answer = await call(url, { method: 'POST', key, body: { [field]: content.url } })
      t.is(answer.status, 422)
    }
  }
  t.is(internal.connections(), 0)
})

test('a registry that fetches content cannot make this one fetch', async (t) => {
  const { call, writer: key, content, verify } = t.context
  const work_url = `${t.context.baseUrl}/v1/receipts/verify`
  const work = await mint(t.context, key, { work_url, content_hash: servedHash })
  t.regex(String((await verify(work.ark_identifier))['reason']), /address of this registry itself/)
  const other = await mint(t.context, key, {
    work_url: `${content.url}/loop`,
    content_hash: servedHash,
  })
  for (const url of [`/v1/receipts/${other.ark_identifier}/v1/verify`, '/api/v1/receipts/verify']) {
    const headers = [['User-Agent', 'Arklog (+https://elsewhere.example)']] as const
    const answer = await call(url, { method: 'POST', key, headers })
    t.is(answer.status, 403)
    t.like(answer.json(), {
      error: 'loop_detected',
      message: 'A registry that fetches content cannot ask for this',
    })
  }
  t.false(content.seen.some(({ url }) => url === '/loop'))
})

test.serial('many verifications of one slow host leave room for others', async (t) => {
  const { writer: key, content, held, verify } = t.context
  const slow = await mint(t.context, key, {
    work_url: `${content.url}/slow`,
    content_hash: servedHash,
  })
  const results: Record<string, unknown>[] = []
  const all = Array.from({ length: 20 }, async () => {
    results.push(await verify(slow.ark_identifier))
  })
  while (results.length < 16) await nextTurn()
  for (const { content_match, not_checked, reason } of results) {
    t.false(content_match)
    t.deepEqual(not_checked, ['content_match'])
    t.regex(String(reason), /as much is being read as may be at one time/)
  }
  // Whoever still waits is answered as soon as the host answers.
  while (results.length < 20) {
    for (const reply of held.replies) reply.end(servedBytes)
    await nextTurn()
  }
  await Promise.all(all)
  t.is(results.filter(({ valid }) => valid).length, 4)
  t.is(held.replies.length, 4)
  t.true(held.most <= 2, 'the pacing of the host holds')
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('a file alone is recognized by its hash, in every version that has it', async (t) => {
  const { call, writer: key } = t.context
  const own = hashOf('a paper')
  const { ark_identifier: ark } = await mint(t.context, key, { content_hash: own })
  const notices = [{ kind: 'erratum', direction: 'of_this', doi: '10.5555/e1' }]
  const body = { content_hash: hashOf('a better paper'), update_notices: notices }
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body })
  const find = async (hash: string) => (await call(`/api/v1/content/${hash}`)).json()
  t.like(await find(own), {
    content_hash: own,
    environment: 'live',
    versions: [{ ark_identifier: ark, version: 1, latest_version: 2, is_latest: false, notices }],
    is_complete: true,
  })
  t.like(await find(hashOf('a better paper').slice('sha256:'.length).toUpperCase()), {
    versions: [{ ark_identifier: ark, version: 2, is_latest: true, status: 'registered' }],
  })
  await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body: { reason: 'retraction' } })
  t.like(await find(own), {
    versions: [{ version: 1, status: 'withdrawn', withdrawal_reason: 'retraction' }],
  })
  t.like(await find(hashOf('nothing')), { environment: null, versions: [], is_complete: true })
  t.is((await call('/api/v1/content/md5:00')).status, 422)
})
