import test, { type ExecutionContext } from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Authenticator, type PasskeyOptions, type Twist } from '#test/src/_authenticator.ts'
import { type Answer, Browser, unescapeHtml } from '#test/src/pages/_browser.ts'

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough sentence' }
const settings = '/auth/account/passkeys'
const adding = `${settings}/new`
const signIn = '/auth/sign-in'
const codePage = '/auth/sign-in/code'
const confirming = '/auth/account/confirm'
const elevenMinutes = 11 * 60_000

async function open(t: ExecutionContext, config: Parameters<typeof openRegistry>[0] = {}) {
  const registry = await openRegistry({ RATE_LIMITS: false, ...config })
  t.teardown(() => registry.close())
  const browser = new Browser(registry.server)
  await browser.submit('/auth/sign-up', ada)
  const { ppid = '' } = registry.accounts.accounts.findByEmail(ada.email) ?? {}
  return { registry, browser, ppid }
}

/** What a page asks of its browser. */
async function optionsOf(browser: Browser, page: string): Promise<PasskeyOptions> {
  const { body } = await browser.get(page)
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(body) ?? []
  return JSON.parse(unescapeHtml(options))
}

/** Answers with what was asked by an earlier load of the page, as its script does. */
async function answer(
  browser: Browser,
  page: string,
  sign: (options: PasskeyOptions) => string,
  action = `${page}/passkey`,
): Promise<Answer> {
  const { body } = await browser.get(page)
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(body) ?? []
  const hidden = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(
    hidden.map(([, name, value = '']) => [name, unescapeHtml(value)]),
  )
  const credential = sign(JSON.parse(unescapeHtml(options)))
  return browser.post(action, { ...fields, credential })
}

async function addPasskey(browser: Browser, device: Authenticator) {
  const done = await answer(browser, adding, (asked) => device.create(asked), adding)
  const shown = await browser.get(String(done.headers.location))
  const codes = [...shown.body.matchAll(/<li><code>([0-9A-Za-z-]+)<\/code>/g)]
  return { done, codes: codes.map(([, code = '']) => code) }
}

function withPassword(browser: Browser): Promise<Answer> {
  return browser.submit(signIn, { email: ada.email, password: ada.password })
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/auth/account')).status === 200
}

function ownId({ accounts }: TestRegistry, ppid: string): string {
  return accounts.passkeys.list(ppid)[0]?.id ?? ''
}

test('a passkey signs in alone, and is the second step after a password', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const { server, accounts } = registry
  const other = new Browser(server)
  await withPassword(other)
  const device = new Authenticator()
  const { codes } = await addPasskey(browser, device)
  t.is(codes.length, 10, 'the first second step comes with recovery codes')
  t.false(await isSignedIn(other), 'who has not shown it is signed out')

  const alone = new Browser(server)
  const done = await answer(alone, signIn, (asked) => device.get(asked))
  t.is(done.headers.location, '/auth/account')
  t.true(await isSignedIn(alone))
  t.deepEqual(accounts.sessions.list(ppid).at(-1)?.methods, ['device_passkey'])

  const twice = new Browser(server)
  t.is((await withPassword(twice)).headers.location, codePage)
  t.false(await isSignedIn(twice))
  const unverified: Twist = { isVerified: false }
  const led = await answer(twice, codePage, (asked) => device.get(asked, unverified))
  t.is(led.headers.location, '/auth/account', 'after a password it suffices to be there')
  t.deepEqual(accounts.sessions.list(ppid).at(-1)?.methods, ['password', 'device_passkey'])

  const recovered = new Browser(server)
  await withPassword(recovered)
  await recovered.submit(codePage, { code: codes[0] ?? '' })
  t.true(await isSignedIn(recovered))
})

