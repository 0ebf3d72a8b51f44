import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { foundInFiles, plantedWords } from '#test/actors/_erasure.ts'
import {
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import {
  browserIn,
  newApplication,
  newTestPerson,
  organizationKey,
} from '#test/scenario/_sandbox_world.ts'
import { freePort } from '#test/_free_port.ts'

const scopes = [
  'openid',
  'profile',
  'svc:works:write',
  'svc:works:read',
  'svc:author:write',
  'svc:author:read',
  'svc:affiliations:write',
  'svc:affiliations:read',
  'svc:receipts:read',
]

type Write = { readonly position: number; readonly type: string }

/** Writes with a token whatever a token may write, and reads it back. */
async function writeBack(t: ExecutionContext, server: Server, token: string): Promise<string> {
  const call = async <T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    method?: string,
  ) => {
    const reply = await request<T>(server, path, {
      key: token,
      body,
      ...(method !== undefined && { method }),
    })
    t.is(reply.headers.get('x-svc-environment'), 'sandbox', path)
    return reply
  }
  const work = await call('/api/v1/works', newWork('A trial'))
  t.is(work.status, 201, JSON.stringify(work.body))
  const ark = String(work.body['ark_identifier'])
  t.regex(ark, /^ark:\/99999\//)
  t.is((await call(`/api/v1/works/${ark}`, { description: 'Tried' }, 'PUT')).status, 200)
  const added = await call('/api/v1/user/affiliations', { organization: 'Brown University' })
  t.is(added.status, 201)
  const at = `/api/v1/user/affiliations/${String(added.body['id'])}`
  t.is((await call(at, { role: 'Professor' }, 'PUT')).status, 200)
  t.is((await call('/api/v1/user/education', { institution: 'A College' })).status, 201)
  t.is((await call('/api/v1/user', { bio: 'Tries things out.' }, 'PUT')).status, 200)
  const works = await call<{ works: { ark_identifier: string }[] }>('/api/v1/user/works')
  t.deepEqual(
    works.body.works.map((each) => each.ark_identifier),
    [ark],
  )
  const receipts = await call<{ receipts: unknown[] }>('/api/v1/user/receipts')
  t.is(receipts.body.receipts.length, 1)
  t.is((await call(`/api/v1/receipts/${ark}/v1`)).status, 200)
  return ark
}

/** The person looks at what was written for them, and takes one of it back. */
async function undoOne(t: ExecutionContext, server: Server, key: string): Promise<void> {
  const { body } = await request<{ writes: Write[] }>(server, '/v1/user/writes', { key })
  const types = new Set(body.writes.map(({ type }) => type))
  for (const type of ['WorkRegistered', 'WorkVersioned', 'ItemAdded', 'ProfileUpdated']) {
    t.true(types.has(type), type)
  }
  const position = body.writes.find(({ type }) => type === 'ProfileUpdated')?.position
  const path = `/v1/user/writes/${position}/undo`
  const undone = await request(server, path, { key, method: 'POST' })
  t.is(undone.status, 200, JSON.stringify(undone.body))
  t.is((await request(server, '/v1/user', { key })).body['bio'], undefined)
  const audit = await request<{ entries: { action: string }[] }>(server, '/v1/user/audit', { key })
  t.true(audit.body.entries.some(({ action }) => action === 'granted'))
  t.true(audit.body.entries.some(({ action }) => action === 'created'))
  const held = await request(server, '/v1/user/export', { key })
  t.is((held.body['permissions'] as unknown[]).length, 1)
  t.is((held.body['keys'] as unknown[]).length, 2)
}

/** A claim by the publisher's own key, to which the person agrees. */
async function agree(t: ExecutionContext, server: Server, press: string, person: Keyed) {
  const body = { ...newWork('By the publisher'), authors: 'Tess Tester' }
  const work = await request(server, '/v1/works', { key: press, body })
  const claiming = { ark_identifier: work.body['ark_identifier'], author_position: 1 }
  const path = `/v1/people/${person.ppid}/claim`
  const claim = await request(server, path, { key: press, body: claiming })
  t.like(claim.body, { status: 'pending', waits_for: 'researcher' })
  const decision = { key: person.key, method: 'PUT', body: { step: 'confirm' } }
  const at = `/v1/claims/${String(claim.body['claim_id'])}`
  const agreed = await request(server, at, decision)
  t.like(agreed.body, { status: 'verified' })
}

type Keyed = { readonly ppid: string; readonly key: string }

/** Nothing that everybody reads of the live registry tells of the sandbox. */
async function searchLive(t: ExecutionContext, server: Server, words: readonly string[]) {
  const key = firstKey(server)
  const paths = [
    '/v1/search/works?q=trial',
    '/v1/search/people?q=tess',
    '/v1/changes',
    '/feeds/works.atom',
    '/sitemap.xml',
    '/api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc',
    '/search?q=tess',
  ]
  for (const path of paths) {
    const headers = path.startsWith('/v1') ? { authorization: `Bearer ${key}` } : {}
    const reply = await fetch(server.started.local_url + path, { headers })
    t.is(reply.status, 200, path)
    const text = await reply.text()
    for (const word of words) t.false(text.includes(word), `${path}: ${word}`)
  }
}

test('an integrator tries everything, through a kill, and leaves nothing behind', async (t) => {
  const settings = {
    DATA_DIR: await newDataDir(t),
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  }
  const server = await startServer(t, settings)
  const press = await organizationKey(t, settings, 'sandbox')
  const application = await newApplication(t, settings, 'sandbox')
  t.regex(application.client_id, /^app_test_[0-9A-Za-z]{16}$/)
  const words = plantedWords()
  const named = { name: words.author, orcid: '0000-0002-1825-0097' }
  const tess = await newTestPerson(t, server, press, named)
  const { ppid, sign_in, keys } = tess
  const [own = '', researcher = ''] = keys.map(({ key }) => key)

  // The person permits it in a browser; the application writes and the person takes back.
  const browser = browserIn(server, 'sandbox')
  await browser.signIn(sign_in.email, sign_in.password)
  const tokens = await browser.permit(application, scopes)
  const ark = await writeBack(t, server, tokens.access_token)
  await undoOne(t, server, own)
  const minted = await request(server, '/v1/works', { key: researcher, body: newWork('Own') })
  t.is(minted.status, 201, JSON.stringify(minted.body))
  await agree(t, server, press, { ppid, key: own })
  await searchLive(t, server, [ppid, ark, words.author])
  await until('the sandbox finds its person', async () => {
    const query = new URLSearchParams({ q: words.author })
    const found = await request(server, `/v1/search/people?${query}`, { key: press })
    return JSON.stringify(found.body).includes(ppid)
  })

  await server.end('SIGKILL')
  const again = await startServer(t, settings)
  const status = async (key: string) => (await request(again, '/v1/user', { key })).status
  for (const key of [own, researcher, tokens.access_token]) t.is(await status(key), 200)
  const refreshed = await request<{ access_token: string }>(again, '/api/v1/oauth/token', {
    body: {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: application.client_id,
      client_secret: application.secret,
    },
  })
  t.is(refreshed.status, 200, JSON.stringify(refreshed.body))
  t.is(refreshed.headers.get('x-svc-environment'), 'sandbox')
  t.is(await status(refreshed.body.access_token), 200)
  t.is((await browser.get('/auth/sandbox/account')).status, 200, 'the browser is signed in still')

  const page = await browser.get('/auth/sandbox/account/applications')
  const [, revoke = ''] = /action="([^"]+\/revoke)"/.exec(page.body) ?? []
  await browser.postThen(revoke)
  t.is(await status(refreshed.body.access_token), 401)

  t.deepEqual(await runJson(t, ['account', 'list'], settings), [])
  const listed = ['account', 'list', '--environment', 'sandbox']
  t.is((await runJson<unknown[]>(t, listed, settings)).length, 1)
  const path = `/v1/people/${ppid}`
  t.is((await request(again, path, { key: press, method: 'DELETE' })).status, 200)
  t.is((await request(again, path, { key: press })).status, 410)
  t.is(await status(own), 401)
  await until('no file tells of the person', async () => {
    return (await foundInFiles(settings.DATA_DIR, words)).length === 0
  })
  await again.end('SIGTERM')
  const audit = await runArklog(t, ['audit'], settings)
  t.is(audit.code, 0, audit.stdout + audit.stderr)
})
