import test, { type ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import { operator } from '#src/identity/store/owner_text.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough sentence' }
const confirming = '/auth/account/confirm'
const settings = '/auth/account/second-step'
const elevenMinutes = 11 * 60_000

async function open(t: ExecutionContext, settingsOf: Parameters<typeof openRegistry>[0] = {}) {
  const registry = await openRegistry({ RATE_LIMITS: false, ...settingsOf })
  t.teardown(() => registry.close())
  const browser = new Browser(registry.server)
  await browser.submit('/auth/sign-up', ada)
  const { ppid = '' } = registry.accounts.accounts.findByEmail(ada.email) ?? {}
  return { registry, browser, ppid }
}

/** Sets the second step up; gives what makes codes, and a recovery code. */
async function setUp({ time }: TestRegistry, browser: Browser) {
  await browser.submit(settings, { current_password: ada.password }, `${settings}/begin`)
  const { body } = await browser.get(settings)
  const secret = (/type the secret: <code>([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '')
  const code = () => new TOTP({ secret }).generate({ timestamp: time.nowMs })
  const done = await browser.submit(settings, { code: code() }, `${settings}/confirm`)
  await browser.get(String(done.headers.location))
  return code
}

/** Text that hardly gets shorter. */
const manyNumbers = Array.from({ length: 9_000 }, (_, n) => (n * 7_919) % 9_973).join(' ')

const guarded = [
  ['GET', '/auth/account/email'],
  ['GET', '/auth/account/delete'],
  ['GET', '/auth/account/export'],
  ['POST', '/auth/account/email'],
  ['POST', '/auth/account/delete'],
  ['POST', '/auth/account/security/password'],
  ['POST', '/auth/account/security/links'],
  ['POST', '/auth/account/second-step/begin'],
  ['GET', '/auth/account/sign-ins/not-mine'],
  ['POST', '/auth/account/sign-ins/not-mine'],
  ['GET', '/auth/account/passkeys/new'],
  ['POST', '/auth/account/passkeys/new'],
  ['POST', '/auth/account/passkeys/recovery-codes'],
  ['POST', '/auth/account/passkeys/some/remove'],
  ['POST', '/auth/account/keys'],
  ['POST', '/auth/account/keys/some/rotate'],
  ['POST', '/auth/organizations/some/keys'],
  ['POST', '/auth/organizations/some/members'],
  ['POST', '/auth/organizations/some/members/role'],
  ['POST', '/auth/organizations/some/members/remove'],
  ['POST', '/auth/organizations/some/applications'],
  ['POST', '/auth/organizations/some/applications/one/secret'],
  ['POST', '/auth/organizations/some/webhooks'],
  ['POST', '/auth/organizations/some/webhooks/one'],
  ['POST', '/auth/organizations/some/webhooks/one/secret'],
  ['POST', '/auth/organizations/some/webhooks/one/remove'],
  ['POST', '/auth/admin/accounts/invite'],
  ['POST', '/auth/admin/accounts/some/remove'],
] as const

test('what matters most asks for a sign-in within ten minutes, and leads back', async (t) => {
  const { registry, browser } = await open(t)
  t.is((await browser.get('/auth/account/email')).status, 200, 'just signed in')
  registry.time.nowMs += elevenMinutes
  const { body: profile } = await browser.get('/auth/account')
  const csrf = /name="csrf" value="([^"]+)"/.exec(profile)?.[1] ?? ''
  const referer = 'https://registry.example/auth/account/keys'
  for (const [method, path] of guarded) {
    const asked =
      method === 'GET'
        ? await browser.get(path)
        : await browser.post(path, { csrf, password: ada.password }, { referer })
    const to = encodeURIComponent(method === 'GET' ? path : '/auth/account/keys')
    const done = method === 'GET' ? '' : '&done=form'
    t.is(asked.headers.location, `${confirming}?return_to=${to}${done}`, `${method} ${path}`)
  }
  t.is((await browser.get('/auth/account/keys')).status, 200, 'reading asks nothing')

  const page = `${confirming}?return_to=/auth/account/email`
  const wrong = await browser.submit(page, { current_password: 'x' }, confirming)
  t.is(wrong.status, 422)
  t.is((await browser.get('/auth/account/email')).status, 303)
  const right = await browser.submit(page, { current_password: ada.password }, confirming)
  t.is(right.headers.location, '/auth/account/email')
  t.is((await browser.get('/auth/account/email')).status, 200)
  const elsewhere = `${confirming}?return_to=https://evil.example/`
  const led = await browser.submit(elsewhere, { current_password: ada.password }, confirming)
  t.is(led.headers.location, '/auth/account')
  registry.time.nowMs += elevenMinutes
  t.is((await browser.get('/auth/account/email')).status, 303, 'for ten minutes')
})

