// How permissions end: by the person, by the operator, by the application, with the account, and
// with their time; and what is left of the secrets.

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import { password } from '#test/src/_oauth_registry.ts'
import { sharedOAuth } from '#test/src/_shared_registry.ts'

const { registry, newFlow } = sharedOAuth()

test('a revoked application writes no more, from the moment of the answer', async (t) => {
  const flow = await newFlow()
  const { client_id } = flow.application
  const { access, refresh } = await flow.tokens()
  for (let round = 0; round < 10; round += 1) t.is(await flow.write(access), 200)
  await registry.admin.call('/applications/revoke', { client_id })
  t.is(await flow.write(access), 401)
  t.is((await flow.refresh(refresh)).status, 401)
  t.is((await flow.ask()).status, 400)
})

test('who is suspended gets no token and uses none, from the next request on', async (t) => {
  await registry.admin.call('/organizations/create', { organization: { slug: 'lab', name: 'Lab' } })
  const flow = await newFlow({ organization: 'lab' })
  const { client_id } = flow.application
  const { access, refresh } = await flow.tokens()
  let newest = refresh
  const subjects = [
    { type: 'application', id: client_id },
    { type: 'organization', id: 'lab' },
    { type: 'account', id: flow.person.ppid },
  ] as const
  for (const subject of subjects) {
    t.is(await flow.write(access), 200)
    await registry.admin.call('/suspensions/suspend', { ...subject, reason: 'A dispute.' })
    t.is(await flow.write(access), 403, subject.type)
    const refused = await flow.refresh(newest)
    t.is(refused.status, 403, subject.type)
    const { json: body } = refused
    t.is(body['error'], 'suspended')
    t.regex(String(body['error_description']), new RegExp(`${subject.id} is suspended.*A dispute`))
    await registry.admin.call('/suspensions/resume', subject)
    newest = tokensOf(await flow.refresh(newest)).refresh
  }
})

