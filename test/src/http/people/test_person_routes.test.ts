import test, { type ExecutionContext } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import type { TestPerson } from '#src/use_cases/test_people.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { openPeopleRegistry, type PeopleRegistry, publisher } from '#test/src/_people.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

const moon: Owner = { type: 'organization', id: 'moon', name: 'Moon' }
const writing = ['people:read', 'people:write']

/** A registry whose publisher is in both environments, with a test key of it. */
async function open(t: ExecutionContext) {
  const registry = await openPeopleRegistry()
  t.teardown(() => registry.close())
  const { id: slug, name } = publisher
  const by = { ...operator, via: 'cli', admin: true } as const
  await registry.environments.sandbox.organizations.create({ body: { slug, name }, by })
  return { registry, press: await testKey(registry, publisher) }
}

async function testKey(registry: PeopleRegistry, owner: Owner, scopes = writing) {
  const key = await registry.createKey(scopes, { owner, environment: 'sandbox' })
  return { authorization: `Bearer ${key}` }
}

async function make(
  registry: PeopleRegistry,
  headers: Record<string, string>,
  body: unknown = { name: 'Tess Person' },
): Promise<TestPerson> {
  const reply = await registry.call('POST', '/v1/people', headers, body)
  if (reply.status !== 201) throw new Error(reply.body)
  return reply.json() as TestPerson
}

function keyOf({ keys }: TestPerson, nth: number) {
  return { authorization: `Bearer ${keys[nth]?.key}` }
}

test('a test key makes a test person, with all that acts as them', async (t) => {
  const { registry, press } = await open(t)
  const wish = {
    name: 'Tess Person',
    username: 'tess',
    orcid: 'https://orcid.org/0000-0002-1825-0097',
  }
  const reply = await registry.call('POST', '/api/v1/user', press, wish)
  t.is(reply.status, 201, reply.body)
  t.is(reply.headers['x-svc-environment'], 'sandbox')
  t.is(reply.headers['cache-control'], 'private, no-store')
  const made = reply.json() as TestPerson & { links: { self: string } }
  t.is(reply.headers['location'], made.links.self)
  t.deepEqual(made.keys[1]?.scopes, ['mint', 'update'])
  t.regex(made.keys[0]?.key ?? '', /^svc_test_/)
  t.regex(made.keys[1]?.key ?? '', /^svc-/)

  const own = await registry.call('GET', '/v1/user', keyOf(made, 0))
  t.like(own.json(), {
    ppid: made.ppid,
    name: 'Tess Person',
    username: 'tess',
    orcid: '0000-0002-1825-0097',
    orcid_authenticated: true,
    email: made.sign_in.email,
    email_verified: true,
  })
  const affiliation = { organization: 'Brown University', role: 'Professor' }
  const added = await registry.call('POST', '/v1/user/affiliations', keyOf(made, 1), affiliation)
  t.is(added.status, 201, added.body)
  t.is(added.headers['x-svc-environment'], 'sandbox')
  const found = await registry.call('GET', '/v1/people/0000-0002-1825-0097', press)
  t.is(found.json().ppid, made.ppid)
  t.is((await registry.call('GET', '/v1/people/0000-0002-1825-0097', {})).status, 401)
  t.is((await registry.call('GET', '/api/v1/people/0000-0002-1825-0097')).status, 404)
  t.deepEqual(await registry.accounts.accounts.list(), [])
})

test('everybody reads what is public of a test person, marked as what it is', async (t) => {
  const { registry, press } = await open(t)
  const { ppid } = await make(registry, press)
  const reply = await registry.call('GET', `/api/v1/people/${ppid}`)
  t.like(reply, { status: 200, headers: { 'x-svc-environment': 'sandbox' } })
  t.is(reply.headers['x-robots-tag'], 'noindex')
  t.false('email' in reply.json())
  const page = await registry.call('GET', `/people/${ppid}`, { accept: 'text/html' })
  t.is(page.headers['x-robots-tag'], 'noindex')
  t.true(page.body.includes('a test person'))
})