test('a form that was stopped is given back as it was typed, once, to that person', async (t) => {
  const { registry, browser } = await open(t)
  const page = '/auth/account/keys'
  const referer = `https://registry.example${page}?preset=read`
  registry.time.nowMs += elevenMinutes
  const label = 'Nightly <b>“deposit”'
  const stop = async (fields: Record<string, string>) => {
    const { body } = await browser.get(page)
    const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
    const { headers } = await browser.post(page, { csrf, ...fields }, { referer })
    return String(headers.location)
  }
  const secrets = { current_password: ada.password, code: '123456' }
  const asking = await stop({ label, days: '7', ...secrets })
  t.regex(asking, /return_to=%2Fauth%2Faccount%2Fkeys%3Fpreset%3Dread&done=kept$/)
  t.regex((await browser.get(asking)).body, /What you typed is kept/)
  const { headers } = await browser.submit(asking, { current_password: ada.password }, confirming)
  t.is(headers.location, `${page}?preset=read`)
  const given = (await browser.get(String(headers.location))).body
  t.regex(given, /Your entries are still in the form/)
  t.regex(given, /value="Nightly &#60;b&#62;“deposit”"/)
  t.regex(given, /name="days" value="7"|value="7"[^>]*name="days"|id="field-days"[^>]*value="7"/)
  t.false(given.includes(ada.password) || given.includes('123456'))
  const again = (await browser.get(page)).body
  t.notRegex(again, /Nightly|still in the form/, 'it is given back once')

  registry.time.nowMs += elevenMinutes
  await stop({ label })
  await browser.submit('/auth/sign-out', {})
  await browser.submit('/auth/sign-up', { ...ada, name: 'Bo', email: 'bo@example.org' })
  t.notRegex((await browser.get(page)).body, /Nightly/, 'nobody else is shown it')
  registry.time.nowMs += elevenMinutes
  t.regex(await stop({ label: manyNumbers }), /done=form$/, 'it is too long to be kept')
  t.regex(await stop({ label }), /done=kept$/)
  registry.time.nowMs += elevenMinutes
  t.notRegex((await browser.get(page)).body, /Nightly/, 'it is kept for ten minutes')
})

test('a second step is asked for too, and a wrong password uses no code', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const code = await setUp(registry, browser)
  registry.time.nowMs += elevenMinutes
  const { password } = ada
  const send = (fields: Record<string, string>) => browser.submit(confirming, fields)
  t.is((await send({ current_password: password })).status, 422)
  t.is((await send({ current_password: 'x', code: code() })).status, 422)
  t.is((await browser.get('/auth/account/delete')).status, 303)
  t.is((await send({ current_password: password, code: code() })).status, 303)
  t.is((await browser.get('/auth/account/delete')).status, 200)
  t.not(registry.accounts.accounts.find(ppid), undefined)
})

test('what is shown in one browser counts in no other', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const other = new Browser(registry.server)
  await other.submit('/auth/sign-in', { email: ada.email, password: ada.password })
  registry.time.nowMs += elevenMinutes
  await browser.submit(confirming, { current_password: ada.password })
  t.is((await browser.get('/auth/account/email')).status, 200)
  t.is((await other.get('/auth/account/email')).status, 303)
  const [, second] = registry.accounts.sessions.list(ppid)
  await registry.accounts.sessions.confirm('somebody else', second?.id ?? '')
  t.is((await other.get('/auth/account/email')).status, 303)
})

test('administrators set a second step up first, where the operator says so', async (t) => {
  const { registry, browser, ppid } = await open(t, { ADMINS_NEED_SECOND_STEP: true })
  const first = `${settings}?done=required`
  t.is((await browser.get('/auth/admin')).status, 403, 'no administrator yet')
  await registry.accounts.accounts.setAdmin(ppid, true, operator)
  for (const path of ['/auth/admin', '/auth/admin/accounts', `/auth/admin/accounts/${ppid}`]) {
    t.is((await browser.get(path)).headers.location, first, path)
  }
  t.is((await browser.get('/auth/account')).status, 200)
  const again = new Browser(registry.server)
  const answer = await again.submit('/auth/sign-in', { email: ada.email, password: ada.password })
  t.is(answer.headers.location, first)
  t.regex((await again.get(first)).body, /asks administrators for a second step/)
  await setUp(registry, again)
  t.is((await again.get('/auth/admin')).status, 200)
})

test('a form that is sent after the session ended is there again after the sign-in', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const { sessions } = registry.accounts
  const request = '/auth/organizations/request'
  const wish = { slug: 'lab', name: 'The Lab', message: 'Please, <b>soon</b>.' }
  await browser.get('/auth/organizations')
  await sessions.endAll(ppid)
  const sent = await browser.submit('/auth/sign-in', wish, request)
  const kept = '/auth/sign-in?return_to=%2Fauth%2Faccount%2Funsent&done=kept'
  t.is(sent.headers.location, kept)
  t.regex((await browser.get(kept)).body, /what you typed is kept for ten minutes/)
  const { email, password } = ada
  const signedIn = await browser.submit(kept, { email, password }, '/auth/sign-in')
  t.is(signedIn.headers.location, '/auth/account/unsent')
  const page = (await browser.get('/auth/account/unsent')).body
  t.regex(page, /Send the form now[^]*The Lab[^]*Please, &#60;b&#62;soon&#60;\/b&#62;\./)
  t.regex((await browser.get('/auth/account/unsent')).body, /Nothing to send/)
  t.is(registry.accounts.requests.find(ppid), undefined)
  t.is((await browser.submit('/auth/account', wish, request)).status, 303)
  t.is(registry.accounts.requests.find(ppid)?.message, wish.message)
})

test('what is too long to be kept, or only a secret, leads to the sign-in', async (t) => {
  const { registry, browser, ppid } = await open(t)
  await registry.accounts.sessions.endAll(ppid)
  const request = '/auth/organizations/request'
  for (const fields of [
    { slug: 'lab', message: manyNumbers },
    { new_password: 'secret sentence' },
  ]) {
    const sent = await browser.submit('/auth/sign-in', fields, request)
    t.is(sent.headers.location, '/auth/sign-in?done=expired')
  }
  const { body } = await browser.get('/auth/sign-in')
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  // It fits in a cookie, and is longer than what is unpacked again.
  const sent = await browser.post(request, `csrf=${csrf}&message=${'"'.repeat(60_000)}`)
  t.is(sent.headers.location, '/auth/sign-in?done=expired')
})
