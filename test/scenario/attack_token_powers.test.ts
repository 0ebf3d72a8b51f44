import test, { type ExecutionContext } from 'ava'

import { newWork, runJson, type Server } from '#test/scenario/_process.ts'
import { type Reply, request } from '#test/scenario/_request.ts'
import { shareServer } from '#test/scenario/_shared_server.ts'
import { JarBrowser, type TestApplication } from '#test/src/_jar_browser.ts'

const redirectUri = 'https://press.example/back'
const password = 'a sentence that is easy to remember'
const secretWords = 'My supervisor must not hear of this'
const writing = ['svc:works:write', 'svc:author:write', 'svc:affiliations:write']
const everything = [...writing, 'svc:works:delete', 'svc:author:read', 'svc:affiliations:read']

type NewApplication = {
  readonly application: { readonly client_id: string }
  readonly secret: string | null
}

type Source = { readonly type: string; readonly id: string; readonly client_id?: string }

const shared = shareServer({ LOG_LEVEL: 'warn', RATE_LIMITS: 'off' })

/** Of which kind an application is; each has people and works of its own. */
type Kind = 'public' | 'confidential'

/** Somebody who has signed up. */
type Visitor = { readonly ppid: string; readonly browser: JarBrowser }

/** A registry whose organization has registered a work, which Vera has claimed. */
type Scene = {
  readonly server: Server
  readonly kind: Kind
  readonly application: TestApplication
  readonly organizationKey: string
  readonly ark: string
  readonly vera: Visitor
  readonly mallory: Visitor
}

async function openScene(t: ExecutionContext, kind: Kind): Promise<Scene> {
  const { settings, server } = shared()
  const rights = [
    'key',
    'create',
    '--owner',
    'org:demo',
    '--scopes',
    'works:write,people:read,people:write',
  ]
  const { key: organizationKey } = await runJson<{ key: string }>(t, rights, settings)
  const wish = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const options = ['--organization', 'demo', ...(kind === 'public' ? ['--public'] : [])]
  const made = await runJson<NewApplication>(t, [...wish, ...options], settings)
  const ark = await register(t, server, organizationKey, newWork(`Registered by key, ${kind}`))
  const vera = await signUp(server, `Vera of ${kind}`)
  await vera.browser.get('/auth/account/works')
  const claim = { ark_identifier: ark, author_position: '1', message: secretWords }
  await vera.browser.postThen('/auth/account/works', claim)
  return {
    server,
    kind,
    application: { client_id: made.application.client_id, secret: made.secret, redirectUri },
    organizationKey,
    ark,
    vera,
    mallory: await signUp(server, `Mallory of ${kind}`),
  }
}