test('people are made in the sandbox only, by an organization or the operator', async (t) => {
  const { registry, press } = await open(t)
  const call = (headers: Record<string, string>, body: unknown = { name: 'Tess' }) =>
    registry.call('POST', '/v1/people', headers, body)
  const live = await registry.keyOf(publisher, writing)
  const refused = await call(live)
  t.is(refused.status, 403)
  t.regex(refused.json().message, /test people: send a key of the sandbox \(svc_test_…\)/)
  t.is((await call({})).status, 401)
  const reading = await testKey(registry, publisher, ['people:read'])
  t.is((await call(reading)).json().message, 'API key lacks required scope: people:write')
  t.is((await call(await testKey(registry, operator))).status, 201)
  const made = await make(registry, press)
  t.is((await call(keyOf(made, 0))).status, 403)
  t.is((await call(keyOf(made, 1))).status, 403)
  const wrong = await call(press, { nmae: 'Tess', orcid: '1', email: 'a@b.example' })
  t.is(wrong.status, 422)
  const fields = (wrong.json().details as { field: string }[]).map(({ field }) => field)
  t.deepEqual(fields.toSorted(), ['email', 'name', 'nmae', 'orcid'])
  t.is((await call(press, { name: 'Tess', username: 'tess' })).status, 201)
  const taken = await call(press, { name: 'Tess', username: 'TESS' })
  t.is(taken.status, 409)
  t.is(taken.json().message, 'Somebody else has this username')
})

test('an ORCID iD is one test person’s, and nobody’s in the live registry', async (t) => {
  const { registry, press } = await open(t)
  const orcid = '0000-0002-1825-0097'
  await make(registry, press, { name: 'Tess', orcid })
  const again = await registry.call('POST', '/v1/people', press, { name: 'Toss', orcid })
  t.is(again.status, 409)
  t.is(registry.environments.live.people.findByOrcid(orcid), undefined)
  t.is((await registry.sandbox.accounts.accounts.list()).length, 1)
})

test('a request with an Idempotency-Key makes one person', async (t) => {
  const { registry, press } = await open(t)
  const headers = { ...press, 'idempotency-key': 'one' }
  const first = await make(registry, headers)
  const again = await registry.call('POST', '/v1/people', headers, { name: 'Tess Person' })
  t.is(again.headers['idempotent-replayed'], 'true')
  t.is(again.json().ppid, first.ppid)
})

test('who made a test person erases them, and so does a key of their own', async (t) => {
  const { registry, press } = await open(t)
  const [one, two] = [await make(registry, press), await make(registry, press)]
  const erase = (ppid: string, headers: Record<string, string>) =>
    registry.call('DELETE', `/v1/people/${ppid}`, headers)
  t.is((await erase(one.ppid, await testKey(registry, moon))).status, 403)
  t.is((await erase(one.ppid, keyOf(two, 0))).status, 403)
  t.is((await erase(one.ppid, keyOf(one, 1))).status, 403)
  t.is((await erase(one.ppid, await registry.keyOf(publisher, writing))).status, 403)
  const both = await Promise.all([erase(one.ppid, press), erase(one.ppid, press)])
  t.true(
    both.every(({ status }) => [200, 409, 410].includes(status)),
    JSON.stringify(both),
  )
  t.true(both.some(({ status }) => status === 200))
  t.is((await erase(one.ppid, press)).status, 410)
  t.is((await registry.call('GET', '/v1/user', keyOf(one, 0))).status, 401)
  t.is((await registry.call('GET', `/api/v1/people/${one.ppid}`)).status, 410)
  t.deepEqual((await erase(two.ppid, keyOf(two, 0))).json(), { ppid: two.ppid, erased: true })
  t.is((await registry.call('GET', `/v1/people/${two.ppid}`, press)).status, 410)

  const live = await registry.person('Ada Lovelace')
  const own = await registry.keyOf({ type: 'person', id: live.ppid, name: live.ppid }, writing)
  const kept = await erase(live.ppid, own)
  t.is(kept.status, 403)
  t.regex(kept.json().message, /live people make and delete their own accounts/)
  t.is((await registry.call('GET', `/api/v1/people/${live.ppid}`)).status, 200)
})

