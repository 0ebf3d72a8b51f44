import test from 'ava'

import { openPress, signUpMember } from '#test/src/web/_members.ts'

const path = '/auth/organizations/press/applications'
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
  const made = await browser.submit(path, { ...wish, environment: 'sandbox' })
  t.is(made.status, 200)
  const id = /app_test_\w{16}/.exec(made.body)?.[0] ?? ''
  const secret = /<code class="secret-text" tabindex="0">(\w{43})</.exec(made.body)?.[1] ?? ''
  t.true(sandbox.oauth.applications.isSecret(id, secret))
  t.like(sandbox.oauth.applications.find(id), { organization: 'press', state: 'unverified' })
  t.deepEqual(oauth.applications.list(), [])

  const live = await browser.submit(path, { ...wish, environment: 'live' })
  t.regex(live.body, /<code>app_[0-9A-Za-z]{16}<\/code>/)
  t.is(oauth.applications.list().length, 1)
  const { body } = await browser.get(path)
  t.regex(body, /<dt>Registry<\/dt>\s*<dd>sandbox<\/dd>/)
  t.regex(body, /<dt>Registry<\/dt>\s*<dd>live<\/dd>/)

  const renewed = await browser.submit(path, {}, `${path}/${id}/secret`)
  t.is(renewed.status, 200)
  t.false(renewed.body.includes(secret))
  t.is(sandbox.oauth.applications.listOfSecret(ppid).length, 1)
  // Who has taken an account over may have been shown the secret.
  const access = await browser.get('/auth/account/access')
  t.true(access.body.includes(`application:${id}`))
  await browser.submit('/auth/account/access', { [`application:${id}`]: 'on' })
  t.is(sandbox.oauth.applications.listOfSecret(ppid).length, 0)
  t.is(oauth.applications.listOfSecret(ppid).length, 1)

  await browser.submit(`${path}/${id}/revoke`, {})
  t.is(sandbox.oauth.applications.find(id)?.state, 'revoked')
  t.not(oauth.applications.list()[0]?.state, 'revoked')
})