async function signUp({ started }: Server, name: string): Promise<Visitor> {
  const browser = new JarBrowser(Number(new URL(started.local_url).port), started.base_url)
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@people.example`
  return { ppid: await browser.signUp({ name, email, password }), browser }
}

async function register(
  t: ExecutionContext,
  server: Server,
  key: string,
  body: Readonly<Record<string, string>>,
): Promise<string> {
  const reply = await request<{ ark_identifier: string }>(server, '/api/v1/works', { key, body })
  t.is(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.ark_identifier
}

/** Everything that changes a work, by whoever asks. */
async function changeWork(server: Server, ark: string, key: string) {
  const at = `/api/v1/works/${ark}`
  const body = { description: 'Changed by a stranger' }
  const reason = { reason: 'test' }
  return {
    update: await request(server, at, { method: 'PUT', key, body }),
    version: await request(server, `${at}/versions`, { key, body }),
    withdraw: await request(server, `${at}/withdraw`, { key, body: reason }),
    delete: await request(server, at, { method: 'DELETE', key, body: reason }),
  }
}

function statusesOf(replies: Readonly<Record<string, Reply<unknown>>>): Record<string, number> {
  const entries = Object.entries(replies).map(([name, { status }]) => [name, status] as const)
  return Object.fromEntries(entries)
}

const refused = { update: 403, version: 403, withdraw: 403, delete: 403 }

/** A claim of her own on a work of the organization is not what she can say yes to herself. */
async function claimAndConfirm(t: ExecutionContext, scene: Scene, token: string): Promise<void> {
  const { server, ark, mallory } = scene
  const body = { ark_identifier: ark, author_position: 1 }
  const at = `/api/v1/people/${mallory.ppid}/claim`
  const made = await request<{ claim_id: string; status: string }>(server, at, { key: token, body })
  t.like(made.body, { status: 'pending' })
  t.is((await request(server, at, { key: token, body })).status, 200, 'said twice')
  for (const step of ['confirm', 'reject', 'contest']) {
    const path = `/api/v1/claims/${made.body.claim_id}`
    const said = { step, ...(step === 'contest' && { reason: 'why' }) }
    const answer = await request(server, path, { method: 'PUT', key: token, body: said })
    t.true(answer.status === 403 || answer.status === 409, `${step}: ${answer.status}`)
  }
  const own = await request<{ claims: { status: string }[] }>(server, '/api/v1/user/claims', {
    key: token,
  })
  t.deepEqual(
    own.body.claims.map(({ status }) => status).filter((status) => status === 'verified').length,
    1,
    'the one work that she has added herself',
  )
}

/** What others claim, and what they write with it, is not shown to her application. */
async function readClaims(t: ExecutionContext, scene: Scene, token: string): Promise<void> {
  const { server, ark, vera, organizationKey } = scene
  const waiting = await request(server, '/api/v1/claims', { key: token })
  t.is(waiting.status, 403)
  const body = { ark_identifier: ark, author_position: 1 }
  const replies = [
    waiting,
    await request(server, `/api/v1/people/${vera.ppid}`, { key: token }),
    await request(server, `/api/v1/people/${vera.ppid}/claim`, { key: token, body }),
    await request(server, '/api/v1/user/claims', { key: token }),
  ]
  for (const reply of replies) t.false(JSON.stringify(reply.body).includes(secretWords))
  const listed = await request(server, '/v1/claims', { key: organizationKey })
  t.true(JSON.stringify(listed.body).includes(secretWords), 'the registrant is who reads it')
}

/** What the same application has added for somebody else is not hers to change. */
async function changeOthers(t: ExecutionContext, scene: Scene, token: string): Promise<void> {
  const { server, kind, application, vera, mallory, ark } = scene
  const { access_token: forVera } = await vera.browser.permit(application, writing)
  const added = await register(t, server, forVera, newWork(`Added for Vera, ${kind}`))
  for (const work of [ark, added]) {
    t.deepEqual(statusesOf(await changeWork(server, work, token)), refused, work)
    const at = `/api/v1/resolve/${work}`
    t.like((await request(server, at)).body, { version: 1, status: 'registered' })
  }
  // A request that Vera's token has named is not replayed for hers.
  const named = { headers: { 'idempotency-key': 'one' }, body: newWork(`Named, ${kind}`) }
  const first = await request(server, '/api/v1/works', { key: forVera, ...named })
  const second = await request(server, '/api/v1/works', { key: token, ...named })
  t.is(second.headers.get('idempotent-replayed'), null)
  t.not(first.body['ark_identifier'], second.body['ark_identifier'])
  // Her own key reaches what she has added herself, and nothing that an application has.
  const ownKey = await makeKey(t, mallory, { mint: 'on', update: 'on' })
  t.deepEqual(statusesOf(await changeWork(server, added, ownKey)), refused)
}

/** Makes a key of somebody's own, and reads it from the page that shows it once. */
async function makeKey(
  t: ExecutionContext,
  { browser }: Visitor,
  rights: Readonly<Record<string, string>>,
): Promise<string> {
  await browser.get('/auth/account/keys')
  const made = await browser.post('/auth/account/keys', { ...rights, days: '1', label: 'x' })
  const shown = await browser.get(String(made.headers.location))
  const [key = ''] = /svc-[0-9A-Za-z]{48}/.exec(shown.body) ?? []
  t.not(key, '', shown.body)
  return key
}

/** Her application writes an affiliation; neither her key nor another application changes it. */
async function writeAffiliation(t: ExecutionContext, scene: Scene, token: string): Promise<Source> {
  const { server, mallory } = scene
  const list = '/api/v1/user/affiliations'
  const body = { organization: 'Demonstration', role: 'Director' }
  type Item = { readonly id: string; readonly source: Source }
  const added = await request<Item>(server, list, { key: token, body })
  t.is(added.status, 201)
  const ownKey = await makeKey(t, mallory, { update: 'on' })
  const at = `${list}/${added.body.id}`
  const tries = {
    hide: await request(server, at, { method: 'PUT', key: ownKey, body: { status: 'hidden' } }),
    change: await request(server, at, { method: 'PUT', key: ownKey, body: { role: 'None' } }),
    delete: await request(server, at, { method: 'DELETE', key: ownKey }),
  }
  t.deepEqual(statusesOf(tries), { hide: 403, change: 403, delete: 403 })
  return added.body.source
}

/** The scope that writes does not withdraw; the one that does, withdraws what was added. */
async function withdrawOwn(
  t: ExecutionContext,
  { server, application, mallory }: Scene,
  own: string,
): Promise<void> {
  const { access_token: writer } = await mallory.browser.permit(application, writing)
  const at = `/api/v1/works/${own}/withdraw`
  const body = { reason: 'author_request' }
  const unscoped = await request(server, at, { key: writer, body })
  t.is(unscoped.status, 403)
  t.is(unscoped.body['message'], 'API key lacks required scope: svc:works:delete')
  const { access_token: deleter } = await mallory.browser.permit(application, everything)
  t.is((await request(server, at, { key: deleter, body })).status, 200)
  t.is((await request(server, `/api/v1/resolve/${own}`)).status, 410)
}

for (const kind of ['public', 'confidential'] as const) {
  test(`a token of a ${kind} application has none of its organization's`, async (t) => {
    const scene = await openScene(t, kind)
    const { server, application, mallory } = scene
    const { access_token: token } = await mallory.browser.permit(application, everything)

    const own = await register(t, server, token, newWork(`Added for Mallory, ${kind}`))
    const work = await request<{ source: Source }>(server, `/api/v1/works/${own}`)
    const { client_id } = application
    const writer =
      kind === 'public'
        ? { type: 'person', id: mallory.ppid }
        : { type: 'organization', id: 'demo' }
    t.like(work.body.source, { ...writer, client_id })
    const listed = await request(server, '/api/v1/organizations/demo/works')
    t.is(JSON.stringify(listed.body).includes(own), kind === 'confidential')
    t.like(await writeAffiliation(t, scene, token), { ...writer, client_id })

    await claimAndConfirm(t, scene, token)
    await readClaims(t, scene, token)
    await changeOthers(t, scene, token)

    const body = { description: 'What was added is changed' }
    const changed = await request(server, `/api/v1/works/${own}`, {
      method: 'PUT',
      key: token,
      body,
    })
    t.like(changed.body, { version: 2 })
    await withdrawOwn(t, scene, own)
  })
}