test('an application ends its own permission, and nobody else’s', async (t) => {
  const flow = await newFlow()
  const other = new OAuthFlow(registry, await registry.application(), flow.person)
  const { access, refresh } = await flow.tokens()
  const revoke = ({ application: { client_id, client_secret } }: OAuthFlow, token: string) =>
    fetch(`${registry.issuer}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token, client_id, client_secret }),
    })
  t.is((await revoke(other, refresh)).status, 200, 'it is not told whether there is such a token')
  t.is(await flow.write(access), 200)
  t.is((await revoke(flow, refresh)).status, 200)
  t.is(await flow.write(access), 401)
  const { entries } = await registry.admin.call('/keys/audit', {
    owner: `person:${flow.person.ppid}`,
  })
  const { client_id } = flow.application
  const told = entries.filter((entry) => entry.client_id === client_id)
  t.deepEqual(
    told.map(({ action, reason }) => [action, reason]),
    [
      ['granted', undefined],
      ['used', undefined],
      ['revoked', 'by_application'],
    ],
  )
  t.like(told[0], { scopes: ['svc:works:write'], by: { type: 'person', id: flow.person.ppid } })
})

test('to sign out ends what only signs in, and lets what writes go on', async (t) => {
  const flow = await newFlow()
  const login = new OAuthFlow(registry, await registry.application(), flow.person)
  const { access, refresh } = await flow.tokens()
  const { code, verifier } = await login.code('openid profile')
  const token = String((await login.redeem(code, verifier)).json['access_token'])
  const told = () =>
    fetch(`${registry.issuer}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  t.is((await told()).status, 200)
  const { browser } = flow.person
  const page = await browser.go(`${registry.issuer}/oauth/logout`)
  t.regex(page.body, /An application asks us to sign you out here/)
  const out = await browser.submit(page, { logout: 'yes' }, '/oauth/logout/confirm')
  t.regex(out.body, /You are signed out/)
  t.is((await told()).status, 401)
  t.is(await flow.write(access), 200)
  t.is((await flow.refresh(refresh)).status, 200)
  t.regex((await browser.go(`${registry.issuer}/account`)).url, /\/sign-in/)
})

test('an application has people sent to where it has registered, and nowhere else', async (t) => {
  const bye = 'https://app.example/bye'
  const flow = await newFlow({ post_logout_redirect_uris: [bye] })
  const { code, verifier } = await flow.code('openid')
  const hint = String((await flow.redeem(code, verifier)).json['id_token'])
  const { browser } = flow.person
  const ask = (post_logout_redirect_uri: string) => {
    const query = { post_logout_redirect_uri, id_token_hint: hint, state: 'of the application' }
    return browser.go(`${registry.issuer}/oauth/logout?${new URLSearchParams(query)}`)
  }
  for (const uri of [flow.application.redirect_uri, `${bye}/`, 'https://evil.example/bye']) {
    const refused = await ask(uri)
    t.is(refused.status, 400, uri)
    t.notRegex(refused.body, /evil\.example/)
  }
  const out = await browser.submit(await ask(bye), { logout: 'yes' }, '/oauth/logout/confirm')
  t.is(out.url, `${bye}?state=of+the+application`)
  t.regex((await browser.go(`${registry.issuer}/account`)).url, /\/sign-in/)
})

test('who came to no application is asked before they are signed out, and may stay', async (t) => {
  const { browser } = await registry.person()
  const page = await browser.go(`${registry.issuer}/oauth/logout`)
  t.regex(page.body, /An application asks us to sign you out here/)
  const stay = await browser.submit(page, {}, '/oauth/logout/confirm')
  t.is(stay.url, `${registry.issuer}/account`)
  const again = await browser.go(`${registry.issuer}/oauth/logout`)
  const out = await browser.submit(again, { logout: 'yes' }, '/oauth/logout/confirm')
  t.regex(out.body, /You are signed out/)
  t.regex((await browser.go(`${registry.issuer}/account`)).url, /\/sign-in/)
})

test('a browser that is signed out of the pages is signed out of the provider', async (t) => {
  const flow = await newFlow()
  await flow.tokens()
  const { browser } = flow.person
  t.is((await flow.ask()).status, 0, 'nothing is left to ask')
  await browser.submit(await browser.go(`${registry.issuer}/sign-out`), {}, '/sign-out')
  t.regex((await flow.ask()).url, /\/sign-in/)
  const other = await registry.person()
  const { email } = other
  await browser.submit(
    await browser.go(`${registry.issuer}/sign-in`),
    { email, password },
    '/sign-in',
  )
  const page = await flow.ask()
  t.is(page.status, 200, 'the next person is asked for themselves')
  t.regex(page.body, /Permit Application/)
})

test('an account that is removed takes its permissions and tokens along', async (t) => {
  const flow = await newFlow()
  const { ppid } = flow.person
  const { access, refresh } = await flow.tokens()
  t.is(await flow.write(access), 200)
  await registry.admin.call('/accounts/remove', { account: ppid })
  t.is(await flow.write(access), 401)
  t.is((await flow.refresh(refresh)).status, 400)
  const { entries } = await registry.admin.call('/keys/audit', { owner: `person:${ppid}` })
  t.deepEqual(
    entries.filter(({ grant_id }) => grant_id !== undefined),
    [],
  )
})

test('a secret that was replaced works for a day beside the new one', async (t) => {
  const flow = await newFlow()
  const { client_id } = flow.application
  const { refresh } = await flow.tokens()
  const { secret } = await registry.admin.call('/applications/rotate-secret', { client_id })
  const second = tokensOf(await flow.refresh(refresh))
  const reply = await flow.refresh(second.refresh, { client_secret: secret ?? '' })
  t.is(reply.status, 200)
})

test('an approved application is not warned of', async (t) => {
  const flow = await newFlow()
  const { client_id } = flow.application
  t.regex((await flow.ask()).body, /Not verified/)
  await registry.admin.call('/applications/approve', { client_id })
  t.notRegex((await flow.ask()).body, /Not verified/)
})

test('token keys are replaced in steps, and each answers when the next is due', async (t) => {
  const flow = await newFlow()
  const { code, verifier } = await flow.code('openid')
  const idToken = String((await flow.redeem(code, verifier)).json['id_token'])
  const { kid } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()) as {
    kid: string
  }
  const first = await registry.admin.call('/token-keys/rotate', {})
  t.is(first.step, 'announced')
  t.is(first.next_step, 'use')
  const jwks = await (await fetch(`${registry.issuer}/oauth/jwks`)).json()
  const { keys } = jwks as { keys: { kid: string }[] }
  t.is(keys.length, 6)
  t.is(keys[0]?.kid, kid)
  const early = await registry.admin.call('/token-keys/rotate', {})
  t.is(early.step, 'too_early')
  t.deepEqual(early.key_ids, first.key_ids)
})

test.serial(
  'no token, secret or address of a person is readable in a file of the data',
  async (t) => {
    const flow = await newFlow({ contact: 'planted-contact@example.org' })
    const { code, verifier } = await flow.code('openid email svc:works:write')
    const { json } = await flow.redeem(code, verifier)
    const secrets = [
      code,
      String(json['access_token']),
      String(json['refresh_token']),
      flow.application.client_secret,
      flow.person.email,
      password,
      'planted-contact',
      flow.person.browser.cookie('svc_session') ?? '',
    ]
    t.true(secrets.every((secret) => secret.length > 10))
    const files = await readdir(registry.dataDir, { recursive: true, withFileTypes: true })
    let read = 0
    for (const file of files.filter((each) => each.isFile())) {
      const bytes = await readFile(path.join(file.parentPath, file.name))
      read += 1
      for (const secret of secrets) t.false(bytes.includes(secret), `${file.name} has ${secret}`)
    }
    t.true(read > 10)
  },
)
