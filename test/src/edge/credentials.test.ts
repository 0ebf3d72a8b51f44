import {
  type Answer,
  mint,
  serveRegistry,
  type ServedRegistry,
  work,
} from '#test/src/_served_registry.ts'
import { testWith } from '#test/src/_shared_registry.ts'

const test = testWith(() => serveRegistry())

const path = '/v1/changes'

/** A key may read the feed, which needs nothing to exist. */
function readerKey(registry: ServedRegistry): Promise<string> {
  return registry.key({ scopes: ['works:read'] })
}

function isInvalidKey(answer: Answer): boolean {
  const { error, message } = answer.json()
  const challenge = answer.headers['www-authenticate'] ?? ''
  return (
    answer.status === 401 &&
    error === 'unauthorized' &&
    message === 'Invalid API key' &&
    challenge.startsWith('Bearer')
  )
}

test('a key is accepted as Bearer, in X-API-Key and in the address', async (t) => {
  const key = await readerKey(t.context)
  const ways = [
    () => t.context.call(path, { headers: [['Authorization', `Bearer ${key}`]] }),
    () => t.context.call(path, { headers: [['authorization', `bearer   ${key}`]] }),
    () => t.context.call(path, { headers: [['X-API-Key', key]] }),
    () => t.context.call(`${path}?api_key=${key}`),
    () => t.context.call(`${path}?%61pi_key=${key}`),
  ]
  for (const way of ways) t.is((await way()).status, 200)
})

test('the same key in several places is one credential', async (t) => {
  const key = await readerKey(t.context)
  const headers = [
    ['X-API-Key', key],
    ['Authorization', `Bearer ${key}`],
  ] as const
  t.is((await t.context.call(`${path}?api_key=${key}`, { headers })).status, 200)
})

test('a request without a key is the same 401 as one with an unusable key', async (t) => {
  t.true(isInvalidKey(await t.context.call(path)))
})

test('another scheme, or an empty credential, is not anonymous but unusable', async (t) => {
  const key = await readerKey(t.context)
  const headers = [
    ['Authorization', 'Basic dXNlcjpwYXNz'],
    ['Authorization', key],
    ['Authorization', ''],
    ['Authorization', 'Bearer'],
    ['X-API-Key', ''],
    ['X-API-Key', `Bearer ${key}`],
  ] as const
  for (const header of headers) {
    t.true(isInvalidKey(await t.context.call('/v1/resolve/ark:/12345/x', { headers: [header] })))
  }
  t.true(isInvalidKey(await t.context.call('/v1/resolve/ark:/12345/x?api_key=')))
})

