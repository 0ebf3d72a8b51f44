// Every operation that takes a credential, with every kind of credential of one environment, on
// what is in the other: nobody learns that it is there, and nothing of it changes.

import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { checkCharacter, randomBetanumerics } from '#actors/values/ark.ts'
import { mintPpid } from '#actors/values/identifier.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { newDataDir, newWork, type Server, startServer } from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'
import { openSide, redirectUri, type Side } from '#test/scenario/_sandbox_world.ts'
import { freePort } from '#test/_free_port.ts'

type Operation = { readonly security?: readonly Readonly<Record<string, unknown>>[] }
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** Names of records: those of one side, or such as nobody has. */
type Names = Pick<Side, 'ark' | 'ppid' | 'claimId' | 'receiptId'>

type Route = { readonly method: string; readonly path: string }

const methods = ['get', 'post', 'put', 'delete', 'patch']

async function routesOf(server: Server): Promise<readonly Route[]> {
  const { body } = await request<Document>(server, '/openapi.json?aliases=true')
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security = [] }]) => {
      const takesOne = security.some((each) => 'bearer' in each)
      return methods.includes(method) && takesOne ? [{ method: method.toUpperCase(), path }] : []
    }),
  )
}

/** Names as they are written, which nobody has: in the NAAN of the other ones. */
function namesOfNobody({ ark }: Names): Names {
  const naan = /^ark:\/(\d+)\//.exec(ark)?.[1] ?? ''
  const stem = `${naan}/k2${randomBetanumerics(8, randomBytes)}`
  const letters = randomBetanumerics(12, randomBytes)
  return {
    ark: `ark:/${stem}${checkCharacter(stem)}`,
    ppid: mintPpid(randomBytes),
    claimId: `claim_${letters}`,
    receiptId: `rcpt_2026_01_01_${letters}`,
  }
}

/** A path with names in place of its parameters. */
function pathOf(template: string, names: Names): string {
  return (
    template
      .replace('{ark}', names.ark)
      .replace('{ppid}', names.ppid)
      .replace('{claim_id}', names.claimId)
      // Items are numbered for each person, and so are writes: nobody names those of another.
      .replace('{id}', 'affiliation-9999')
      .replace('{version}', '1')
      .replace('{slug}', 'demo')
      .replace('{position}', '99999999')
      .replace('{path}', '0/000')
      .replace('{page}', 'works-1')
  )
}

/** A body that nothing is wrong with but the names in it; undefined for what takes none. */
function bodyOf({ method, path }: Route, names: Names, own: Names): unknown {
  if (method === 'GET') return undefined
  const claim = { author_position: 1 }
  if (path.endsWith('/works') || path.endsWith('/works/validate')) return newWork('Another')
  if (path.endsWith('/works/bulk')) return { works: [newWork('Another')] }
  if (path.endsWith('/receipts/verify')) {
    return { receipt_id: names.receiptId, content_hash: `sha256:${'0'.repeat(64)}` }
  }
  if (/\{ark\}(?:$|\/versions$)/.test(path) && method !== 'DELETE') return { description: 'x' }
  if (path.includes('{ark}') && !path.endsWith('/verify')) return { reason: 'test' }
  if (path.endsWith('/claim')) return { ark_identifier: own.ark, ...claim }
  if (path.endsWith('/user/claims')) return { ark_identifier: names.ark, ...claim }
  if (path.includes('/claims/') && method === 'PUT') return { step: 'withdraw' }
  if (path.includes('/affiliations') && method !== 'DELETE') return { organization: 'Elsewhere' }
  if (path.includes('/education') && method !== 'DELETE') return { institution: 'Elsewhere' }
  if (/\/(?:people|user)$/.test(path) && method === 'POST') return { name: 'Somebody' }
  if (/\/(?:people|user)(?:\/\{ppid\})?$/.test(path) && method === 'PUT') return { bio: 'x' }
  if (path.endsWith('/organizations/{slug}')) return { name: 'Demo' }
  return undefined
}

/** Whether a request names a record that is in one environment only. */
function namesRecord({ method, path }: Route): boolean {
  const isNamed = /\{(?:ark|ppid|claim_id)\}/.test(path)
  return isNamed || (method === 'POST' && /\/(?:receipts\/verify|user\/claims)$/.test(path))
}

/** What everybody reads of the live registry, whatever else they send. */
function isOfLiveForAll({ path }: Route): boolean {
  return !/^\/(?:api\/)?v1\//.test(path) || /\/(?:oai|log\/\w+)$/.test(path)
}

type Attack = { readonly server: Server; readonly own: Side; readonly other: Side }

