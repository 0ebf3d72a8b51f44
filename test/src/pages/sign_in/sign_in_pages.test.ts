import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'

import type { Config } from '#config/schema.ts'
import { stylesheet } from '#src/pages/kit/assets.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { listenForMail } from '#test/src/delivery/mail/_mail_server.ts'
import { until } from '#test/_until.ts'
import { Browser } from '#test/src/pages/_browser.ts'

const ada = {
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.org',
  password: 'a long enough sentence',
}

async function open(
  t: ExecutionContext,
  settings: Partial<Record<keyof Config, unknown>> = {},
): Promise<TestRegistry> {
  const registry = await openRegistry(settings)
  t.teardown(() => registry.close())
  return registry
}

/** A mail server that keeps what it is sent. */
async function serveMail(t: ExecutionContext) {
  const received: string[] = []
  const waiting: (() => void)[] = []
  const smtpUrl = await listenForMail(t, (stream, _session, done) => {
    text(stream).then((mail) => {
      received.push(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      done()
      for (const wake of waiting.splice(0)) wake()
    }, done)
  })
  return {
    settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'registry@example.org' },
    /** The message with this subject, once it has come. */
    async message(subject: string): Promise<string> {
      for (;;) {
        const found = received.find((mail) => mail.includes(`\r\nSubject: ${subject}\r\n`))
        if (found !== undefined) return found
        await new Promise<void>((resolve) => void waiting.push(resolve))
      }
    },
    received,
  }
}

function linkIn(mail: string): string {
  return /https:\/\/registry\.example(\/auth\/\S+)/.exec(mail)?.[1] ?? ''
}

// The token of a form is spelled anew on each page.
function withoutToken(page: string): string {
  return page.replaceAll(/name="csrf" value="[^"]+"/g, '')
}

test('a forgotten password is replaced by mail, which also verifies the address', async (t) => {
  const mail = await serveMail(t)
  const { server, accounts } = await open(t, { RATE_LIMITS: false, ...mail.settings })
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  const verification = await mail.message('Confirm your e-mail address')
  t.regex(linkIn(verification), /^\/auth\/verify\/once_[0-9A-Za-z]{32}$/)
  const known = await browser.submit('/auth/reset', { email: ' ADA@example.org ' })
  const unknown = await browser.submit('/auth/reset', { email: 'bo@example.org' })
  t.is(known.status, 200)
  t.is(
    withoutToken(known.body),
    withoutToken(unknown.body),
    'nobody is told whether there is an account',
  )
  const page = linkIn(await mail.message('Choose a new password'))
  const done = await browser.submit(page, { new_password: 'another long sentence' })
  t.is(
    done.headers.location,
    '/auth/sign-in?done=reset&return_to=%2Fauth%2Faccount%2Faccess%3Fdone%3Dreset',
  )
  t.true(accounts.accounts.findByEmail(ada.email)?.email_verified)
  await mail.message('Your password was changed')
  t.is(mail.received.length, 3)
})

