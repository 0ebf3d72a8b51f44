import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import type { Owner } from '#actors/values/agent.ts'
import {
  type ApplicationRequest,
  checkNewApplication,
  type NewApplication,
} from '#src/identity/oauth/application_record.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }
const ada: Owner = { type: 'person', id: 'pada', name: 'pada' }
const dayMs = 86_400_000
const wish: ApplicationRequest = { name: 'Press', redirect_uris: ['https://press.example/back'] }

function checked(
  changes: Partial<ApplicationRequest> = {},
  owner: Owner = operator,
): NewApplication {
  const answer = checkNewApplication({ ...wish, ...changes }, owner)
  if (answer.type === 'invalid') throw new Error(JSON.stringify(answer.faults))
  return answer.application
}

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const { clock } = fixture
  const openIn = (identity: IdentityStore): Applications =>
    new Applications({
      store: identity,
      audit: new AuditLog(identity),
      clock,
      random: randomBytes,
      idPrefix: 'app_',
    })
  return { fixture, store, audit: new AuditLog(store), applications: openIn(store), openIn }
}

test('an application begins unverified, with a secret that is told once', async (t) => {
  const { fixture, store, applications, openIn } = await open(t)
  const { application, secret } = await applications.register(checked(), operator)
  t.regex(application.client_id, /^app_[0-9A-Za-z]{16}$/)
  t.regex(secret ?? '', /^[0-9A-Za-z]{43}$/)
  t.is(application.state, 'unverified')
  t.true(applications.isSecret(application.client_id, secret ?? ''))
  t.false(applications.isSecret(application.client_id, 'x'.repeat(43)))
  t.false(applications.isSecret(application.client_id, ''))
  t.false(applications.isSecret('app_none', secret ?? ''))
  t.notRegex(JSON.stringify(await applications.list()), new RegExp(secret ?? ''))
  await store.close()
  const again = openIn(await fixture.open())
  t.deepEqual(await again.list(), [application])
  t.true(again.isSecret(application.client_id, secret ?? ''))
})

test('a public application has no secret, and none is drawn for it later', async (t) => {
  const { applications } = await open(t)
  const wished = checked({ kind: 'public', redirect_uris: ['http://127.0.0.1/back'] })
  const { application, secret } = await applications.register(wished, operator)
  t.is(secret, null)
  t.false(applications.isSecret(application.client_id, ''))
  t.deepEqual(await applications.rotateSecret(application.client_id, operator), { type: 'public' })
  t.like(applications.clientMetadata(application.client_id), {
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  })
})

test('after a rotation both secrets work for a day, then the new one alone', async (t) => {
  const { fixture, applications } = await open(t)
  const first = await applications.register(checked(), operator)
  const { client_id } = first.application
  const second = await applications.rotateSecret(client_id, operator)
  if (second.type !== 'done') return t.fail(second.type)
  const works = (secret: string | null) => applications.isSecret(client_id, secret ?? '')
  fixture.clock.forward(dayMs - 1)
  t.deepEqual([works(first.secret), works(second.secret)], [true, true])
  fixture.clock.forward(1)
  t.deepEqual([works(first.secret), works(second.secret)], [false, true])
})

test('a revoked application is no client, has no secret, and stays so', async (t) => {
  const { applications, audit } = await open(t)
  const { application, secret } = await applications.register(checked(), operator)
  const { client_id } = application
  const revoked: string[] = []
  applications.onRevocation(async (id) => void revoked.push(id))
  t.is((await applications.approve(client_id, operator)).type, 'done')
  t.is(applications.find(client_id)?.state, 'approved')
  t.not(applications.clientMetadata(client_id), undefined)
  t.is((await applications.revoke(client_id, operator)).type, 'done')
  t.deepEqual(revoked, [client_id])
  t.is(applications.clientMetadata(client_id), undefined)
  t.is(applications.findUsable(client_id), undefined)
  t.false(applications.isSecret(client_id, secret ?? ''))
  t.deepEqual(await applications.approve(client_id, operator), { type: 'revoked' })
  t.deepEqual(await applications.rotateSecret(client_id, operator), { type: 'revoked' })
  t.deepEqual(await applications.revoke('app_none', operator), { type: 'not_found' })
  const entries = await audit.read(operator, { limit: 10 })
  t.deepEqual(
    entries.map(({ action }) => action),
    ['registered', 'approved', 'revoked'],
  )
})

test('what a person registered alone ends with them, and nothing personal is left', async (t) => {
  const { applications } = await open(t)
  const contact = 'ada@example.org'
  const own = await applications.register(checked({ contact }, ada), ada)
  const shared = await applications.register(checked({ contact, organization: 'demo' }, ada), ada)
  await applications.register(checked(), operator)
  t.is((await applications.list({ owner: ada })).length, 2)
  t.is((await applications.list({ organization: 'demo' })).length, 1)
  await applications.forget(ada.id)
  t.like(applications.find(own.application.client_id), { state: 'revoked', contact: null })
  t.like(applications.find(shared.application.client_id), { state: 'unverified', contact: null })
})