test('an answer for another browser, page or person signs nobody in', async (t) => {
  const { registry, browser } = await open(t)
  const { server } = registry
  const device = new Authenticator()
  await addPasskey(browser, device)
  const stranger = new Browser(server)
  const refused = async (sign: (asked: PasskeyOptions) => string) => {
    const told = await answer(stranger, signIn, sign)
    t.is(told.status, 422)
    t.false(await isSignedIn(stranger))
    return told.body
  }
  const evil = { origin: 'https://registry.example.evil' }
  t.regex(await refused((asked) => device.get(asked, evil)), /We do not know this passkey/)
  const elsewhere = await optionsOf(new Browser(server), signIn)
  t.regex(await refused(() => device.get(elsewhere)), /We do not know this passkey/)
  t.regex(await refused((asked) => device.get(asked, { isVerified: false })), /not enough alone/)
  t.regex(await refused(() => '{"id":'), /We do not know this passkey/)
  t.regex(await refused(() => ''), /We do not know this passkey/)
  const bo = new Browser(server)
  await bo.submit('/auth/sign-up', { ...ada, email: 'bo@example.org' })
  const other = new Authenticator()
  await addPasskey(bo, other)
  await withPassword(stranger)
  const wrong = await answer(stranger, codePage, (asked) => other.get(asked))
  t.is(wrong.status, 422)
  t.false(await isSignedIn(stranger))
  const without = new Browser(server)
  const csrf = /name="csrf" value="([^"]+)"/.exec((await without.get(signIn)).body)?.[1] ?? ''
  const none = await without.post(`${codePage}/passkey`, { csrf, credential: '{}' })
  t.is(none.headers.location, '/auth/sign-in?done=code_expired')
})

test('a passkey is a fresh sign-in, and adding and removing ask for one', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const device = new Authenticator()
  await addPasskey(browser, device)
  const own = `${settings}/${ownId(registry, ppid)}`
  registry.time.nowMs += elevenMinutes
  t.is((await browser.get(adding)).headers.location?.includes('confirm'), true)
  const removing = await browser.submit(own, {}, `${own}/remove`)
  t.regex(String(removing.headers.location), /confirm/)
  t.is(registry.accounts.passkeys.list(ppid).length, 1)
  const [{ id } = { id: '' }] = registry.accounts.passkeys.list(ppid)
  const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get(own)).body)?.[1] ?? ''
  const ending = await browser.post('/auth/account/access', { csrf, [`passkey:${id}`]: 'on' })
  t.regex(String(ending.headers.location), /confirm/)
  t.is(registry.accounts.passkeys.list(ppid).length, 1)
  const unverified = await answer(browser, confirming, (asked) =>
    device.get(asked, { isVerified: false }),
  )
  t.is(unverified.status, 422)
  t.is((await browser.get(adding)).status, 303)
  await answer(browser, confirming, (asked) => device.get(asked))
  t.is((await browser.get(adding)).status, 200)
  await browser.submit(own, { name: 'my <phone>' })
  t.regex((await browser.get(settings)).body, /my &#60;phone&#62;/)
  const done = await browser.submit(own, {}, `${own}/remove`)
  t.is(done.headers.location, `${settings}?done=removed`)
  const alone = new Browser(registry.server)
  await withPassword(alone)
  t.true(await isSignedIn(alone), 'the password alone signs in again')
})

test('the operator helps who has lost all, and a passkey counts for administrators', async (t) => {
  const { registry, browser, ppid } = await open(t, { ADMINS_NEED_SECOND_STEP: true })
  const { accounts, server } = registry
  await accounts.accounts.setAdmin(ppid, true, operator)
  t.is((await browser.get('/auth/admin')).status, 303)
  await addPasskey(browser, new Authenticator())
  t.is((await browser.get('/auth/admin')).status, 200)
  t.true(await accounts.secondFactors.end(ppid, operator))
  const later = new Browser(server)
  t.is((await withPassword(later)).headers.location, '/auth/account/second-step?done=required')
  t.is((await later.get('/auth/admin')).status, 303)
})

test('whoever made an account for the address of somebody else keeps no passkey', async (t) => {
  const { registry, browser, ppid } = await open(t)
  const { accounts, server } = registry
  const device = new Authenticator()
  await addPasskey(browser, device)
  const { token } = await accounts.links.issue({ kind: 'reset', ppid, email: ada.email })
  const next = { new_password: 'another long sentence' }
  await new Browser(server).submit(`/auth/reset/${token}`, next)
  const thief = new Browser(server)
  t.is((await answer(thief, signIn, (asked) => device.get(asked))).status, 422)
  const owner = new Browser(server)
  await owner.submit(signIn, { email: ada.email, password: next.new_password })
  t.true(await isSignedIn(owner))
})

test('where there can be none, the pages say why', async (t) => {
  const { browser, registry } = await open(t)
  const signInPage = (await new Browser(registry.server).get('/auth/sandbox/sign-in')).body
  t.notRegex(signInPage, /passkey/)
  t.regex((await browser.get(settings)).body, /Add a passkey/)
})