test('test people sign in to pages of the sandbox, live people to their own', async (t) => {
  const { registry, press } = await open(t)
  const { ppid, sign_in } = await make(registry, press)
  const port = await listeningPort(registry)
  const browser = new JarBrowser(port, baseUrl, '/auth/sandbox')
  const page = await browser.signIn(sign_in.email, sign_in.password)
  t.is(page.status, 200)
  t.is(page.headers['x-svc-environment'], 'sandbox')
  t.true(page.body.includes(ppid))
  t.true(page.body.includes('Only test people sign in here'))
  t.false(page.body.includes('/organizations'))
  // The same browser is nobody in the live registry.
  const elsewhere = await browser.get('/auth/account')
  t.is(elsewhere.status, 303)
  for (const path of ['/auth/sandbox/sign-up', '/auth/sandbox/reset', '/auth/sandbox/setup']) {
    t.is((await browser.get(path)).status, 404, path)
  }

  const stranger = registry.browser()
  await stranger.get('/auth/sign-in')
  const { email, password } = sign_in
  t.is((await stranger.post('/auth/sign-in', { email, password })).status, 422)
  const ada = await registry.person('Ada Lovelace')
  t.is((await ada.browser.get('/auth/account')).status, 200)
  t.is((await ada.browser.get('/auth/sandbox/account')).status, 303)
  const other = new JarBrowser(port, baseUrl, '/auth/sandbox')
  await other.get('/auth/sandbox/sign-in')
  const live = {
    email: 'ada.lovelace@people.example',
    password: 'a sentence that is easy to remember',
  }
  t.is((await other.post('/auth/sandbox/sign-in', live)).status, 422)
})

test('on their pages, test people make keys of the sandbox, and leave', async (t) => {
  const { registry, press } = await open(t)
  const { ppid, sign_in } = await make(registry, press)
  const browser = new JarBrowser(await listeningPort(registry), baseUrl, '/auth/sandbox')
  await browser.signIn(sign_in.email, sign_in.password)
  await browser.get('/auth/sandbox/account/keys')
  const made = await browser.postThen('/auth/sandbox/account/keys', { label: 'Mine', mint: 'on' })
  const key = /svc-\w{48}/.exec(made.body)?.[0] ?? ''
  const headers = { authorization: `Bearer ${key}` }
  const work = {
    work_title: 'Of a test person',
    work_type: 'article',
    authors: 'Tess Person',
    work_url: 'https://press.example/tess',
  }
  const minted = await registry.call('POST', '/v1/works', headers, work)
  t.is(minted.status, 201, minted.body)
  t.regex(minted.json().ark_identifier as string, /^ark:\/99999\//)
  t.deepEqual(registry.keys.list({ type: 'person', id: ppid }), [])
  t.is(registry.sandbox.keys.list({ type: 'person', id: ppid }).length, 3)

  await browser.get('/auth/sandbox/account/delete')
  const gone = await browser.post('/auth/sandbox/account/delete', { password: sign_in.password })
  t.is(gone.status, 303, gone.body)
  t.is((await registry.call('GET', `/v1/people/${ppid}`, press)).status, 410)
  t.is((await registry.call('GET', '/v1/user', headers)).status, 401)
  t.is(registry.sandbox.accounts.accounts.find(ppid), undefined)
})

test('an ORCID iD of a test person proves a claim at once', async (t) => {
  const { registry, press } = await open(t)
  const orcid = '0000-0002-1825-0097'
  const made = await make(registry, press, { name: 'Tess Person', orcid })
  const work = {
    work_title: 'Proven',
    work_type: 'article',
    authors: 'Person, Tess',
    author_details: [{ name: 'Tess Person', orcid }],
    work_url: 'https://press.example/proven',
  }
  const minting = await testKey(registry, publisher, ['works:write'])
  const { ark_identifier } = (await registry.call('POST', '/v1/works', minting, work)).json()
  const claim = await registry.call('POST', '/v1/user/claims', keyOf(made, 0), { ark_identifier })
  t.is(claim.status, 201, claim.body)
  t.like(claim.json(), { status: 'verified', basis: 'orcid' })
})

async function listeningPort(registry: PeopleRegistry): Promise<number> {
  const address = registry.server.server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens')
  return address.port
}