const wrong: readonly (readonly [Partial<ApplicationRequest>, string, string])[] = [
  [{ name: ' ' }, 'name', 'An application needs a name.'],
  [{ name: 'x'.repeat(101) }, 'name', 'A name has at most 100 characters.'],
  [{ name: 'Press\u202egro' }, 'name', 'A name has no control or formatting characters.'],
  [{ redirect_uris: [] }, 'redirect_uris', /at least one address/.source],
  [{ redirect_uris: ['nowhere'] }, 'redirect_uris', '"nowhere" is not an address.'],
  [{ redirect_uris: ['http://press.example/'] }, 'redirect_uris', 'must be https'],
  [{ redirect_uris: ['https://localhost/'] }, 'redirect_uris', 'must be https'],
  [{ redirect_uris: ['https://a.example/#x'] }, 'redirect_uris', 'must have no fragment'],
  [{ redirect_uris: ['https://u@a.example/'] }, 'redirect_uris', 'no user name'],
  [{ redirect_uris: ['https://*.a.example/'] }, 'redirect_uris', 'without \\*'],
  [{ redirect_uris: ['https://A.example/'] }, 'redirect_uris', 'must be written as https://a.'],
  [
    { redirect_uris: ['https://a.example/../b'] },
    'redirect_uris',
    'written as https://a.example/b',
  ],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris', 'must be https'],
  [{ redirect_uris: ['com.press:/back'] }, 'redirect_uris', 'must be https'],
  [{ scopes: [] }, 'scopes', 'at least one scope'],
  [{ scopes: ['admin:*'] }, 'scopes', '"admin:\\*" is not a scope'],
  [{ homepage: 'javascript:alert(1)' }, 'homepage', 'It must be an https address.'],
  [{ logo_uri: 'data:image/svg+xml,' }, 'logo_uri', 'It must be an https address.'],
  [{ contact: 'nobody' }, 'contact', 'It must be an e-mail address.'],
]

for (const [changes, field, message] of wrong) {
  test(`an application is refused with ${JSON.stringify(changes).slice(0, 60)}`, (t) => {
    const answer = checkNewApplication({ ...wish, ...changes }, operator)
    if (answer.type === 'ok') return t.fail('it was taken')
    t.is(answer.faults.length, 1)
    t.is(answer.faults[0]?.field, field)
    t.regex(answer.faults[0]?.message ?? '', new RegExp(message))
  })
}

test('addresses of a program on the desk are those of the loopback, on any port', (t) => {
  for (const uri of ['http://127.0.0.1/back', 'http://[::1]:8080/', 'http://localhost:1/x?y=z']) {
    t.deepEqual(checked({ redirect_uris: [uri] }).redirect_uris, [uri])
  }
})

test('a public application of a device may have a scheme of its own', (t) => {
  const own = 'com.example.app:/back'
  t.deepEqual(checked({ kind: 'public', redirect_uris: [own] }).redirect_uris, [own])
  for (const uri of ['app:/back', 'com.example.app://back', 'com.example.app:back', 'data:/x.y']) {
    const answer = checkNewApplication({ ...wish, kind: 'public', redirect_uris: [uri] }, operator)
    t.is(answer.type, 'invalid', uri)
  }
})

test('the secrets that a person was shown end, and a new one works', async (t) => {
  const { applications, fixture, store, openIn } = await open(t)
  const demo: Owner = { type: 'organization', id: 'demo', name: 'Demo' }
  const own = await applications.register(checked({}, ada), operator)
  fixture.clock.forward(1)
  const shared = await applications.register(checked({}, demo), ada)
  const handedOver = await applications.register(checked({}, demo), ada)
  await applications.rotateSecret(handedOver.application.client_id, operator)
  const openly = checked({ kind: 'public', redirect_uris: ['http://127.0.0.1/back'] }, ada)
  await applications.register(openly, ada)
  const held = [own, shared].map(({ application }) => application.client_id)
  t.deepEqual(
    (await applications.listOfSecret(ada.id)).map(({ client_id }) => client_id),
    held,
  )
  await applications.rotateSecret(held[1] ?? '', ada)
  for (const id of held) t.is((await applications.endSecret(id, ada)).type, 'done')
  t.deepEqual(await applications.listOfSecret(ada.id), [])
  for (const { application, secret } of [own, shared]) {
    t.false(applications.isSecret(application.client_id, secret ?? ''))
    t.not(applications.clientMetadata(application.client_id), undefined)
  }
  const renewed = await applications.rotateSecret(held[0] ?? '', operator)
  t.is(renewed.type, 'done')
  const secret = renewed.type === 'done' ? (renewed.secret ?? '') : ''
  t.true(applications.isSecret(held[0] ?? '', secret))
  await store.close()
  const again = openIn(await fixture.open())
  t.deepEqual(
    (await again.listOfSecret(ada.id)).map(({ client_id }) => client_id),
    [held[0]],
    'who was shown the newest is remembered; the operator hands it on to the owner',
  )
})

test('addresses after a sign-out are checked as those to come back to', async (t) => {
  const { applications } = await open(t)
  const after = ['https://press.example/bye', 'https://press.example/bye']
  const told = await applications.register(checked({ post_logout_redirect_uris: after }), operator)
  t.like(applications.clientMetadata(told.application.client_id), {
    redirect_uris: ['https://press.example/back'],
    post_logout_redirect_uris: ['https://press.example/bye'],
  })
  const registered = await applications.register(
    checked({ post_logout_redirect_uris: [] }),
    operator,
  )
  t.like(applications.clientMetadata(registered.application.client_id), {
    post_logout_redirect_uris: ['https://press.example/back'],
  })
  for (const uri of ['http://press.example/', 'https://a.example/#x', 'javascript:alert(1)', '']) {
    const answer = checkNewApplication({ ...wish, post_logout_redirect_uris: [uri] }, operator)
    t.deepEqual(
      answer.type === 'invalid' && answer.faults.map(({ field }) => field),
      ['post_logout_redirect_uris'],
      uri,
    )
  }
})
