// Hostile inputs to the identity provider, one test for each.

import { createHmac } from 'node:crypto'
import test from 'ava'

import { answerOf, OAuthFlow, post, tokensOf } from '#test/src/_oauth_flow.ts'
import { permit, pkcePair } from '#test/src/_oauth_registry.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { sharedOAuthAtSetTime } from '#test/src/_shared_registry.ts'

const { registry, newFlow, time } = sharedOAuthAtSetTime()

/** Lets the time pass in which what comes twice is answered (see oauth_reuse.test.ts). */
function passTheGrace(): void {
  time.aheadMs += 11_000
}

test('24: PKCE is missing, plain, wrong or short', async (t) => {
  const flow = await newFlow()
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
    { code_challenge: 'short' },
  ]) {
    const answer = answerOf(await flow.ask(changes))
    t.like(answer, { error: 'invalid_request', state: 'state', iss: registry.issuer })
  }
  const { code, verifier } = await flow.code()
  for (const wrong of [pkcePair().verifier, verifier.slice(0, 42), '']) {
    const { status, json } = await flow.redeem(code, wrong)
    t.is(status, 400)
    t.true(['invalid_grant', 'invalid_request'].includes(String(json['error'])))
    t.is(json['message'], json['error_description'])
  }
  // A code that was asked for without PKCE takes no verifier, and one with it needs it.
  t.is((await flow.redeem(code, verifier, { code_verifier: undefined })).status, 400)
  t.is((await flow.redeem(code, verifier)).status, 200)
})

test('24: what writes needs PKCE, and so does whatever comes through /api/v1', async (t) => {
  const flow = await newFlow()
  const bare = { code_challenge: undefined, code_challenge_method: undefined }
  const errorFor = async (scope: string) => answerOf(await flow.ask({ ...bare, scope }))['error']
  t.is(await errorFor('svc:affiliations:write'), 'invalid_request')
  t.is(await errorFor('openid svc:author:write'), undefined, 'it is what people sign in with')
  const { client_id, redirect_uri } = flow.application
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid',
  })
  const { browser } = flow.person
  const back = await browser.go(`${registry.baseUrl}/api/v1/oauth/authorize?${query}`)
  t.is(answerOf(back)['error'], 'invalid_request')
  const open = await newFlow({ kind: 'public' })
  t.is(answerOf(await open.ask({ ...bare, scope: 'openid' }))['error'], 'invalid_request')
})

test('25: a code is replayed, and comes from another application', async (t) => {
  const flow = await newFlow()
  const other = new OAuthFlow(registry, await registry.application(), flow.person)
  const foreign = await flow.code()
  const stolen = await other.redeem(foreign.code, foreign.verifier, {
    redirect_uri: flow.application.redirect_uri,
  })
  t.like(stolen.json, { error: 'invalid_grant', error_description: 'grant request is invalid' })
  t.is((await flow.redeem(foreign.code, foreign.verifier)).status, 200)
  const { code, verifier } = await flow.code()
  const { access, refresh } = tokensOf(await flow.redeem(code, verifier))
  t.is(await flow.write(access), 200)
  passTheGrace()
  t.is((await flow.redeem(code, verifier)).status, 400)
  t.is(await flow.write(access), 401, 'what the code gave is void: somebody else has it too')
  t.is((await flow.refresh(refresh)).status, 400)
})

test('26: the browser is to be sent elsewhere', async (t) => {
  const flow = await newFlow()
  const own = flow.application.redirect_uri
  const { host } = new URL(own)
  for (const redirect_uri of [
    `${own}/more`,
    `${own}/`,
    `${own}?next=https://evil.example`,
    `${own}#fragment`,
    own.toUpperCase(),
    own.replace('/back', '/BACK'),
    `https://${host}@evil.example/back`,
    `https://${host}:8443/back`,
    own.replace('https', 'http'),
    'https://evil.example/back',
    `${own.replace('/back', '')}/x/../back`,
    'javascript:alert(1)',
    '',
  ]) {
    const page = await flow.ask({ redirect_uri })
    t.is(new URL(page.url).origin, registry.baseUrl, `${redirect_uri} is not gone to`)
    t.is(page.status, 400)
    t.notRegex(page.body, /evil\.example/)
  }
  const unknown = await flow.ask({ client_id: 'app_0000000000000000' })
  t.is(unknown.status, 400)
  t.regex(unknown.body, /We do not know this application, or it was withdrawn/)
  const program = await newFlow({ kind: 'public', redirect_uris: ['http://127.0.0.1/back'] })
  const page = await program.ask({ redirect_uri: 'http://127.0.0.1:50123/back' })
  t.is(page.status, 200, 'a program on the desk listens where it can')
  t.is((await program.ask({ redirect_uri: 'http://127.0.0.2:50123/back' })).status, 400)
})

