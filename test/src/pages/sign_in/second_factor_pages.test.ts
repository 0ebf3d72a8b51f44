import test, { type ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import { operator } from '#src/identity/store/owner_text.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { type Answer, Browser } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough sentence' }
const settings = '/auth/account/second-step'
const codePage = '/auth/sign-in/code'

async function open(t: ExecutionContext) {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  return registry
}

function codeOf({ time }: TestRegistry, secret: string, laterMs = 0): string {
  return new TOTP({ secret }).generate({ timestamp: time.nowMs + laterMs })
}

/** Signs Ada up and sets her second step up; the code of now is used up by that. */
async function setUp(registry: TestRegistry, browser = new Browser(registry.server)) {
  await browser.submit('/auth/sign-up', ada)
  const current_password = ada.password
  await browser.submit(settings, { current_password }, `${settings}/begin`)
  const { body } = await browser.get(settings)
  const secret = (/type the secret: <code>([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '')
  const done = await browser.submit(
    settings,
    { code: codeOf(registry, secret) },
    `${settings}/confirm`,
  )
  const shown = await browser.get(String(done.headers.location))
  const codes = [...shown.body.matchAll(/<li><code>([0-9A-Za-z-]+)<\/code>/g)].map(
    ([, c = '']) => c,
  )
  return { secret, codes, shownAt: String(done.headers.location) }
}

function signIn(browser: Browser): Promise<Answer> {
  return browser.submit('/auth/sign-in', { email: ada.email, password: ada.password })
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/auth/account')).status === 200
}

test('a password alone signs nobody in once the second step is on', async (t) => {
  const registry = await open(t)
  const { server, accounts } = registry
  const owner = new Browser(server)
  const { secret, codes, shownAt } = await setUp(registry, owner)
  t.is(codes.length, 10)
  t.is((await owner.get(shownAt)).status, 303, 'recovery codes are shown once')
  const browser = new Browser(server)
  t.is((await signIn(browser)).headers.location, codePage)
  t.false(await isSignedIn(browser))
  const replayed = await browser.submit(codePage, { code: codeOf(registry, secret) })
  t.is(replayed.status, 422, 'the code that set it up is used up')
  const done = await browser.submit(codePage, { code: codeOf(registry, secret, 30_000) })
  t.is(done.headers.location, '/auth/account')
  t.true(await isSignedIn(browser))
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  t.deepEqual(accounts.sessions.list(ppid).at(-1)?.methods, ['password', 'totp'])
})

test('a lost device is replaced by a recovery code, once, by one of those at once', async (t) => {
  const registry = await open(t)
  const { server, accounts } = registry
  const { codes } = await setUp(registry)
  const [code = ''] = codes
  const browsers = Array.from({ length: 5 }, () => new Browser(server))
  await Promise.all(browsers.map(signIn))
  const answers = await Promise.all(browsers.map((each) => each.submit(codePage, { code })))
  t.is(answers.filter(({ status }) => status === 303).length, 1)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  t.is(accounts.secondFactors.find(ppid)?.recoveryCodesLeft, 9)
})

test('what one browser has shown of a password is of no use in another', async (t) => {
  const registry = await open(t)
  const { server } = registry
  const { codes } = await setUp(registry)
  const [code = ''] = codes
  const stranger = new Browser(server)
  const expired = '/auth/sign-in?done=code_expired'
  const without = await stranger.submit('/auth/sign-in', { code }, codePage)
  t.is(without.headers.location, expired, 'no password was shown')
  const browser = new Browser(server)
  const { headers } = await signIn(browser)
  const half = [headers['set-cookie'] ?? []].flat().find((line) => line.includes('_half='))
  t.truthy(half)
  const taken = await stranger.get(codePage, {
    cookie: `${stranger.cookie}; ${half?.split(';')[0]}`,
  })
  t.is(taken.headers.location, expired)
})

test('a reset of the password leaves the second step, and the operator ends it', async (t) => {
  const registry = await open(t)
  const { server, accounts } = registry
  await setUp(registry)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  const { token } = await accounts.links.issue({ kind: 'reset', ppid })
  const next = { new_password: 'another long sentence' }
  await new Browser(server).submit(`/auth/reset/${token}`, next)
  const browser = new Browser(server)
  const again = { email: ada.email, password: next.new_password }
  t.is((await browser.submit('/auth/sign-in', again)).headers.location, codePage)
  t.true(await accounts.secondFactors.end(ppid, operator))
  await browser.submit('/auth/sign-in', again)
  t.true(await isSignedIn(browser))
})

test('a form that is sent by itself changes nothing without a code', async (t) => {
  const registry = await open(t)
  const { server, accounts } = registry
  const browser = new Browser(server)
  const { codes } = await setUp(registry, browser)
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  const wrong = { change: 'end', code: '12345' }
  t.is((await browser.submit(settings, wrong, `${settings}/change`)).status, 422)
  const begun = { current_password: ada.password }
  await browser.submit(settings, begun, `${settings}/begin`)
  t.is(accounts.secondFactors.pending(ppid, ''), undefined, 'the password alone begins nothing')
  t.is((await browser.post(`${settings}/change`, { change: 'end' })).status, 403, 'no token')
  const right = { change: 'end', code: codes[1] ?? '' }
  const done = await browser.submit(settings, right, `${settings}/change`)
  t.is(done.headers.location, `${settings}?done=ended`)
  t.is(accounts.secondFactors.find(ppid), undefined)
})

test('the second step is set up by who has the longest address, too', async (t) => {
  const registry = await open(t)
  const browser = new Browser(registry.server)
  const email = `${'漢'.repeat(64)}@${'漢'.repeat(186)}.ab`
  await browser.submit('/auth/sign-up', { ...ada, email })
  await browser.submit(settings, { current_password: ada.password }, `${settings}/begin`)
  const page = await browser.get(settings)
  t.is(page.status, 200)
  t.regex(page.body, /<svg class="qr"/)
})
