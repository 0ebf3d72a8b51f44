import test, { type ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import { operator } from '#src/identity/store/owner_text.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/web/_browser.ts'

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
