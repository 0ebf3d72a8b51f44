import test from 'ava'

import { admin, openPress, signUpMember } from '#test/src/pages/_members.ts'

const path = '/auth/organizations/press/applications'
const press = { type: 'organization', id: 'press' } as const
const wish = {
  name: 'Press Desk',
  kind: 'confidential',
  redirect_uris: 'https://press.example/back',
  'svc:works:write': 'on',
}

test('owners register applications of the sandbox beside those of the registry', async (t) => {
  const registry = await openPress(t)
  const { oauth, sandbox } = registry
  const { browser, ppid } = await signUpMember(t, registry, 'owner')
  const sent = await browser.submit(path, { ...wish, environment: 'sandbox' })
  t.is(sent.status, 303)
  const made = await browser.get(String(sent.headers.location))
  const id = /app_test_\w{16}/.exec(made.body)?.[0] ?? ''
  const secret = /<code class="secret-text" tabindex="0">(\w{43})</.exec(made.body)?.[1] ?? ''
  t.true(sandbox.oauth.applications.isSecret(id, secret))
  t.like(sandbox.oauth.applications.find(id), { organization: 'press', state: 'unverified' })
  t.deepEqual(await oauth.applications.list(), [])

  const again = await browser.get(String(sent.headers.location))
  t.false(again.body.includes(secret), 'the secret is shown once')
  const live = await browser.submit(path, { ...wish, environment: 'live' })
  t.regex(String(live.headers.location), /\/app_[0-9A-Za-z]{16}$/)
  t.is((await oauth.applications.list()).length, 1)
  const { body } = await browser.get(path)
  t.regex(body, /<dt>Registry<\/dt>\s*<dd>Live<\/dd>/)
  t.notRegex(body, /<dd>Sandbox<\/dd>/)
  const tests = await browser.get(`${path}?environment=sandbox`)
  t.regex(tests.body, /<dt>Registry<\/dt>\s*<dd>Sandbox<\/dd>/)

  const renewed = await browser.submit(path, {}, `${path}/${id}/secret`)
  t.is(renewed.status, 303)
  const renewedPage = await browser.get(String(renewed.headers.location))
  t.regex(renewedPage.body, /class="secret-text"/)
  t.false(renewedPage.body.includes(secret))
  t.is((await sandbox.oauth.applications.listOfSecret(ppid)).length, 1)
  // Who has taken an account over may have been shown the secret.
  const access = await browser.get('/auth/account/access')
  t.true(access.body.includes(`application:${id}`))
  await browser.submit('/auth/account/access', { [`application:${id}`]: 'on' })
  t.is((await sandbox.oauth.applications.listOfSecret(ppid)).length, 0)
  t.is((await oauth.applications.listOfSecret(ppid)).length, 1)

  await browser.submit(`${path}/${id}/revoke`, {})
  t.is(sandbox.oauth.applications.find(id)?.state, 'revoked')
  t.not((await oauth.applications.list())[0]?.state, 'revoked')
})

test('an application is changed, and looked at again if people would see another', async (t) => {
  const registry = await openPress(t)
  const { applications } = registry.oauth
  const owner = await signUpMember(t, registry, 'owner')
  const viewer = await signUpMember(t, registry, 'viewer')
  await owner.browser.submit(path, wish)
  const [made] = await applications.list()
  const id = made?.client_id ?? ''
  await applications.approve(id, admin)
  const own = `${path}/${id}`
  t.is((await viewer.browser.get(own)).status, 403)
  const wrong = await owner.browser.submit(own, { ...wish, redirect_uris: 'nowhere' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /is not an address/)
  const contact = await owner.browser.submit(own, { ...wish, contact: 'desk@press.example' })
  t.is(contact.headers.location, `${own}?done=changed`)
  t.like(applications.find(id), {
    contact: 'desk@press.example',
    state: 'approved',
    kind: 'confidential',
  })
  await owner.browser.submit(own, { ...wish, name: 'Another Desk', kind: 'public' })
  t.like(applications.find(id), {
    name: 'Another Desk',
    contact: null,
    state: 'unverified',
    kind: 'confidential',
    organization: 'press',
    created_at: made?.created_at,
  })
  t.regex((await owner.browser.get(own)).body, /value="Another Desk"/)
  const entries = await registry.oauth.audit.read(press, { limit: 10 })
  t.is(entries.filter(({ action }) => action === 'changed').length, 2)
})

test('who has an application sees how much it is permitted, and ends all of it', async (t) => {
  const registry = await openPress(t)
  const { applications, grants } = registry.oauth
  const { browser } = await signUpMember(t, registry, 'owner')
  await browser.submit(path, wish)
  const id = (await applications.list())[0]?.client_id ?? ''
  const permitted = { clientId: id, openid: { scope: 'openid svc:works:write' } }
  const exp = registry.time.nowMs / 1_000 + 3_600
  for (const accountId of ['ada', 'bob']) {
    await grants.save(`of-${accountId}`, { ...permitted, accountId, exp })
  }
  const { body } = await browser.get(`${path}/${id}`)
  t.regex(body, /<dt>People who permit it<\/dt>\s*<dd>2<\/dd>/)
  t.notRegex(body, /\bbob\b/)
  const ended = await browser.submit(`${path}/${id}`, {}, `${path}/${id}/permissions/end`)
  t.is(ended.headers.location, `${path}/${id}?done=ended`)
  t.is((await grants.useOf(id)).people, 0)
  t.is(applications.find(id)?.state, 'unverified')
})
