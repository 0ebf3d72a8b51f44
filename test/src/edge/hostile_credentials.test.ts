import { crc32 } from 'node:zlib'

import { formatBase62 } from '#src/identity/store/base62.ts'
import { type Answer, mint, operator, serveRegistry } from '#test/src/_served_registry.ts'
import { testWith } from '#test/src/_shared_registry.ts'

const test = testWith(() => serveRegistry())

const path = '/v1/changes'
const scopes = ['works:read', 'works:write']

/** The public id within a live key. */
function idOf(key: string): string {
  return /^svc_live_(.{10})/.exec(key)?.[1] ?? ''
}

/** A key with the id and checksum of a real one, and another secret. */
function forge(key: string): string {
  const unchecked = `svc_live_${idOf(key)}${'x'.repeat(32)}`
  return unchecked + formatBase62(crc32(unchecked), 6)
}

/** All that a client can tell one refusal from another by. */
function visible({ status, headers, body }: Answer): unknown {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return { status, headers: others, body: body.replace(/"request_id":"[^"]+"/, '') }
}

test('34: a key in the address is in no log line, error text or redirect', async (t) => {
  const { call, logged } = t.context
  const key = await t.context.key({ scopes })
  const { ark_identifier: ark } = await mint(t.context, key)
  const urls = [
    `${path}?api_key=${key}`,
    `${path}?%61pi%5fkey=${key}`,
    `${path}?api_key=${key}&colour=red`,
    `/nowhere?api_key=${key}`,
    `/nowhere/${key}`,
    `/v1/works/${key}`,
    `/v1/works/%zz?api_key=${key}`,
    `/v1/works/${ark}?api_key=${key}&${key}=1`,
    `/${ark}?api_key=${key}`,
    `/${ark}/c3?a=1&api_key=${key}`,
    `/ark:/13030/xf93gt2q?api_key=${key}`,
  ]
  for (const url of urls) {
    const { status, headers } = await call(url)
    t.true(status < 500, url)
    t.false(String(headers.location).includes(key), url)
  }
  const wrongScope = await t.context.key({ scopes: ['search:read'] })
  const refused = await call(`${path}?api_key=${wrongScope}`)
  t.is(refused.status, 403)
  t.false(refused.body.includes(wrongScope))
  await call(path, { key, headers: [['X-Admin-Code', 'planted-code']] })
  t.true(logged.length >= urls.length)
  const log = logged.join('\n')
  for (const secret of [key, wrongScope, 'planted-code']) t.false(log.includes(secret))
})

test('35: two different credentials in one request are refused in any order', async (t) => {
  const { call } = t.context
  const key = await t.context.key({ scopes })
  const other = await t.context.key({ scopes })
  const bearer = (text: string) => ['Authorization', `Bearer ${text}`] as const
  const header = (text: string) => ['X-API-Key', text] as const
  const answers = [
    await call(path, { headers: [bearer(key), header(other)] }),
    await call(path, { headers: [bearer(key), bearer(other)] }),
    await call(path, { headers: [header(key), header('wrong')] }),
    await call(path, { headers: [['Authorization', 'Basic eA=='], header(key)] }),
    await call(`${path}?api_key=${other}`, { headers: [bearer(key)] }),
    await call(`${path}?api_key=wrong`, { headers: [header(key)] }),
    await call(`${path}?api_key=${key}&api_key=${other}`),
    await call(`${path}?api_key=${key}&api_key=`),
  ]
  for (const answer of answers) {
    t.is(answer.status, 400)
    t.like(answer.json(), {
      error: 'bad_request',
      message: 'The request carries two different credentials; send one',
    })
  }
})

test('36: a known key id and an unknown one are refused alike', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { call, keys, clock } = registry
  // A key of another registry has a right checksum, and an id that is unknown here.
  const unknownId = await t.context.key({ scopes })
  const key = await registry.key({ scopes })
  const denied = await registry.key({ scopes, ip_allow: ['198.51.100.7'] })
  const expired = await registry.key({ scopes, hours: 1 })
  const wrongSecret = forge(key)
  await keys.revoke(idOf(key), operator)
  clock.forward(3_600_000)
  const refused = [
    await call(path),
    await call(path, { key: unknownId }),
    await call(path, { key }),
    await call(path, { key: wrongSecret }),
    await call(path, { key: denied }),
    await call(path, { key: expired }),
    await call(path, { key: 'no key at all' }),
  ]
  t.is(refused[0]?.status, 401)
  t.is(refused[0]?.headers['www-authenticate'], 'Bearer realm="svc"')
  for (const answer of refused) t.deepEqual(visible(answer), visible(refused[0] as Answer))
})