async function send({ server }: Attack, route: Route, key: string, names: Names, own: Names) {
  const query = route.path.includes('/search/') ? '?q=university' : ''
  const response = await fetch(server.started.local_url + pathOf(route.path, names) + query, {
    method: route.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(route, names, own)) ?? null,
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const error = isJson ? (JSON.parse(text) as { error?: unknown }).error : undefined
  const environment = response.headers.get('x-svc-environment') ?? 'live'
  return { status: response.status, error, environment, text }
}

/** Sends every operation with every credential of one side, naming what is on the other. */
async function attack(t: ExecutionContext, scene: Attack, routes: readonly Route[]) {
  const { own, other } = scene
  const nobody = namesOfNobody(other)
  const credentials = {
    organization: own.organizationKey,
    account: own.ownKey,
    researcher: own.researcherKey,
    token: own.tokens.access_token,
  }
  let found = 0
  await forEachOf(routes, async (route) => {
    for (const [kind, key] of Object.entries(credentials)) {
      const where = `${own.name} ${kind}: ${route.method} ${route.path}`
      const reply = await send(scene, route, key, other, own)
      t.true(reply.status < 500, `${where}: ${reply.status} ${reply.text}`)
      t.is(reply.environment, own.name, where)
      if (!isOfLiveForAll(route)) t.false(reply.text.includes(other.word), where)
      if (!namesRecord(route) || isOfLiveForAll(route)) continue
      found += 1
      t.true(reply.status >= 400 && reply.status !== 410, `${where}: ${reply.status} ${reply.text}`)
      const control = await send(scene, route, key, nobody, own)
      const { status, error } = control
      t.deepEqual([reply.status, reply.error], [status, error], `${where}: ${reply.text}`)
    }
  })
  return found
}

/** What there is of a side, as it sees itself. */
async function stateOf(server: Server, dataDir: string, side: Side) {
  const key = side.ownKey
  const admin = new AdminClient(adminSocketPath(dataDir))
  try {
    const status = await admin.call('/status', {})
    const { events, treeSize } = status[side.name]
    const profile = (await request(server, '/v1/user', { key })).body
    const work = (await request(server, `/v1/resolve/${side.ark}`, { key })).body
    return { events, treeSize, profile, version: work['latest_version'], status: work['status'] }
  } finally {
    admin.close()
  }
}

/** Tries tokens, codes and secrets of one side with the identity provider of the other. */
async function attackProvider(t: ExecutionContext, { server, own, other }: Attack) {
  const issuers = { live: '/auth', sandbox: '/auth/sandbox' }
  const base = server.started.local_url
  const post = async (path: string, fields: Record<string, string>, headers = {}) => {
    const body = new URLSearchParams(fields)
    const reply = await fetch(base + path, { method: 'POST', body, headers })
    return { status: reply.status, body: (await reply.json().catch(() => ({}))) as object }
  }
  const { client_id, secret } = own.application
  const mine = { client_id, client_secret: secret ?? '' }
  const theirs = { client_id: other.application.client_id, client_secret: mine.client_secret }
  const refresh = { grant_type: 'refresh_token', refresh_token: other.tokens.refresh_token ?? '' }
  const elsewhere = issuers[other.name]
  // As an application of theirs, and with their token as one of mine.
  for (const path of [`${elsewhere}/oauth/token`, '/api/v1/oauth/token']) {
    t.like((await post(path, { ...refresh, ...theirs })).body, { error: 'invalid_client' }, path)
  }
  const mineThere = await post(`${elsewhere}/oauth/token`, { ...refresh, ...mine })
  t.like(mineThere.body, { error: 'invalid_client' })
  const mineHere = await post('/api/v1/oauth/token', { ...refresh, ...mine })
  t.like(mineHere.body, { error: 'invalid_grant' })

  const token = other.tokens.access_token
  const here = issuers[own.name]
  const known = await post(`${here}/oauth/introspect`, { ...mine, token })
  t.deepEqual(known.body, { active: false })
  t.is((await post(`${here}/oauth/revoke`, { ...mine, token })).status, 200)
  const headers = { authorization: `Bearer ${token}` }
  t.is((await fetch(`${base}${here}/oauth/userinfo`, { headers })).status, 401)
  t.is((await fetch(`${base}${elsewhere}/oauth/userinfo`, { headers })).status, 200)

  // An application of theirs is none that people here can permit anything.
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: other.application.client_id,
    redirect_uri: redirectUri,
    scope: 'openid',
  })
  const asked = await own.browser.get(`${here}/oauth/authorize?${query}`)
  t.is(asked.status, 400)
  t.true(asked.body.includes('invalid_client'))
  t.is((await own.browser.get(`${elsewhere}/account`)).status, 303)
}

/** A cookie of one environment's pages means nothing under the name of the other's. */
async function attackPages(t: ExecutionContext, { server, own, other }: Attack) {
  const names = { live: 'svc_session', sandbox: 'svc_test_session' }
  const paths = { live: '/auth/account', sandbox: '/auth/sandbox/account' }
  const cookie = own.browser.cookie(names[own.name])
  t.not(cookie, undefined)
  const base = server.started.local_url
  const status = async (name: string, path: string) => {
    const init = { headers: { cookie: `${name}=${cookie}` }, redirect: 'manual' } as const
    return (await fetch(base + path, init)).status
  }
  t.is(await status(names[own.name], paths[own.name]), 200)
  t.is(await status(names[other.name], paths[other.name]), 303)
  t.is(await status(names[own.name], paths[other.name]), 303)
}

test('no credential of one environment reads or changes anything of the other', async (t) => {
  const settings = {
    DATA_DIR: await newDataDir(t),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  }
  const server = await startServer(t, settings)
  const place = { server, settings }
  const live = await openSide(t, place, 'live', 'Zwlvkqhx')
  const sandbox = await openSide(t, place, 'sandbox', 'Ytrnbsdf')
  const routes = await routesOf(server)
  t.true(routes.length > 130, String(routes.length))
  for (const [own, other] of [
    [live, sandbox],
    [sandbox, live],
  ] as const) {
    const scene = { server, own, other }
    const before = await stateOf(server, settings.DATA_DIR, other)
    const found = await attack(t, scene, routes)
    t.true(found > 200, String(found))
    await attackProvider(t, scene)
    await attackPages(t, scene)
    t.deepEqual(await stateOf(server, settings.DATA_DIR, other), before)
  }
})
