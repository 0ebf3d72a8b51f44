// A stranger uses up the tries of somebody's password, from anywhere, to keep the owner out.

import test, { type ExecutionContext } from 'ava'

import type { OneTimeUrl } from '#src/use_cases/account_service.ts'
import { openMailbox } from '#test/browser/_mailbox.ts'
import { newDataDir, runJson, type Settings, startServer } from '#test/scenario/_process.ts'
import { share, type SharedServer } from '#test/scenario/_shared_server.ts'
import { type Seen, TestBrowser } from '#test/src/_browser.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const password = 'a sentence of the owner'
const tries = 5

/** All tests come from one address; the limit that counts here is that of an account. */
const limits = {
  LIMIT_PAGES: '1000',
  LIMIT_SIGN_IN: '1000',
  LIMIT_SIGN_IN_ACCOUNT: String(tries),
}

async function start(t: Owner, more: Settings = {}): Promise<SharedServer> {
  const settings = { DATA_DIR: await newDataDir(t), LOG_LEVEL: 'warn', ...limits, ...more }
  return { settings, server: await startServer(t, settings) }
}

const withoutMail = share(start)

/** A person joins, whose address begins with a name; what she and strangers do then. */
async function join(t: ExecutionContext, { settings, server }: SharedServer, name: string) {
  const email = `${name}@example.org`
  const baseUrl = server.started.local_url
  const browser = () => new TestBrowser(baseUrl)
  const signIn = async (seeing: TestBrowser, tried: string, as = email) => {
    const page = await seeing.go(`${baseUrl}/auth/sign-in`)
    return seeing.send(page, { email: as, password: tried }, '/sign-in')
  }
  /** Tries passwords until no more are taken; gives the last answer. */
  const lock = async (as = email) => {
    const stranger = browser()
    for (let count = 0; count < tries; count += 1) {
      t.is((await signIn(stranger, `wrong ${count}`, as)).status, 422)
    }
    return signIn(stranger, 'wrong again', as)
  }
  const owner = browser()
  const account = { name: 'Ada Lovelace', email, password }
  await owner.submit(await owner.go(`${baseUrl}/auth/sign-up`), account, '/sign-up')
  const signOut = (seeing: TestBrowser) =>
    seeing.go(`${baseUrl}/auth/sign-out`).then((page) => seeing.send(page, {}, '/sign-out'))
  return { email, settings, baseUrl, browser, owner, signIn, signOut, lock }
}

test('a browser that has signed in before does so again, and no other', async (t) => {
  const joined = await join(t, withoutMail(), 'ada')
  const { email, baseUrl, browser, owner, signIn, signOut, lock } = joined
  await signOut(owner)
  const locked = await lock()
  t.is(locked.status, 429)
  t.regex(locked.body, /Too many passwords were tried/)
  t.regex(locked.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await signIn(browser(), password)).status, 429, 'the right password does not help')
  const told = ({ body }: Seen) => /<main[^]*<\/main>/.exec(body)?.[0]
  const unknown = await lock('nobody@example.org')
  t.is(told(unknown), told(locked), 'nobody is told that there is an account')
  t.is((await signIn(owner, password)).status, 303)
  // What it tries is bounded too: a stranger who has the browser gets no more than another one.
  await signOut(owner)
  const answers = []
  for (let count = 0; count <= tries; count += 1)
    answers.push((await signIn(owner, 'wrong')).status)
  t.is(answers.at(-1), 429)
  // A cookie that is made up, or another account's, is no known browser.
  const forger = browser()
  const [name = ''] = owner.cookieNames().filter((each) => each.startsWith('svc_session_'))
  t.not(name, '')
  for (const value of ['A'.repeat(44), '', 'x']) {
    const page = await forger.go(`${baseUrl}/auth/sign-in`)
    forger.plant(name, value)
    t.is((await forger.send(page, { email, password }, '/sign-in')).status, 429)
  }
})

test('a mail opens one browser to the owner, once', async (t) => {
  const mailbox = await openMailbox(t)
  const mail = { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'registry@example.org' }
  const { email, browser, signIn, lock } = await join(t, await start(t, mail), 'ada')
  t.is((await lock()).status, 429)
  const link = await mailbox.link('unlock', email)
  const away = browser()
  t.is((await signIn(away, password)).status, 429)
  const page = await away.go(link)
  t.is(page.status, 200)
  t.is((await signIn(away, password)).status, 429, 'to look at the link is not to use it')
  await away.submit(page, {}, new URL(link).pathname)
  t.is((await signIn(away, password)).status, 303)
  t.is((await browser().go(link)).status, 410)
  t.is((await signIn(browser(), password)).status, 429)
})

test('without mail, the link of the operator does', async (t) => {
  const { email, settings, baseUrl, browser, signIn, lock } = await join(t, withoutMail(), 'bea')
  t.regex((await lock()).body, /ask the operator of this registry for a link/)
  const { url } = await runJson<OneTimeUrl>(t, ['account', 'reset-link', email], settings)
  const away = browser()
  const form = await away.go(baseUrl + new URL(url).pathname)
  const next = 'another sentence of the owner'
  await away.submit(form, { new_password: next })
  t.is((await signIn(away, next)).status, 303)
})

test('who is signed in changes the password although others have used up the tries', async (t) => {
  const { baseUrl, browser, owner, signIn, lock } = await join(t, withoutMail(), 'cleo')
  t.is((await lock()).status, 429)
  const next = 'another sentence of the owner'
  const page = await owner.go(`${baseUrl}/auth/account/security`)
  const changed = { current_password: password, new_password: next }
  const answer = await owner.send(page, changed, '/security/password')
  t.is(answer.status, 303)
  t.is((await signIn(browser(), next)).status, 429)
})