test('27: parameters come twice, as request objects, or ask for another way back', async (t) => {
  const flow = await newFlow()
  for (const extra of ['&scope=openid', '&client_id=x', '&redirect_uri=https://evil.example/']) {
    const page = await flow.ask({}, extra)
    const error = page.status === 0 ? answerOf(page)['error'] : 'page'
    t.true(['invalid_request', 'page'].includes(error ?? ''), `${extra}: ${error}`)
    t.false(page.url.startsWith('https://evil.example'))
  }
  t.is(answerOf(await flow.ask({ request: 'e30.e30.' }))['error'], 'request_not_supported')
  const by = { request_uri: 'https://evil.example/request' }
  t.is(answerOf(await flow.ask(by))['error'], 'request_uri_not_supported')
  for (const response_mode of ['web_message', 'form_post', 'fragment', 'jwt']) {
    const page = await flow.ask({ response_mode })
    t.true(
      ['unsupported_response_mode', 'invalid_request'].includes(
        answerOf(page)['error'] ??
          new URLSearchParams(new URL(page.url).hash.slice(1)).get('error') ??
          'page',
      ) || page.status === 400,
      response_mode,
    )
  }
  for (const response_type of ['token', 'id_token', 'code id_token', 'none']) {
    const page = await flow.ask({ response_type, nonce: 'n', scope: 'openid' })
    // The error is where an answer of that type would be (RFC 6749 §4.1.2.1 and §4.2.2.1).
    const { search, hash } = new URL(page.url)
    const answer = new URLSearchParams(response_type === 'none' ? search : hash.slice(1))
    t.is(answer.get('error'), 'unsupported_response_type', response_type)
    t.notRegex(page.url, /[?#&](?:code|id_token|access_token)=/)
  }
  const { client_id, client_secret } = flow.application
  const client = `client_id=${client_id}&client_secret=${client_secret}`
  const twice = await fetch(`${registry.issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=refresh_token&refresh_token=a&refresh_token=b&${client}`,
  })
  t.is(twice.status, 400)
})

test('27: the JSON exchange takes an object of texts, and nothing else', async (t) => {
  const url = `${registry.baseUrl}/api/v1/oauth/token`
  for (const body of [[], 'text', 7, null, { code: 1 }, { code: ['a'] }, { code: null }]) {
    const { status, json } = await post(url, body)
    t.is(status, 400)
    t.is(json['error'], 'invalid_request')
    t.is(json['message'], json['error_description'])
  }
  const send = (type: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  t.is((await send('application/json', '{"a":1,"a":2}')).status, 400)
  const plain = await send('text/plain', 'code=a')
  t.is(plain.status, 415)
  t.regex(await plain.text(), /Send the body as application\/x-www-form-urlencoded/)
  t.is((await send('application/json', `{"code":"${'x'.repeat(60_000)}"}`)).status, 413)
  t.is((await send('application/json', '{"__proto__":"x","grant_type":"code"}')).status, 400)
  const form = await fetch(`${registry.issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  t.is(form.status, 415)
})

test('28: more is asked for than was permitted, or may be', async (t) => {
  const flow = await newFlow({ scopes: ['openid', 'svc:works:read', 'svc:works:write'] })
  t.is(answerOf(await flow.ask({ scope: 'svc:affiliations:write' }))['error'], 'invalid_scope')
  // One that there is not at all is left out, and the answer says what was given.
  const { code, verifier } = await flow.code('svc:works:read admin:*')
  const reply = await flow.redeem(code, verifier)
  t.is(reply.json['scope'], 'svc:works:read')
  t.is(reply.json['refresh_token'], undefined)
  t.is(await flow.write(String(reply.json['access_token'])), 403)
  const { refresh } = await flow.tokens('svc:works:write')
  const more = await flow.refresh(refresh, { scope: 'svc:works:write openid' })
  t.like(more.json, { error: 'invalid_scope' })
})

test('28: what a person unticks is not permitted, but asked for again if wanted', async (t) => {
  const flow = await newFlow()
  const { code, verifier } = await flow.code('svc:works:read svc:works:write', ['svc:works:write'])
  const reply = await flow.redeem(code, verifier)
  t.is(reply.json['scope'], 'svc:works:read')
  t.is(await flow.write(String(reply.json['access_token'])), 403)
  const again = await flow.ask({ scope: 'svc:works:read' })
  t.is(again.status, 0, 'what was permitted needs no question')
  const page = await flow.ask({ scope: 'svc:works:read svc:works:write' })
  t.is(page.status, 200)
  t.regex(page.body, /name="permit:svc:works:read"[^>]*checked/)
  t.notRegex(page.body, /name="permit:svc:works:write"[^>]*checked/)
  const none = await permit(flow.person.browser, page, ['svc:works:read', 'svc:works:write'])
  t.is(answerOf(none)['error'], 'access_denied')
})

test('29: a refresh token comes twice, or from another application', async (t) => {
  const flow = await newFlow()
  const other = new OAuthFlow(registry, await registry.application(), flow.person)
  const { refresh } = await flow.tokens()
  t.like((await other.refresh(refresh)).json, { error: 'invalid_grant' })
  const second = tokensOf(await flow.refresh(refresh))
  const third = tokensOf(await flow.refresh(second.refresh))
  t.is(await flow.write(third.access), 200)
  passTheGrace()
  t.like((await other.refresh(refresh)).json, { error: 'invalid_grant' })
  t.is(await flow.write(third.access), 200, 'another application ends nothing')
  t.like((await flow.refresh(refresh)).json, { error: 'invalid_grant' })
  t.is(await flow.write(third.access), 401, 'the whole family is void')
  t.is((await flow.refresh(third.refresh)).status, 400)
  const wrong = await flow.refresh(third.refresh, { client_secret: 'x'.repeat(43) })
  t.is(wrong.status, 401)
  t.like(wrong.json, { error: 'invalid_client' })
})

test('30: a form is forged, framed, or sent for another person', async (t) => {
  const flow = await newFlow()
  const { browser } = flow.person
  const page = await flow.ask()
  t.regex(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  t.regex(page.headers.get('content-security-policy') ?? '', /form-action 'self'/)
  const action = new URL(page.url).pathname
  t.is((await browser.send(page, { csrf: 'x' }, action)).status, 403)
  t.is((await browser.send(page, { csrf: undefined }, action)).status, 403)
  const elsewhere = await browser.request(page.url, {
    method: 'POST',
    body: new URLSearchParams({ csrf: csrfOf(page.body) }),
    headers: { origin: 'https://evil.example' },
  })
  t.is(elsewhere.status, 403)
  // Another browser has neither the cookie of the question nor the person.
  const stranger = await registry.person()
  const seen = await stranger.browser.request(page.url)
  t.is(seen.status, 410)
  // Somebody else signs in to this browser meanwhile: the question was not for them.
  await browser.submit(await browser.go(`${registry.issuer}/sign-out`), {}, '/sign-out')
  const late = await browser.request(page.url)
  t.is(late.status, 410)
})

test('30: signing in to be asked leads to the question, with a new session', async (t) => {
  const flow = await newFlow()
  const browser = new TestBrowser(registry.baseUrl)
  const outside = new OAuthFlow(registry, flow.application, { ...flow.person, browser })
  const form = await outside.ask()
  t.regex(form.url, /\/auth\/sign-in\?/)
  const before = browser.cookie('svc_session')
  const { email } = flow.person
  const page = await browser.submit(
    form,
    { email, password: 'a planted password of some length' },
    '/sign-in',
  )
  t.regex(page.url, /\/auth\/interaction\//)
  t.is(page.status, 200)
  t.not(browser.cookie('svc_session'), before)
  t.is(answerOf(await outside.ask({ prompt: 'none' }))['error'], 'consent_required')
  const nobody = new OAuthFlow(registry, flow.application, {
    ...flow.person,
    browser: new TestBrowser(registry.baseUrl),
  })
  t.is(answerOf(await nobody.ask({ prompt: 'none' }))['error'], 'login_required')
  t.regex((await outside.ask({ prompt: 'login' })).url, /\/auth\/sign-in\?/)
})

for (const name of ['prompt', 'max_age']) {
  const anew = { [name]: name === 'prompt' ? 'login' : '0', scope: 'openid svc:works:write' }
  test(`30: ${name} asks who has just signed in, and once`, async (t) => {
    const { application, person } = await newFlow()
    const flow = new OAuthFlow(registry, application, person)
    const { browser, email } = person
    const before = browser.cookie('svc_session')
    const form = await flow.ask(anew)
    t.regex(form.url, /\/auth\/sign-in\?/)
    const fields = { email, password: 'a planted password of some length' }
    const page = await browser.submit(form, fields, '/sign-in')
    t.regex(page.url, /\/auth\/interaction\//)
    t.not(browser.cookie('svc_session'), before)
    const back = await permit(browser, page)
    t.truthy(answerOf(back)['code'])
    // All that was permitted stands, and the person is asked all the same.
    const silent = { ...anew, max_age: '0', prompt: 'none' }
    t.is(answerOf(await flow.ask(silent))['error'], 'login_required')
    t.regex((await flow.ask(anew)).url, /\/auth\/sign-in\?/)
  })
}

test('31: a token is forged, unsigned, of another kind, or in another header', async (t) => {
  const flow = await newFlow()
  const { code, verifier } = await flow.code('openid svc:works:write')
  const { json } = await flow.redeem(code, verifier)
  const access = String(json['access_token'])
  const idToken = String(json['id_token'])
  const [, body = ''] = idToken.split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`
  const jwks = await (await fetch(`${registry.issuer}/oauth/jwks`)).text()
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${body}`
  const signed = `${head}.${createHmac('sha256', jwks).update(head).digest('base64url')}`
  const refresh = String(json['refresh_token'])
  for (const forged of [idToken, unsigned, signed, refresh, code, `${access}x`, access.slice(1)]) {
    t.is(await flow.write(forged), 401)
  }
  t.is(await flow.write(access), 200)
  const inKeyHeader = await fetch(`${registry.baseUrl}/api/v1/works`, {
    method: 'POST',
    headers: { 'x-api-key': access, 'content-type': 'application/json' },
    body: '{}',
  })
  t.is(inKeyHeader.status, 401)
  const inAddress = await fetch(`${registry.baseUrl}/api/v1/works?api_key=${access}`, {
    method: 'POST',
  })
  t.is(inAddress.status, 401)
  t.is(await flow.write(access, { 'x-api-key': access }), 401)
  const userinfo = await fetch(`${registry.issuer}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${idToken}` },
  })
  t.is(userinfo.status, 401)
})

test('32: every answer says which provider it is from, errors too', async (t) => {
  const flow = await newFlow()
  const page = await flow.ask()
  t.is(answerOf(await permit(flow.person.browser, page))['iss'], registry.issuer)
  const asked = await flow.ask({ scope: 'svc:works:read' })
  const denied = await flow.person.browser.submit(
    asked,
    { deny: 'on' },
    new URL(asked.url).pathname,
  )
  t.like(answerOf(denied), { error: 'access_denied', iss: registry.issuer, state: 'state' })
  // The address in the answers is the configured one, whatever the request calls the host.
  const poisoned = await fetch(`${registry.issuer}/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  })
  const text = await poisoned.text()
  t.notRegex(text, /evil|gopher/)
  t.like(JSON.parse(text), {
    issuer: registry.issuer,
    token_endpoint: `${registry.issuer}/oauth/token`,
  })
})

test('33: names and addresses of an application are text, and nothing more', async (t) => {
  const name = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
  const flow = await newFlow({
    name,
    homepage: 'https://evil.example/%22onmouseover=%22alert(1)',
    logo_uri: 'https://evil.example/logo.svg',
  })
  const page = await flow.ask()
  t.is(page.status, 200)
  t.notRegex(page.body, /<script|<img|"onmouseover|logo\.svg/)
  t.regex(page.body, /&#60;script&#62;alert\(1\)/)
  t.notRegex(page.headers.get('content-security-policy') ?? '', /unsafe|evil/)
  for (const changes of [
    { homepage: 'javascript:alert(1)' },
    { homepage: 'https://evil.example/"onmouseover="alert(1)' },
    { logo_uri: 'javascript:alert(1)' },
    { name: 'Press\u202egro' },
  ]) {
    await t.throwsAsync(registry.application(changes), { code: 'validation_failed' })
  }
  const state = '"><script>alert(1)</script>'
  const error = await flow.ask({ state, redirect_uri: 'https://evil.example/' })
  t.notRegex(error.body, /<script>alert/)
})

function csrfOf(body: string): string {
  return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
}