test('a key in the address is answered with a warning and may not be kept', async (t) => {
  const key = await readerKey(t.context)
  for (const url of [
    `${path}?api_key=${key}`,
    `${path}?api_key=wrong`,
    `/nowhere?api_key=${key}`,
  ]) {
    const { headers } = await t.context.call(url)
    t.regex(headers['warning'] as string, /^299 - "API keys in addresses leak into logs/)
    t.is(headers['referrer-policy'], 'no-referrer')
    t.is(headers['cache-control'], 'private, no-store')
  }
  const { headers } = await t.context.call(path, { key })
  t.is(headers['warning'], undefined)
})

test('a missing scope is named as the family that was called spells it', async (t) => {
  const key = await t.context.key({ scopes: ['receipts:verify'] })
  const post = { method: 'POST', key, body: work() }
  const inV1 = await t.context.call('/v1/works', post)
  t.is(inV1.status, 403)
  t.like(inV1.json(), {
    error: 'forbidden',
    message: 'API key lacks required scope: works:write',
  })
  const inApi = await t.context.call('/api/v1/works', post)
  t.is(inApi.json()['message'], 'API key lacks required scope: svc:works:write')
  const receipts = await t.context.call('/v1/receipts/ark:/12345/x/v1', { key })
  t.is(receipts.json()['message'], 'API key lacks required scope: receipts:read')
})

test("a researcher's key mints with mint, and changes with update only", async (t) => {
  const owner = { type: 'person', id: 'p1234567', name: 'A. Person' } as const
  const minter = await t.context.key({ owner, scopes: ['mint'] })
  const { ark_identifier } = await mint(t.context, minter)
  const put = { method: 'PUT', body: { description: 'More' } }
  const url = `/api/v1/works/${ark_identifier}`
  const refused = await t.context.call(url, { ...put, key: minter })
  t.is(refused.json()['message'], 'API key lacks required scope: svc:works:write')
  const updater = await t.context.key({ owner, scopes: ['update'] })
  t.is((await t.context.call(url, { ...put, key: updater })).status, 200)
})

test('the agent of a key stands in what it registers', async (t) => {
  const key = await t.context.key({ scopes: ['works:write'] })
  const { ark_identifier } = await mint(t.context, key)
  const resolved = await t.context.call(`/v1/resolve/${ark_identifier}`)
  t.deepEqual(resolved.json()['source'], {
    type: 'organization',
    id: 'demo',
    name: 'Demo Press',
    via: 'api_key',
  })
})

test('admin:* counts only with a fresh code, and one code confirms one call', async (t) => {
  const operator = { type: 'operator', id: 'operator', name: 'Operator' } as const
  const admin = await t.context.key({
    owner: operator,
    scopes: ['admin:*'],
    ip_allow: ['127.0.0.1'],
  })
  const writer = await t.context.key({ scopes: ['works:write'] })
  const { ark_identifier } = await mint(t.context, writer)
  const put = (code?: string) => {
    const headers = code === undefined ? [] : ([['X-Admin-Code', code]] as const)
    const body = { description: `Changed with ${code}` }
    return t.context.call(`/v1/works/${ark_identifier}`, {
      method: 'PUT',
      key: admin,
      headers,
      body,
    })
  }
  t.is((await put()).json()['message'], 'API key lacks required scope: works:write')
  const refused = async (code: string) => {
    const { status, headers, json } = await put(code)
    t.is(status, 401)
    t.is(headers['www-authenticate'], 'Bearer realm="svc"')
    const { error, message } = json()
    t.is(error, 'unauthorized')
    t.regex(String(message), /^The one-time code in X-Admin-Code was not accepted: it is wrong, it/)
    t.regex(String(message), /Make a new one with "arklog key confirm"/)
  }
  await refused('000000000000')
  const { code } = await t.context.adminCodes.issue()
  t.is((await put(code)).status, 200)
  await refused(code)
})

test('a code may be typed in groups and in full width', async (t) => {
  const scopes = ['admin:*']
  const owner = { type: 'operator', id: 'operator', name: 'Operator' } as const
  const key = await t.context.key({ owner, scopes, ip_allow: ['::ffff:127.0.0.0/104'] })
  const { code } = await t.context.adminCodes.issue()
  const wide = code.replaceAll(/[0-9A-Za-z]/g, (sign) =>
    String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfe_e0),
  )
  const typed = `${wide.slice(0, 4)} ${wide.slice(4, 8)}-${wide.slice(8)}`
  // As curl sends it: the bytes of UTF-8.
  const header = Buffer.from(typed, 'utf8').toString('latin1')
  const headers = [['X-Admin-Code', header]] as const
  t.is((await t.context.call(path, { key, headers })).status, 200)
})

test('a code without a key, or with one without admin:*, confirms nothing', async (t) => {
  const { code } = await t.context.adminCodes.issue()
  const headers = [['X-Admin-Code', code]] as const
  t.true(isInvalidKey(await t.context.call(path, { headers })))
  const answer = await t.context.call(path, { headers, key: await readerKey(t.context) })
  t.is(answer.status, 403)
  t.is(answer.json()['message'], 'API key lacks required scope: admin:*')
  t.true(await t.context.adminCodes.redeem(code))
})
