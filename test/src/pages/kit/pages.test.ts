import anyTest, { type TestFn } from 'ava'

import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const test = anyTest as TestFn<TestRegistry>

const ada = {
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.org',
  password: 'a long enough sentence',
}

test.beforeEach(async (t) => {
  t.context = await openRegistry({ RATE_LIMITS: false })
})

test.afterEach.always((t) => t.context.close())

test('a page may do nothing but show itself and send its forms here', async (t) => {
  const { status, headers, body } = await new Browser(t.context.server).get('/auth/sign-up')
  t.is(status, 200)
  t.is(headers['content-type'], 'text/html; charset=utf-8')
  t.is(
    headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
      "frame-ancestors 'none'",
  )
  t.is(headers['cache-control'], 'no-store')
  // Under `no-referrer`, browsers send forms with the origin null.
  t.is(headers['referrer-policy'], 'same-origin')
  t.regex(body, /^<!doctype html>\n<html lang="en" dir="ltr">/)
  t.regex(body, /<a class="skip" href="#main">/)
  t.notRegex(body, /<script|style=|javascript:| on\w+=/)
})

test('the stylesheet is named for its content and kept for ever', async (t) => {
  const browser = new Browser(t.context.server)
  const { body } = await browser.get('/auth/sign-in')
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(body) ?? []
  t.regex(path, /^\/auth\/assets\/style\.[0-9a-f]{16}\.css$/)
  const { headers, status } = await browser.get(path)
  t.is(status, 200)
  t.is(headers['content-type'], 'text/css; charset=utf-8')
  t.is(headers['cache-control'], 'public, max-age=31536000, immutable')
})