test('37: a key that was mistyped, folded, padded or swollen is refused', async (t) => {
  const { call } = t.context
  const key = await t.context.key({ scopes })
  const last = key.endsWith('0') ? '1' : '0'
  const wrong = [
    key.slice(0, -1) + last,
    key.toLowerCase(),
    key.toUpperCase(),
    `"${key}"`,
    `${key} x`,
    `${key},${key}`,
    `${key}\t`,
    key.slice(0, -6),
  ]
  // HTTP itself takes white space off a header's ends.
  for (const text of wrong.filter((form) => form.trim() === form)) {
    t.is((await call(path, { headers: [['X-API-Key', text]] })).status, 401, text)
    t.is((await call(path, { key: text })).status, 401, text)
  }
  for (const text of [...wrong, ` ${key}`, `${key}\n`, `${key}\0`, `${key}%`, 'ä'.repeat(99)]) {
    const url = `${path}?api_key=${encodeURIComponent(text)}`
    t.is((await call(url)).status, 401, text)
  }
  const swollen = await call(path, {
    headers: [['Authorization', `Bearer ${'x'.repeat(1_048_576)}`]],
  })
  t.is(swollen.status, 431)
  t.is(swollen.json()['error'], 'headers_too_large')
})

test('38: a test key reaches nothing live, and a live key nothing of the sandbox', async (t) => {
  const { call } = t.context
  const rights = [...scopes, 'receipts:read', 'receipts:verify']
  const live = await t.context.key({ scopes: rights })
  const sandbox = await t.context.key({ scopes: rights, environment: 'sandbox' })
  const liveWork = await mint(t.context, live)
  const testWork = await mint(t.context, sandbox)
  t.regex(liveWork.ark_identifier, /^ark:\/12345\//)
  t.regex(testWork.ark_identifier, /^ark:\/99999\//)
  for (const [key, { ark_identifier: ark, receipt_id }] of [
    [sandbox, liveWork],
    [live, testWork],
  ] as const) {
    const body = { receipt_id, content_hash: `sha256:${'0'.repeat(64)}` }
    const answers = [
      await call(`/v1/works/${ark}`, { key }),
      await call(`/v1/resolve/${ark}`, { key }),
      await call(`/${ark}`, { key }),
      await call(`/v1/receipts/${ark}/v1`, { key }),
      await call(`/api/v1/proofs/${ark}/v1`, { key }),
      await call(`/v1/works/${ark}`, { key, method: 'PUT', body: { description: 'Mine' } }),
      await call('/v1/receipts/verify', { key, method: 'POST', body }),
    ]
    for (const answer of answers) t.is(answer.status, 404)
    t.is((await call(`/v1/resolve/${ark}`)).json()['version'], 1)
  }
  const mine = await call(`/v1/works/${testWork.ark_identifier}`, { key: sandbox })
  t.is(mine.status, 200)
  t.is(mine.headers['x-svc-environment'], 'sandbox')
})

test('39: a key in use a moment ago is refused once revoked, expired or rotated out', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { call, keys, clock } = registry
  const status = async (key: string) => (await call(path, { key })).status

  const revoked = await registry.key({ scopes })
  for (let round = 0; round < 20; round += 1) t.is(await status(revoked), 200)
  await keys.revoke(idOf(revoked), operator)
  t.is(await status(revoked), 401)

  const expiring = await registry.key({ scopes, hours: 1 })
  clock.forward(3_600_000 - 1)
  t.is(await status(expiring), 200)
  clock.forward(1)
  t.is(await status(expiring), 401)

  const old = await registry.key({ scopes })
  await keys.rotate(idOf(old), operator)
  t.is(await status(old), 200)
  clock.forward(7 * 24 * 3_600_000)
  t.is(await status(old), 401)
})

test('failed credentials are limited by address, good ones are not', async (t) => {
  const registry = await serveRegistry({ RATE_LIMITS: 'on', LIMIT_FAILED_CREDENTIALS: '5' })
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes })
  const statuses: number[] = []
  for (let round = 0; round < 7; round += 1) {
    statuses.push((await registry.call(path, { key: 'wrong' })).status)
  }
  t.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
  const limited = await registry.call(`/v1/resolve/ark:/12345/x?api_key=wrong`)
  t.is(limited.status, 429)
  t.regex(String(limited.json()['message']), /^Retry after \d+ seconds?$/)
  t.is((await registry.call(path, { key })).status, 200)
})