test('a new address takes the password, and both addresses are told', async (t) => {
  const mail = await serveMail(t)
  const { server, accounts } = await open(t, { RATE_LIMITS: false, ...mail.settings })
  const browser = new Browser(server)
  const asked = await browser.get('/auth/account/email')
  t.is(asked.headers.location, '/auth/sign-in?return_to=%2Fauth%2Faccount%2Femail')
  await browser.submit('/auth/sign-up', ada)
  const email = 'ada@new.example'
  const wrong = await browser.submit('/auth/account/email', { email, current_password: 'x' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /This is not your current password\./)
  t.true(wrong.body.includes(`value="${email}"`))
  const right = { email, current_password: ada.password }
  const done = await browser.submit('/auth/account/email', right)
  t.is(done.headers.location, '/auth/account/security?done=email')
  t.regex(await mail.message('Your e-mail address was changed'), /\r\nTo: ada@example\.org\r\n/)
  t.like(accounts.accounts.findByEmail(email), { email_verified: false })
})

test('passwords are tried so often from one address, and so often for one account', async (t) => {
  const { server } = await open(t, { LIMIT_SIGN_IN: 3, LIMIT_SIGN_IN_ACCOUNT: 2 })
  const browser = new Browser(server)
  const tryAs = (email: string) => browser.submit('/auth/sign-in', { email, password: 'wrong' })
  t.is((await tryAs('ada@example.org')).status, 422)
  t.is((await tryAs('ADA@example.org')).status, 422)
  const account = await tryAs('ada@example.org')
  t.is(account.status, 429)
  t.regex(
    account.body,
    /<h1>Too many passwords were tried<\/h1>\s*<p class="lead">[^<]* 60 minutes/,
  )
  t.is(account.headers['retry-after'], '3600')
  const address = await tryAs('bo@example.org')
  t.is(address.status, 429)
  t.regex(address.body, /Try again in 1 minute\./)
})

test('no account has one address written to more often than links are sent there', async (t) => {
  const { server } = await open(t, { LIMIT_RESET: 2 })
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up', ada)
  const changeTo = (email: string) =>
    browser.submit('/auth/account/email', { email, current_password: ada.password })
  for (const nth of [1, 2]) {
    t.is((await changeTo('bo@example.org')).status, 303)
    t.is((await changeTo(`ada${nth}@example.org`)).status, 303)
  }
  t.is((await changeTo('BO@example.org')).status, 429)
  t.is((await changeTo('ada@new.example')).status, 303)
  t.is((await changeTo('')).status, 422)
})

test('accounts are made so often from one address', async (t) => {
  const { server, accounts } = await open(t, { LIMIT_SIGN_UP: 1 })
  const browser = new Browser(server)
  t.is((await browser.submit('/auth/sign-up', { ...ada, name: '' })).status, 422)
  t.is((await browser.submit('/auth/sign-up', ada)).status, 429)
  t.deepEqual(await accounts.accounts.list(), [])
})

test('where accounts are made by invitation, each link makes one', async (t) => {
  const { server, accounts } = await open(t, { SIGN_UP: 'invite', RATE_LIMITS: false })
  const browser = new Browser(server)
  const closed = await browser.get('/auth/sign-up')
  t.is(closed.status, 403)
  t.regex(closed.body, /You need an invitation/)
  t.notRegex((await browser.get('/auth/sign-in')).body, /sign-up/)
  const { token } = await accounts.links.issue({ kind: 'invite' })
  const page = `/auth/sign-up?invite=${token}`
  t.is((await browser.submit(page, { ...ada, password: 'x' }, '/auth/sign-up')).status, 422)
  t.is((await browser.submit(page, ada, '/auth/sign-up')).status, 303)
  t.is((await new Browser(server).get(page)).status, 403)
})

test('where no accounts are made, a form does not make one either', async (t) => {
  const { server, accounts } = await open(t, { SIGN_UP: 'off' })
  const browser = new Browser(server)
  const { body } = await browser.get('/auth/sign-in')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(body) ?? []
  const { status, body: page } = await browser.post('/auth/sign-up', { ...ada, csrf })
  t.is(status, 403)
  t.regex(page, /You cannot create an account here/)
  t.deepEqual(await accounts.accounts.list(), [])
})

test('pages of a host of their own are at its root, beside everything else', async (t) => {
  const registry = await open(t, { AUTH_URL: 'https://id.example' })
  const browser = new Browser(registry.server, 'https://id.example')
  const page = await browser.get('/sign-in')
  t.is(page.status, 200)
  t.regex(page.body, /action="\/sign-in"/)
  t.is((await browser.get('/auth/sign-in')).status, 404)
  t.is((await browser.submit('/sign-up', ada)).headers.location, '/account?done=welcome')
  t.like(JSON.parse((await browser.get('/v1/changes')).body), { error: 'unauthorized' })
})

test('who comes for a page to the other host is sent to that of the pages', async (t) => {
  const { server } = await open(t, { AUTH_URL: 'https://id.example' })
  const browser = new Browser(server)
  for (const page of ['/sign-in?return_to=/account', '/oauth/authorize?client_id=a', '/account']) {
    const { status, headers } = await browser.get(page)
    t.like([status, headers.location], [303, `https://id.example${page}`])
    t.is(headers['set-cookie'], undefined)
  }
  const { headers } = await browser.post('/sign-up', ada)
  t.is(headers.location, 'https://id.example/sign-up')
  t.is((await browser.get(stylesheet.path)).status, 200, 'pages about people load it there')
})

test('no password, address, token or cookie is in a log line or a file', async (t) => {
  const mail = await serveMail(t)
  const registry = await open(t, { RATE_LIMITS: false, ...mail.settings })
  const { server, accounts, folder, logged } = registry
  const browser = new Browser(server)
  const setup = accounts.setup.token ?? ''
  await browser.submit(`/auth/setup/${setup}`, { ...ada, name: 'Planted Name' })
  const cookie = (browser.cookie ?? '').split('=')[1] ?? ''
  const verify = linkIn(await mail.message('Confirm your e-mail address'))
  await browser.submit('/auth/reset', { email: ada.email })
  const reset = linkIn(await mail.message('Choose a new password'))
  await browser.submit('/auth/sign-in', { email: ada.email, password: 'planted-wrong' })
  await browser.get(`${reset}?x=${setup}`)
  await browser.get(verify)
  const tokens = [setup, cookie, verify, reset].map((link) => link.slice(-32))
  const secrets = ['planted-wrong', ada.password, ada.email, 'Planted Name', ...tokens]
  t.true(secrets.every((secret) => secret.length > 8))
  const { ppid = '' } = accounts.accounts.findByEmail(ada.email) ?? {}
  // The rows of mails with links are purged in their turns: the next one comes after them.
  await until('no mail waits', async () => (await accounts.mail.waiting()) === 0)
  await accounts.links.issue({ kind: 'invite' })
  for (const when of ['while there is an account', 'after it is erased']) {
    const files = await filesOf(folder)
    for (const secret of secrets) {
      t.false(files.includes(secret), `${secret} is in a file ${when}`)
      t.false(logged.join('').includes(secret), `${secret} is in a log line ${when}`)
    }
    if (accounts.accounts.find(ppid) !== undefined) await accounts.accounts.remove(ppid)
  }
})

async function filesOf(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(
    await Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name)))),
  )
}

test('an account has the language of the page that made it, until its owner chooses', async (t) => {
  const {
    server,
    accounts: { accounts },
  } = await open(t, { RATE_LIMITS: false })
  const browser = new Browser(server)
  await browser.submit('/auth/sign-up?lang=de', ada, '/auth/sign-up?lang=de')
  t.is(accounts.findByEmail(ada.email)?.language, 'de')
  const own = await browser.get('/auth/account/security')
  t.regex(own.body, /<html lang="de" dir="ltr">/)
  const to = '/auth/account/security/language'
  await browser.submit('/auth/account/security', { language: 'ar' }, to)
  t.is(accounts.findByEmail(ada.email)?.language, 'ar')
  await browser.submit('/auth/account/security', { language: 'tlh' }, to)
  t.is(accounts.findByEmail(ada.email)?.language, 'ar')
  const other = new Browser(server)
  await other.submit('/auth/sign-in', ada, '/auth/sign-in')
  t.regex((await other.get('/auth/sign-up?lang=fr')).headers.location ?? '', /account/)
  t.regex((await other.get('/auth/account/security')).body, /<html lang="ar" dir="rtl">/)
})