test('the cookie is for this host alone, out of reach of scripts and other sites', async (t) => {
  const { headers } = await new Browser(t.context.server).get('/auth/sign-in')
  t.regex(
    String(headers['set-cookie']),
    /^__Host-svc_session=[0-9A-Za-z]{44}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('who signs up is signed in, signs out, and signs in again with another cookie', async (t) => {
  const { server, accounts } = t.context
  const browser = new Browser(server)
  await browser.get('/auth/sign-up')
  const before = browser.cookie
  const made = await browser.submit('/auth/sign-up', ada)
  t.is(made.status, 303)
  t.is(made.headers.location, '/auth/account?done=welcome')
  t.not(browser.cookie, before, 'no cookie from before the sign-in is one after it')
  const [ofSession = '', ofBrowser = ''] = [made.headers['set-cookie'] ?? []].flat().map(String)
  t.regex(ofSession, /^__Host-svc_session=\w{44}; .*; Max-Age=2592000$/)
  const known = /^__Host-svc_session_[0-9a-f]{16}=\w{44}; Path=\/; HttpOnly; SameSite=Lax; Secure; /
  t.regex(ofBrowser, known)
  const first = browser.cookie
  t.is((await browser.get('/auth/sign-in')).headers.location, '/auth/account')
  const out = await browser.submit('/auth/sign-out', {})
  t.is(out.headers.location, '/auth/sign-in?done=signed_out')
  t.regex((await browser.get('/auth/sign-in?done=signed_out')).body, /You are signed out\./)
  browser.cookie = first
  t.is((await browser.get('/auth/sign-in')).status, 200, 'the session has ended on both sides')
  const again = await browser.submit('/auth/sign-in', { email: ada.email, password: ada.password })
  t.is(again.headers.location, '/auth/account')
  t.not(browser.cookie, first)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  t.is(accounts.sessions.list(ppid).length, 1)
})

test('a wrong form keeps what was typed, never the password, and says what is right', async (t) => {
  const browser = new Browser(t.context.server)
  const wrong = { ...ada, name: 'Ada "<i>" Lovelace', email: 'ada', password: 'secret' }
  const { status, body } = await browser.submit('/auth/sign-up', wrong)
  t.is(status, 422)
  t.regex(body, /Please fix 2 fields/)
  t.true(body.includes('value="Ada &#34;&#60;i&#62;&#34; Lovelace"'))
  t.regex(
    body,
    /name="email" required autocomplete="email"[^>]*aria-invalid="true"[^>]*value="ada"/,
  )
  t.regex(body, /aria-describedby="field-password-hint field-password-fault"/)
  t.regex(body, /id="field-email-fault">Write one e-mail address, such as ada@example\.org\./)
  t.regex(body, /<a href="#field-password">Choose a longer password\.<\/a>/)
  t.notRegex(body, /secret/)
  t.is((await browser.submit('/auth/sign-up', ada)).status, 303)
})

test('a sign-in tells nobody whether there is an account', async (t) => {
  const { server } = t.context
  await new Browser(server).submit('/auth/sign-up', ada)
  const known = new Browser(server)
  const wrong = await known.submit('/auth/sign-in', { email: ada.email, password: 'wrong' })
  const unknown = await known.submit('/auth/sign-in', { email: 'bo@b.example', password: 'wrong' })
  t.is(wrong.status, 422)
  // The tokens of forms, and what a passkey would sign, are other texts on every page.
  const isSaid = (page: string, email: string) =>
    page
      .replaceAll(email, '')
      .replaceAll(/name="(?:csrf|challenge)" value="[^"]+"/g, '')
      .replace(/&#34;challenge&#34;:&#34;[\w-]{43}/, '')
  t.is(isSaid(wrong.body, ada.email), isSaid(unknown.body, 'bo@b.example'))
  t.regex(wrong.body, /This e-mail address and password do not belong together\./)
  t.notRegex(wrong.body, /value="wrong"/)
})

test('the token of a form is spelled anew on every page, and each spelling is good', async (t) => {
  const browser = new Browser(t.context.server)
  const tokens = new Set<string>()
  for (let page = 0; page < 5; page += 1) {
    const { body } = await browser.get('/auth/sign-up')
    tokens.add(/name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '')
  }
  t.is(tokens.size, 5)
  const [first = '', second = ''] = tokens
  for (const wrong of [`${first.slice(0, 43)}${second.slice(43)}`, first.slice(1), `${first}AA`]) {
    t.is((await browser.post('/auth/sign-up', { ...ada, csrf: wrong })).status, 403)
  }
  t.is((await browser.post('/auth/sign-up', { ...ada, csrf: first })).status, 303)
})

test('a sign-in goes on to a page of ours, and to no other', async (t) => {
  const { server } = t.context
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  await browser.submit('/auth/sign-out', {})
  const { email, password } = ada
  for (const [returnTo, location] of [
    ['/auth/interaction/x?y=1', '/auth/interaction/x?y=1'],
    ['https://evil.example/auth/account', '/auth/account'],
    ['//evil.example/auth/account', '/auth/account'],
    ['/\\evil.example/auth/', '/auth/account'],
    ['/auth/../v1/works', '/auth/account'],
    ['/v1/works', '/auth/account'],
    ['javascript:alert(1)', '/auth/account'],
  ] as const) {
    const query = new URLSearchParams({ return_to: returnTo })
    const page = `/auth/sign-in?${query}`
    const answer = await browser.submit(page, { email, password }, '/auth/sign-in')
    t.is(answer.headers.location, location, returnTo)
    await browser.submit('/auth/sign-out', {})
  }
})

test('a form from another site, for another browser or without a token is refused', async (t) => {
  const { server, accounts } = t.context
  const browser = new Browser(server)
  const attacker = new Browser(server)
  const { body } = await attacker.get('/auth/sign-up')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(body) ?? []
  await browser.get('/auth/sign-up')
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const [fields, headers] of [
    [{ ...ada, csrf }, {}],
    [{ ...ada, csrf: '' }, {}],
    [ada, {}],
    [ada, foreign],
  ] as const) {
    const { status, body: page } = await browser.post('/auth/sign-up', fields, headers)
    t.is(status, 403)
    t.regex(page, /You cannot do this/)
  }
  const own = await attacker.post('/auth/sign-up', { ...ada, csrf }, foreign)
  t.is(own.status, 403, 'a right token does not help from elsewhere')
  const sameSite = { 'sec-fetch-site': 'same-site' }
  t.is((await attacker.post('/auth/sign-up', { ...ada, csrf }, sameSite)).status, 403)
  t.is((await attacker.post('/auth/sign-up', { ...ada, csrf }, { origin: 'null' })).status, 403)
  t.deepEqual(await accounts.accounts.list(), [])
  t.is((await attacker.post('/auth/sign-up', { ...ada, csrf })).status, 303)
})

test('what is no form of ours is refused with a page', async (t) => {
  const browser = new Browser(t.context.server)
  await browser.get('/auth/sign-in')
  for (const [body, type, status, words] of [
    ['email=a&email=b', undefined, 400, /A field of the form was sent twice/],
    ['email=%ff', undefined, 400, /The form is not text in UTF-8/],
    ['email=%00', undefined, 400, /The form is not text in UTF-8/],
    ['{}', 'application/json', 415, /We could not understand this request/],
    [`email=${'a'.repeat(70_000)}`, undefined, 413, /This is too large/],
  ] as const) {
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await browser.post('/auth/sign-in', body, headers)
    t.is(answer.status, status, body.slice(0, 40))
    t.regex(answer.body, words)
  }
})

test('an error is a page to browsers and JSON to programs', async (t) => {
  const browser = new Browser(t.context.server)
  const page = await browser.get('/auth/nothing')
  t.is(page.status, 404)
  t.regex(page.body, /<h1>Page not found<\/h1>/)
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  const json = await browser.get('/auth/nothing', { accept: '*/*' })
  t.like(JSON.parse(json.body), { error: 'not_found' })
  const elsewhere = await browser.get('/nothing')
  t.is(elsewhere.status, 404)
  t.regex(elsewhere.body, /<h1>Page not found<\/h1>/)
  t.regex(elsewhere.body, /action="\/search"/)
  t.notRegex(elsewhere.body, /tell the operator/, 'nobody reports an address that they mistyped')
  for (const path of ['/doi/10.5555/Weave.7', '/https://doi.org/10.5555%2Fweave.7']) {
    t.regex((await browser.get(path)).body, /\nvalue="10\.5555\/weave\.7"/, path)
  }
  for (const path of ['/api/v1/nothing', '/v1/nothing', '/log/nothing']) {
    const data = await browser.get(path)
    t.like(JSON.parse(data.body), { error: 'not_found' }, path)
  }
})

test('the set-up makes the first administrator, once', async (t) => {
  const { server, accounts } = t.context
  const browser = new Browser(server)
  t.is((await browser.get('/auth/setup')).status, 404)
  t.is((await browser.get('/auth/setup/once_00000000000000000000000000000000')).status, 410)
  const page = `/auth/setup/${accounts.setup.token}`
  t.is((await browser.submit(page, { ...ada, password: 'short' })).status, 422)
  const made = await browser.submit(page, ada)
  t.is(made.headers.location, '/auth/account?done=welcome')
  t.deepEqual(accounts.accounts.findByEmail(ada.email)?.roles, ['admin'])
  const late = await new Browser(server).get(page)
  t.is(late.status, 410)
  t.regex(late.body, /This link was used already/)
})

test('an operator’s reset link changes the password once', async (t) => {
  const { server, accounts } = t.context
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  const { token } = await accounts.links.issue({ kind: 'reset', ppid })
  const page = `/auth/reset/${token}`
  const other = new Browser(server)
  t.is((await other.submit(page, { new_password: 'short' })).status, 422)
  const next = 'another long sentence'
  const done = await other.submit(page, { new_password: next })
  t.is(
    done.headers.location,
    '/auth/sign-in?done=reset&return_to=%2Fauth%2Faccount%2Faccess%3Fdone%3Dreset',
  )
  t.is((await other.get(page)).status, 410)
  t.is((await browser.get('/auth/sign-in')).status, 200, 'the first browser is signed out')
  const signIn = await other.submit('/auth/sign-in', { email: ada.email, password: next })
  t.is(signIn.status, 303)
})

test('an address is verified by a button, not by the link alone', async (t) => {
  const { server, accounts } = t.context
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  const { token } = await accounts.links.issue({ kind: 'verify', ppid, email: ada.email })
  const page = `/auth/verify/${token}`
  t.regex((await new Browser(server).get(page)).body, /Is <strong><bdi>ada@example\.org<\/bdi>/)
  t.false(accounts.accounts.find(ppid)?.email_verified)
  const done = await browser.submit(page, {})
  t.is(done.headers.location, '/auth/account?done=verified')
  t.true(accounts.accounts.find(ppid)?.email_verified)
  t.is((await browser.get(page)).status, 410)
})

test('without a mail server the reset says whom to ask', async (t) => {
  const { body } = await new Browser(t.context.server).get('/auth/reset')
  t.regex(body, /Ask its operator for a link/)
  t.notRegex(body, /<form class="form"/)
})
